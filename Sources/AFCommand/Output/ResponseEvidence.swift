internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Synchronization

/// The start of the body of the final response, which a failure shows.
final class BodyPrefix: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// Whether the body itself is shown.
        var isShown = false
    }

    private static let limit = 500
    private let state = Mutex(State())

    var bytes: [UInt8] { state.withLock(\.bytes) }
    var isShown: Bool { state.withLock(\.isShown) }

    /// Clears the prefix for another response.
    func begin() { state.withLock { $0 = State() } }

    func recordShown() { state.withLock { $0.isShown = true } }

    func add(_ chunk: UnsafeRawBufferPointer) {
        state.withLock { state in
            if state.bytes.count < Self.limit { state.bytes += chunk.prefix(Self.limit - state.bytes.count) }
        }
    }
}

/// The lines of a response that explain a failure, with secrets masked.
struct ResponseEvidence: Equatable, Sendable {
    /// The status line and the fields that matter.
    let head: [String]
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
        head =
            [String(decoding: start, as: UTF8.self)]
            + response.headers.filter(\.explainsFailures).map { "\($0.name): \(redaction.value(of: $0))" }
        var decoder = BodyDecoder(of: BodyKind(type), charset: charset ?? type?.parameter("charset"))
        let text = prefix.withUnsafeBytes { decoder.decode($0) } ?? prefix
        let lines = redaction.prefix(text, type: type)?.split(whereSeparator: \.isNewline) ?? []
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
            "content-type", "location", "www-authenticate", "proxy-authenticate", "retry-after", "traceparent",
            "cf-ray",
        ].contains(name) || ["request-id", "requestid", "trace-id", "correlation-id"].contains { name.hasSuffix($0) }
    }
}
