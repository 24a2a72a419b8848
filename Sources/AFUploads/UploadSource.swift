public import AFTransport
internal import Dispatch

/// Bytes of an upload that are not in a file, but in a stream that can be opened again at any offset.
///
/// ```swift
/// let request = session.upload(object, named: "big.iso", with: urlRequest, resumingWith: resumeData)
/// ```
public protocol UploadSource: Sendable {
    /// The number of bytes.
    var length: Int64 { get }
    /// A value that changes with the bytes, such as an ETag: an upload of another version restarts, or fails if it has begun.
    var version: String { get }

    /// Opens a stream of a range of the bytes, once for each request that sends bytes, and for each digest of them.
    ///
    /// - Throws: An error if the bytes are not available; the attempt fails with it.
    func open(_ range: Range<Int64>) throws -> any BodyStream
}

/// The bytes of an ``UploadSource``.
final class SourceStream: UploadContent {
    let path: String
    let identity: SourceFile.Identity
    private let source: any UploadSource

    init(_ source: any UploadSource, named name: String) {
        (self.source, path, identity) = (source, name, SourceFile.Identity(source))
    }

    var isUnchanged: Bool { SourceFile.Identity(source) == identity }
    func unlock() {}

    func body(of range: Range<Int64>) throws -> BodySource {
        .stream(try source.open(range), length: Int64(range.count))
    }

    func read(_ range: Range<Int64>, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard let stream = try? source.open(range) else { return false }
        let isReady = DispatchSemaphore(value: 0)
        var block = [UInt8](repeating: 0, count: Int(min(SourceFile.blockSize, Int64(range.count))))
        var rest = range.count
        while rest > 0 {
            let isRead = block.withUnsafeMutableBytes { bytes in
                let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(rest))
                switch try? stream.read(into: bytes, whenReady: { isReady.signal() }) {
                case .bytes(let count)?:
                    body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    rest -= count
                case .notYet?: isReady.wait()
                case .end?, nil: return false
                }
                return true
            }
            guard isRead else { return false }
        }
        return true
    }
}
