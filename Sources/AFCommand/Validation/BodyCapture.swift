internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Synchronization

/// The body that expectations search, or the reason why there is none.
enum CapturedBody: Equatable, Sendable {
    /// The bytes; their kind determines whether they are JSON messages.
    case complete([UInt8], BodyKind = .unknown)
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
    /// The media type of the body, and the charset that overrides its own.
    private let type = Mutex<(media: MediaType?, charset: String?)>((nil, nil))
    private let isAccepted = Mutex(false)

    init(limit: Int) { self.limit = limit }

    /// The body as received.
    var body: CapturedBody { contents.withLock(\.self) }

    /// The body in UTF-8, for searching; `nil` if it has met the expectations already.
    var text: CapturedBody? {
        if isAccepted.withLock(\.self) { return nil }
        guard case .complete(let bytes, _) = body else { return .tooLarge(limit: limit) }
        let (media, charset) = type.withLock(\.self)
        let kind = BodyKind(media)
        return .complete(BodyDecoder.decode(bytes, of: kind, charset: charset ?? media?.charset), kind)
    }

    /// Clears the capture for another response.
    func begin(_ media: MediaType? = nil, charset: String? = nil) {
        contents.withLock { $0 = .complete([]) }
        type.withLock { $0 = (media, charset) }
        isAccepted.withLock { $0 = false }
    }

    /// Records that the body meets the expectations. A second search of a saved file could pass the deadline.
    func accept() { isAccepted.withLock { $0 = true } }

    /// Whether this number of further bytes exceeds the limit.
    func isExceeded(by count: Int) -> Bool {
        contents.withLock { contents in
            guard case .complete(let captured, _) = contents else { return true }
            return captured.count + count > limit
        }
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        contents.withLock { contents in
            guard case .complete(var captured, _) = contents else { return }
            // Cleared, so that the bytes are appended in place instead of being copied.
            contents = .tooLarge(limit: limit)
            guard captured.count + bytes.count <= limit else { return }
            captured.append(contentsOf: bytes)
            contents = .complete(captured)
        }
    }

    /// Reads the body from its file. An unreadable one counts as empty.
    func load(_ path: String, _ media: MediaType?, charset: String?) {
        begin(media, charset: charset)
        try? BodySource.file(path: path).forEachChunk { add($0) }
    }
}
