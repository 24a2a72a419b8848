internal import AFCore
internal import Synchronization

/// A captured body.
enum CapturedBody: Equatable, Sendable {
    case complete([UInt8])
    /// The body exceeded this number of bytes.
    case tooLarge(limit: Int)
}

/// The error of a body that failed an expectation: it is not saved, and may be retried. The failures are reported like
/// all others.
struct UnexpectedBody: Error {}

/// Captures the body of the final response for expectations, up to a limit on memory.
final class BodyCapture: Sendable {
    private let limit: Int
    private let contents = Mutex(CapturedBody.complete([]))

    init(limit: Int) { self.limit = limit }

    var body: CapturedBody { contents.withLock { $0 } }

    /// Clears the capture for another response.
    func begin() { contents.withLock { $0 = .complete([]) } }

    /// Whether this number of further bytes exceeds the limit.
    func isExceeded(by count: Int) -> Bool {
        contents.withLock { contents in
            guard case .complete(let captured) = contents else { return true }
            return captured.count + count > limit
        }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        contents.withLock { contents in
            guard case .complete(var captured) = contents else { return }
            // Cleared, so that the bytes are appended in place instead of being copied.
            contents = .tooLarge(limit: limit)
            guard captured.count + bytes.count <= limit else { return }
            captured.append(contentsOf: bytes)
            contents = .complete(captured)
        }
    }

    /// Reads the body from its file. An unreadable one counts as empty.
    func load(_ path: String) {
        begin()
        try? BodySource.file(path: path).forEachChunk { add($0) }
    }
}
