public import FoundationEssentials

/// A compression of bodies, named as in `Content-Encoding` (RFC 9110 §8.4.1).
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    /// deflate in zlib's format (RFC 1950).
    case deflate
    /// gzip (RFC 1952).
    case gzip
    /// Zstandard (RFC 8878).
    case zstd

    /// Returns the compressed data.
    ///
    /// - Throws: ``UnavailableCoding``.
    public func compress(_ data: Data) throws -> Data {
        let compressor = try makeCompressor()
        var compressed = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { buffer.deallocate() }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var rest = bytes[...]
            var isDone = false
            while !isDone {
                let step = try compressor.compress(UnsafeRawBufferPointer(rebasing: rest), isLast: true, into: buffer)
                rest = rest.dropFirst(step.taken)
                compressed.append(contentsOf: buffer[..<step.made])
                isDone = step.isDone
            }
        }
        return compressed
    }

    /// Returns a streaming compressor.
    ///
    /// - Throws: ``UnavailableCoding``.
    func makeCompressor() throws -> any Compressor {
        switch self {
        // This level produces the bytes 78 5E, with which Alamofire's bodies begin.
        case .deflate: try ZlibCompressor(level: 5, isGzip: false)
        case .gzip: try ZlibCompressor(level: 6, isGzip: true)
        case .zstd: try ZstdCompressor()
        }
    }
}

/// The error of a compressor without memory.
public struct UnavailableCoding: Error, Hashable, Sendable, CustomStringConvertible {
    /// The requested coding.
    public let coding: ContentCoding

    /// The message: lower case, without full stop.
    public var description: String { "out of memory for compressing with \(coding.rawValue)" }
}

/// A streaming compressor.
protocol Compressor: AnyObject {
    /// Compresses bytes of `input` into `output`.
    ///
    /// - Parameter isLast: Whether the input is the last; the call must be repeated until the step is done.
    func compress(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws -> CompressionStep

    /// Resets the compressor to the start of a new stream.
    func reset()
}

/// The result of one call of a ``Compressor``.
struct CompressionStep {
    /// The number of consumed input bytes.
    let taken: Int
    /// The number of produced output bytes.
    let made: Int
    /// Whether the stream is complete.
    let isDone: Bool
}
