public import AFTransport
internal import Dispatch

/// Bytes of an upload that are not in a file, but in a stream that can be opened again at any offset.
///
/// ```swift
/// let request = session.upload(object, named: "big.iso", with: urlRequest, resumingWith: resumeData)
/// ```
public protocol UploadSource: Sendable {
    /// The number of bytes, which does not change.
    var length: Int64 { get }
    /// A value that identifies the bytes, such as an ETag, and does not change: an upload that is resumed with another version
    /// restarts.
    var version: String { get }

    /// Opens a stream of a range of the bytes, once for each request that sends bytes, and for each digest of them.
    ///
    /// For a digest, the stream is read on a queue of uploads, which waits for its bytes at most a minute.
    ///
    /// - Throws: An error if the bytes of this version are not available; the attempt fails with it.
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

    /// `open` fails for bytes that have changed.
    var isUnchanged: Bool { true }
    func unlock() {}
    func digest(before offset: Int64) -> String? { nil }

    func body(of range: Range<Int64>) throws -> BodySource {
        .stream(try source.open(range), length: Int64(range.count))
    }

    func read(
        _ range: Range<Int64>,
        while isNeeded: () -> Bool,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard let stream = try? source.open(range) else { return false }
        let isReady = DispatchSemaphore(value: 0)
        var block = [UInt8](repeating: 0, count: Int(min(SourceFile.blockSize, Int64(range.count))))
        var rest = range.count
        while rest > 0 {
            guard isNeeded() else { return false }
            let isRead = block.withUnsafeMutableBytes { bytes in
                let bytes = UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(rest))
                switch try? stream.read(into: bytes, whenReady: { isReady.signal() }) {
                case .bytes(let count)? where count > 0:
                    body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                    rest -= count
                case .notYet?:
                    // At most a minute, or until the bytes are no longer needed.
                    return (0..<60).contains { _ in
                        isReady.wait(timeout: .now() + .seconds(1)) == .success || !isNeeded()
                    }
                case .bytes?, .end?, nil: return false
                }
                return true
            }
            guard isRead else { return false }
        }
        return true
    }
}
