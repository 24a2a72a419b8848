import TestSupport

/// A response, ready to be sent.
struct OriginResponse: Sendable {
    typealias Field = RecordedRequest.Field

    var status: String
    var fields: [Field]
    var body: ArraySlice<UInt8> = []
    /// Whether the body's indices are offsets in the version.
    var isOfVersion = true
    var framing = PlannedResponse.Framing.length

    init(_ planned: PlannedResponse, to request: RecordedRequest) {
        let version = planned.version
        status = "200 OK"
        fields = version.fields + [Field("Accept-Ranges", "bytes")]
        body = version.bytes[...]
        framing = planned.framing
        if let location = planned.location {
            (status, body, fields) = ("302 Found", [], [Field("Location", location)])
        } else if let bodiless = planned.bodilessStatus {
            (status, body, fields) = (bodiless, [], [])
        } else if version.isNotModified(for: request) {
            (status, body) = ("304 Not Modified", [])
        } else if let range = request["Range"].flatMap({ Self.range($0) }), request.method == "GET" {
            answer(range, condition: request["If-Range"], planned)
        }
    }

    var head: String {
        var all = fields
        switch framing {
        case .length:
            let hasLength = !status.hasPrefix("204") && !status.hasPrefix("304")
            if hasLength { all.append(Field("Content-Length", "\(body.count)")) }
        case .chunked: all.append(Field("Transfer-Encoding", "chunked"))
        case .untilClose: all.append(Field("Connection", "close"))
        }
        return (["HTTP/1.1 \(status)"] + all.map(\.description) + ["", ""]).joined(separator: "\r\n")
    }

    /// Parses `bytes=FIRST-` and `bytes=FIRST-LAST`; returns `nil` for other forms.
    private static func range(_ text: String) -> (first: Int, last: Int)? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]) else { return nil }
        return (first, Int(ends[1]) ?? .max)
    }

    private mutating func answer(_ range: (first: Int, last: Int), condition: String?, _ planned: PlannedResponse) {
        let version = planned.version
        if case .refused(let total) = planned.ranges { return refuse(total: total) }
        if case .ignored = planned.ranges { return }
        let isUnconditional = if case .unconditional = planned.ranges { true } else { false }
        if let condition, !isUnconditional, !version.matches(ifRange: condition) { return }
        guard range.first < version.count else { return refuse(total: version.count) }
        give(range.first..<min(range.last, version.count - 1) + 1, planned)
    }

    private mutating func refuse(total: Int?) {
        status = "416 Range Not Satisfiable"
        body = Array("no such range\n".utf8)[...]
        isOfVersion = false
        if let total { fields.append(Field("Content-Range", "bytes */\(total)")) }
    }

    private mutating func give(_ range: Range<Int>, _ planned: PlannedResponse) {
        let version = planned.version
        var range = range
        var total = version.count
        status = "206 Partial Content"
        switch planned.ranges {
        case .displaced(let distance):
            range = max(0, min(range.lowerBound + distance, range.upperBound - 1))..<range.upperBound
        case .otherTotal(let difference): total += difference
        case .shorterRange(let count): range = range.prefix(count)
        default: break
        }
        let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
        body = version.bytes[range]
        switch planned.ranges {
        case .shorterBody(let count): body = body.dropLast(count)
        case .longerBody(let count): add([UInt8](repeating: 0x58, count: count))
        case .withoutContentRange: return
        case .withoutValidators: fields.removeAll { field in version.fields.contains { $0.name == field.name } }
        case .disguised(let hasRange):
            status = "200 OK"
            if !hasRange { return }
        case .multipart: return wrap(text)
        case .encoded: fields.append(Field("Content-Encoding", "gzip"))
        default: break
        }
        fields.append(Field("Content-Range", text))
    }

    private mutating func add(_ bytes: [UInt8]) {
        body = (Array(body) + bytes)[...]
        isOfVersion = false
    }

    /// Wraps the range as the only part of a multipart body (RFC 9110 §14.6).
    private mutating func wrap(_ range: String) {
        fields.append(Field("Content-Type", "multipart/byteranges; boundary=limit"))
        let head = "--limit\r\nContent-Type: application/octet-stream\r\nContent-Range: \(range)\r\n\r\n"
        body = (Array(head.utf8) + body + Array("\r\n--limit--\r\n".utf8))[...]
        isOfVersion = false
    }
}
