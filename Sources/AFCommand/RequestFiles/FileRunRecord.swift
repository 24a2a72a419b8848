internal import AFExpressions
internal import AFHTTP
internal import AFHurl
internal import AFJSON
internal import AFTransport
internal import FoundationEssentials

/// An attempt of an entry, for reports.
struct FileRunRecord: Sendable {
    /// A check of the response.
    struct Check: Sendable {
        let line: Int
        /// The error with lines of the file; `nil` if the response passed.
        let failure: String?
    }

    private var headers: [HurlRequestValues.Field] { request?.headers ?? [] }
    private var cookies: [HurlRequestValues.Field] { request?.cookies ?? [] }
    /// The position of the entry, from 1.
    let index: Int
    let line: Int
    /// The command of curl that sends the same request; empty if the request is not known.
    var command = ""
    /// The request as written.
    var request: HurlRequestValues?
    /// The lines of the cookie store before the request.
    var storedCookies: [String] = []
    /// The requests, with those of redirects.
    var hops: [TransactionMetrics] = []
    /// The secrets of the request, which the response may repeat.
    var secrets = KnownSecrets()
    var body: [UInt8] = []
    var captures: [(name: String, value: HurlValue)] = []
    var checks: [Check] = []
    var milliseconds: Int64 = 0

    init(index: Int, line: Int) { (self.index, self.line) = (index, line) }

    /// Adds the request.
    mutating func add(
        _ values: HurlRequestValues, _ hops: [TransactionMetrics], _ secrets: KnownSecrets, command: String
    ) {
        (request, self.hops, self.secrets, self.command) = (values, hops, secrets, command)
    }

    /// Returns the record as JSON.
    ///
    /// - Parameters:
    ///   - variables: Their secrets are masked.
    ///   - bodyPath: The path of the body in a report; `nil` for none.
    func json(_ variables: HurlVariables, bodyPath: String?) -> JSONText {
        let string = { (text: String) in JSONText.string(variables.redacted(text)) }
        return .object([
            "index": .raw("\(index)"), "line": .raw("\(line)"), "time": .raw("\(milliseconds)"),
            "calls": .array(
                hops.indices.map { index -> JSONText in
                    call(index, string, bodyPath: index == hops.count - 1 ? bodyPath : nil)
                }),
            "captures": .array(
                captures.map { capture -> JSONText in
                    let value = capture.value.jsonText.map { value -> JSONText in
                        value.string.map(string) ?? .raw(variables.redacted(value.compactText))
                    }
                    return .object(["name": string(capture.name), "value": value ?? string(capture.value.text)])
                }),
            "asserts": .array(
                checks.map { check -> JSONText in
                    .object([
                        "line": .raw("\(check.line)"), "success": .flag(check.failure == nil),
                        "message": check.failure.map(string),
                    ])
                }),
            "curl_cmd": string(command),
        ])
    }

    private func call(_ index: Int, _ string: @escaping (String) -> JSONText, bodyPath: String?) -> JSONText {
        let hop = hops[index]
        let query = hop.url.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let parameters = HARLog.decodedPairs(query).map { pair -> JSONText in
            .object(["name": string(pair.name), "value": string(pair.value)])
        }
        let field = { (field: HurlRequestValues.Field) -> JSONText in
            JSONText.object(["name": string(field.name), "value": string(field.value)])
        }
        return .object([
            "request": .object([
                "method": string(hop.method.rawValue), "url": string(hop.url), "headers": .array(headers.map(field)),
                "cookies": .array(cookies.map(field)), "query_string": .array(parameters),
            ]),
            "response": hop.response.map { response -> JSONText in
                .object([
                    "http_version": string(response.httpVersion), "status": .raw("\(response.statusCode)"),
                    "headers": .array(
                        response.headers.map { field(HurlRequestValues.Field($0.name, $0.value)) }),
                    "cookies": .array(
                        response.headers.values(for: "Set-Cookie").map { Self.cookie($0, string) }),
                    "body": bodyPath.map(JSONText.string),
                ])
            },
            "timings": Self.timings(hop),
        ])
    }

    private static func cookie(_ field: String, _ string: (String) -> JSONText) -> JSONText {
        let parts = field.split(separator: ";").map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
        }
        var members: [JSONText.Member] = []
        for (index, part) in parts.enumerated() {
            let value = part.count > 1 ? part[1] : ""
            if index == 0 {
                members += [.init("name", string(part[0])), .init("value", string(value))]
            } else {
                let isFlag = part.count == 1
                let name = part[0].lowercased().split(separator: "-").joined(separator: "_")
                members.append(.init(name, isFlag ? .flag(true) : string(value)))
            }
        }
        return .object(members)
    }

    /// Returns the times of a request in microseconds.
    private static func timings(_ hop: TransactionMetrics) -> JSONText {
        let time = { (seconds: Double) in JSONText.raw("\(Int64(max(seconds, 0) * 1_000_000))") }
        return .object([
            "begin_call": .string(HurlDate(hop.start).rfc3339),
            "end_call": .string(HurlDate(hop.start.addingTimeInterval(hop.responseEnd)).rfc3339),
            "name_lookup": time(hop.nameLookupEnd), "connect": time(hop.connectEnd),
            "app_connect": time(hop.tlsVersion == nil ? 0 : hop.secureConnectEnd),
            "pre_transfer": time(hop.requestStart),
            "start_transfer": time(hop.responseStart), "total": time(hop.responseEnd),
        ])
    }
}

extension FileRunResult {
    /// Returns the result as JSON.
    ///
    /// - Parameter bodyPath: Returns the path of the body of a record.
    func json(bodyPath: (Int) -> String? = { _ in nil }) -> JSONText {
        .object([
            "filename": .string(name), "success": .flag(isSuccess), "time": .raw("\(milliseconds)"),
            "cookies": .array((cookies ?? []).compactMap { cookie($0[...]) }),
            "entries": .array(records.indices.map { records[$0].json(variables, bodyPath: bodyPath($0)) }),
        ])
    }

    /// Returns a line of a cookie file as JSON; `nil` for a comment.
    private func cookie(_ line: Substring) -> JSONText? {
        let isHTTPOnly = line.hasPrefix("#HttpOnly_")
        guard isHTTPOnly || !line.hasPrefix("#") else { return nil }
        let fields = line.dropFirst(isHTTPOnly ? 10 : 0).split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        let names = ["domain", "include_subdomain", "path", "https", "expires", "name", "value"]
        return .object(
            zip(names, fields).map { .init($0, .string(variables.redacted(String($1)))) }
        )
    }
}
