internal import Glibc
internal import Synchronization

/// A server of one file and its ranges, whose responses the test can change.
///
/// ```swift
/// let server = try RangeServer(bytes) { request, answer in
///     if request["Range"] == "bytes=100-199" { answer.breaksAfter = 50 }
/// }
/// ```
public final class RangeServer: Sendable {
    /// A planned response to a request.
    public struct PlannedResponse: Sendable {
        public var body: [UInt8]
        public var entityTag: String? = "\"v1\""
        public var lastModified: String?
        /// Additional header fields.
        public var fields: [RecordedRequest.Field] = []
        /// The value of `Accept-Ranges`; `nil` omits it.
        public var acceptRanges: String? = "bytes"
        /// The range to send; `nil` for the complete file.
        public var range: ClosedRange<Int>?
        /// A wrong `Content-Range` of a 206.
        public var contentRange: String?
        /// The status of an error page; `nil` for the file.
        public var status: Int?
        /// The number of body bytes after which the connection ends.
        public var breaksAfter: Int?
        /// The number of body bytes after which the response waits for the gate.
        public var waitsAfter: (count: Int, gate: Gate)?
        /// The pause after each 64 KiB; `nil` for none.
        public var pause: Duration?
        /// Whether the response has `Content-Length`.
        public var sendsLength = true
    }

    public let local: LocalServer
    private let sentBytes: Counter

    private final class Counter: Sendable { let value = Atomic(0) }

    /// Starts a server.
    ///
    /// - Parameter rule: Changes a response; called on the connection's thread.
    public init(
        _ body: [UInt8],
        _ rule: @escaping @Sendable (RecordedRequest, inout PlannedResponse) -> Void = { _, _ in }
    ) throws {
        let counter = Counter()
        sentBytes = counter
        local = try LocalServer.scripted { connection in
            while let request = try connection.readRequest() {
                var answer = PlannedResponse(body: body)
                let validator = request["If-Range"]
                let isCurrent = validator == nil || validator == answer.entityTag
                if isCurrent { answer.range = Self.range(of: request, body.count) }
                rule(request, &answer)
                guard try answer.send(over: connection, { counter.value.add($0, ordering: .relaxed) }) else { return }
            }
        }
    }

    public var url: String { local.url("/file.bin") }
    public var requests: [RecordedRequest] { local.requests }

    /// The requested ranges, in order.
    public var ranges: [String?] { requests.map { $0["Range"] } }

    /// The number of body bytes sent so far.
    public var sentCount: Int { sentBytes.value.load(ordering: .relaxed) }

    /// Returns bytes without two equal blocks of 256.
    public static func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8) &* 31 ^ ($0 >> 16) &* 7 &+ seed) }
    }

    /// Parses `bytes=1-2` or `bytes=1-`; returns `nil` for other forms and unsatisfiable ranges.
    public static func range(of request: RecordedRequest, _ length: Int) -> ClosedRange<Int>? {
        guard let text = request["Range"], text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first < length else { return nil }
        return first...min(Int(ends[1]) ?? length - 1, length - 1)
    }
}

extension RangeServer.PlannedResponse {
    /// Sends the response.
    ///
    /// - Returns: Whether the connection stays open.
    fileprivate func send(over connection: LocalServer.Connection, _ count: (Int) -> Void) throws -> Bool {
        let page = hasNoBody ? [] : Array("an error's page".utf8)
        let content = status == nil ? Array(range.map { body[$0] } ?? body[...]) : page
        try connection.send(head(content.count))
        let end = min(breaksAfter ?? content.count, content.count)
        var start = 0
        if let hold = waitsAfter, status == nil {
            start = min(hold.count, end)
            try connection.send(Array(content[..<start]))
            count(start)
            try connection.wait(for: hold.gate)
        }
        // In chunks, so that only sent bytes are counted.
        while start < end {
            let next = min(start + 64 << 10, end)
            try connection.send(Array(content[start..<next]))
            count(next - start)
            start = next
            if let pause { usleep(UInt32(pause / .microseconds(1))) }
        }
        return end == content.count && sendsLength
    }

    /// Whether the status allows no body, which would be read as the next response (RFC 9110 §6.4.1).
    private var hasNoBody: Bool { status == 204 || status == 304 }

    private func head(_ length: Int) -> String {
        var lines = ["HTTP/1.1 \(status ?? (range == nil ? 200 : 206)) Whatever"]
        if status == nil {
            if let range {
                let truth = "bytes \(range.lowerBound)-\(range.upperBound)/\(body.count)"
                lines.append("Content-Range: \(contentRange ?? truth)")
            }
            if let entityTag { lines.append("ETag: \(entityTag)") }
            if let lastModified { lines.append("Last-Modified: \(lastModified)") }
            if let acceptRanges { lines.append("Accept-Ranges: \(acceptRanges)") }
        }
        lines += fields.map(\.description)
        if !hasNoBody { lines.append(sendsLength ? "Content-Length: \(length)" : "Connection: close") }
        return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
