internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Synchronization

/// The start of the body of the final response, which a failure shows.
final class BodyPrefix: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The number of bytes of the body.
        var total = 0
        /// Whether the body itself is shown.
        var isShown = false
    }

    /// The maximum number of bytes of a body that a failure shows.
    static let evidenceLimit = 500
    private let limit: Int
    private let state = Mutex(State())

    /// Creates a prefix.
    ///
    /// - Parameter limit: The number of bytes to record, if it is greater than that of a failure.
    init(recording limit: Int = 0) { self.limit = max(limit, Self.evidenceLimit) }

    /// The bytes that a failure shows.
    var bytes: [UInt8] { state.withLock { Array($0.bytes.prefix(Self.evidenceLimit)) } }
    /// Returns the first bytes, and whether these are all.
    func recorded(_ count: Int) -> (bytes: [UInt8], isComplete: Bool) {
        state.withLock { (Array($0.bytes.prefix(count)), $0.total <= count) }
    }
    var hasBytes: Bool { state.withLock { $0.total > 0 } }
    var isShown: Bool { state.withLock(\.isShown) }

    /// Clears the prefix for another response.
    func begin() { state.withLock { $0 = State() } }

    /// Restarts with a body. If it cannot be read, a failure shows less.
    func begin(with body: BodySource) {
        begin()
        try? body.forEachChunk { add($0) }
    }

    /// Restarts with the start of a file.
    func begin(withFileAt path: String) {
        begin(with: .file(path: path, range: 0..<Int64(limit)))
        if let size = FileStatus(path)?.size { state.withLock { $0.total = Int(size) } }
    }

    func recordShown() { state.withLock { $0.isShown = true } }

    func add(_ chunk: UnsafeRawBufferPointer) {
        state.withLock { state in
            state.total += chunk.count
            if state.bytes.count < limit { state.bytes += chunk.prefix(limit - state.bytes.count) }
        }
    }
}

/// The lines of a response that explain a failure, with secrets masked.
struct ResponseEvidence: Equatable, Sendable {
    /// The status line and the fields that matter.
    let head: [String]
    /// Whether there is a field besides the media type.
    let hasFields: Bool
    /// The start of the body; empty if it is not text.
    let body: [String]

    /// Creates the lines.
    ///
    /// - Parameters:
    ///   - prefix: The first bytes of the body.
    ///   - type: The media type of the body.
    ///   - charset: The charset that overrides the media type's.
    init(
        _ response: HTTPURLResponse,
        prefix: [UInt8],
        type: MediaType?,
        charset: String?,
        _ redaction: Redaction
    ) {
        let start = response.rawHead.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        let fields = response.headers.filter(\.explainsFailures)
        head =
            [redaction.masked(String(decoding: start, as: UTF8.self))]
            + fields.map { "\($0.name): \(redaction.value(of: $0))" }
        hasFields = fields.contains { $0.name.lowercased() != "content-type" && !$0.value.isEmpty }
        let text = BodyDecoder.decode(
            prefix, of: BodyKind(type), charset: charset ?? type?.charset, isComplete: false)
        let lines = redaction.response(text, type: type)?.split(whereSeparator: \.isNewline) ?? []
        body = lines.map(String.init)
    }

    /// The lines of the header, a blank one, and those of the body.
    var lines: [String] { head + (body.isEmpty ? [] : [""] + body) }
}

extension HTTPHeader {
    /// Whether the field explains why a response is not the expected one, or identifies it in the logs of its server.
    fileprivate var explainsFailures: Bool {
        let name = name.lowercased()
        return [
            "accept-patch", "accept-post", "allow", "cf-ray", "content-type", "location", "proxy-authenticate",
            "retry-after", "traceparent", "www-authenticate",
        ].contains(name) || ["request-id", "requestid", "trace-id", "correlation-id"].contains { name.hasSuffix($0) }
    }
}
