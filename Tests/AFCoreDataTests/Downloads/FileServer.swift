import AFCore
import FoundationEssentials
import Synchronization
import TestSupport

/// Serves one resource with ranges and validators, and truncates responses on request.
final class FileServer: Sendable {
    struct Rules: Sendable {
        var body: [UInt8]
        var entityTag: String? = "\"v1\""
        var lastModified: String?
        var date: String?
        var encoding: String?
        /// Whether ranges are served.
        var hasRanges = true
        /// Whether a validator in `If-Range` that does not match is passed over, as broken servers do.
        var ignoresIfRange = false
        /// A wrong `Content-Range` of a 206.
        var contentRange: String?
        /// The body bytes of the next truncated responses, in order.
        var breaks: [Int] = []
        /// The statuses of the next error responses, in order.
        var statuses: [Int?] = []
    }

    let server: LocalServer
    private let box: RulesBox

    init(_ body: [UInt8] = FileServer.pattern(200_000), _ change: (inout Rules) -> Void = { _ in }) throws {
        var initial = Rules(body: body)
        change(&initial)
        let box = RulesBox(initial)
        server = try LocalServer { request in box.answer(request) }
        self.box = box
    }

    var url: String { server.url("/file.bin") }
    /// Requests only the file.
    var request: RequestConvertible { RequestConvertible(url: url) }
    var requests: [RecordedRequest] { server.requests }

    func change(_ change: @Sendable (inout Rules) -> Void) { box.rules.withLock { change(&$0) } }

    /// Bytes without two equal blocks of 256.
    static func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 31 ^ ($0 >> 16) &* 7 &+ seed) }
    }
}

private final class RulesBox: Sendable {
    let rules: Mutex<FileServer.Rules>

    init(_ rules: FileServer.Rules) { self.rules = Mutex(rules) }

    func answer(_ request: RecordedRequest) -> LocalServer.Response {
        let (rules, status, limit) = rules.withLock { rules in
            let status = rules.statuses.isEmpty ? nil : rules.statuses.removeFirst()
            let limit = status != nil || rules.breaks.isEmpty ? nil : rules.breaks.removeFirst()
            return (rules, status, limit)
        }
        if let status { return .status(status, "an error's page") }
        let start = rangeStart(of: request, rules)
        if let start, start >= rules.body.count {
            return LocalServer.Response.status(416).header("Content-Range", "bytes */\(rules.body.count)")
        }
        let bytes = Array(rules.body[(start ?? 0)...])
        var head = start == nil ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n"
        if let start {
            let truth = "bytes \(start)-\(rules.body.count - 1)/\(rules.body.count)"
            head += "Content-Range: \(rules.contentRange ?? truth)\r\n"
        }
        if let tag = rules.entityTag { head += "ETag: \(tag)\r\n" }
        if let date = rules.lastModified { head += "Last-Modified: \(date)\r\n" }
        if let date = rules.date { head += "Date: \(date)\r\n" }
        if let encoding = rules.encoding { head += "Content-Encoding: \(encoding)\r\n" }
        head += "Content-Length: \(bytes.count)\r\n\r\n"
        return .raw(Array(head.utf8) + bytes.prefix(limit ?? bytes.count), keepsOpen: limit == nil)
    }

    private func rangeStart(of request: RecordedRequest, _ rules: FileServer.Rules) -> Int? {
        guard rules.hasRanges, let range = request["Range"] else { return nil }
        let isCurrent = [rules.entityTag, rules.lastModified].contains(request["If-Range"])
        guard isCurrent || rules.ignoresIfRange || request["If-Range"] == nil else { return nil }
        return Int(range.dropFirst("bytes=".count).prefix { $0 != "-" })
    }
}
