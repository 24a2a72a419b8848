public import FoundationEssentials

/// A way to make bodies smaller, named as in `Content-Encoding` (RFC 9110 §8.4.1).
public enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    /// zlib's format (RFC 1950).
    case deflate
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstd

    /// The whole of the data, made smaller.
    ///
    /// - Throws: ``UnavailableCoding``.
    public func compress(_ data: Data) throws -> Data {
        let compressor = try makeCompressor()
        var compressed = Data()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { room.deallocate() }
        try data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var rest = bytes[...]
            var isDone = false
            while !isDone {
                let step = try compressor.compress(UnsafeRawBufferPointer(rebasing: rest), isLast: true, into: room)
                rest = rest.dropFirst(step.taken)
                compressed.append(contentsOf: room[..<step.made])
                isDone = step.isDone
            }
        }
        return compressed
    }

    /// - Throws: ``UnavailableCoding``.
    func makeCompressor() throws -> any Compressor {
        switch self {
        // The level that gives the bytes 78 5E, which is how Alamofire's bodies begin.
        case .deflate: try ZlibCompressor(level: 5, isGzip: false)
        case .gzip: try ZlibCompressor(level: 6, isGzip: true)
        case .zstd: try ZstdCompressor()
        }
    }
}

/// There is no memory to compress with.
public struct UnavailableCoding: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was asked for.
    public let coding: ContentCoding

    /// A clause without capital and full stop.
    public var description: String { "there is no memory to compress with \(coding.rawValue)" }
}

/// Makes a stream of bytes smaller, piece by piece.
protocol Compressor: AnyObject {
    /// Takes what it can from `input` and puts what is ready into `output`.
    ///
    /// - Parameter isLast: Whether nothing comes after the input; to be repeated until all is done.
    func compress(
        _ input: UnsafeRawBufferPointer,
        isLast: Bool,
        into output: UnsafeMutableRawBufferPointer
    ) throws -> CompressionStep

    /// Forgets everything, to begin with the first byte again.
    func reset()
}

/// What became of one call of a ``Compressor``.
struct CompressionStep {
    /// Bytes of the input that are done with.
    let taken: Int
    /// Bytes that were put into the output.
    let made: Int
    /// Whether the last byte was put into the output.
    let isDone: Bool
}
