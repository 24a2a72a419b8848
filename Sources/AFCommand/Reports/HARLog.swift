internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// The output of `--har`: HTTP Archive 1.2, an entry for each hop and each authentication round before it.
///
/// Response bodies are omitted by default: they may have any size and contain unrecognizable secrets.
struct HARLog: Sendable {
    let runs: [RunRecord]
    let redaction: Redaction

    var text: String { json.text.legible + "\n" }

    var json: JSONText {
        .object([
            "log": .object([
                "version": .string("1.2"),
                "creator": .object(["name": .string("afcli"), "version": .string(AFInfo.version)]),
                "entries": .array(runs.flatMap(entries)),
                "comment": runs.lazy.compactMap(\.failure).first.map { .string($0.message) },
            ])
        ])
    }

    private func entries(_ run: RunRecord) -> [JSONText] {
        let hops = run.hops
        let log = HARLog(runs: [run], redaction: redaction.knowing(run))
        // Only the body of the final response is recorded.
        return hops.enumerated().flatMap { log.entries($1, of: run, body: $0 == hops.count - 1 ? run.body : nil) }
    }

    func entry(_ hop: HopRecord, of run: RunRecord, body: RunRecord.Body?) -> JSONText {
        let metrics = hop.metrics
        return .object([
            "startedDateTime": .moment(metrics.start),
            "time": Self.milliseconds(metrics.responseEnd),
            "request": request(hop, of: run),
            "response": response(hop, body),
            "cache": .object([]),
            "timings": .object([
                "blocked": metrics.isReusedConnection ? Self.milliseconds(metrics.secureConnectEnd) : .raw("-1"),
                "dns": Self.phase(hop.metrics.lookup, of: hop),
                "connect": Self.phase(hop.metrics.connect + hop.metrics.tls, of: hop),
                "send": .count(0),
                "wait": Self.milliseconds(hop.metrics.waiting),
                "receive": Self.milliseconds(hop.metrics.transfer),
                "ssl": metrics.tlsVersion == nil ? .raw("-1") : Self.phase(hop.metrics.tls, of: hop),
            ]),
            "serverIPAddress": metrics.remoteAddress.map { .string($0) },
            "connection": metrics.localPort.map { .string("\($0)") },
            "_earlier": earlierHeads(of: hop),
            "comment": run.name.map { .string($0) },
        ])
    }

    private func request(_ hop: HopRecord, of run: RunRecord) -> JSONText {
        let metrics = hop.metrics
        return request(
            metrics.method.rawValue, metrics.url, hop.requestVersion ?? metrics.protocolName, hop.requestHeaders,
            body: metrics.requestBodyBytes > 0 ? run.request.map { postedData($0) } : nil,
            headSize: hop.requestHeadSize, bodySize: .count(metrics.requestBodyBytes))
    }

    /// Returns the request of an entry.
    func request(
        _ method: String, _ url: String, _ version: String?, _ headers: HTTPHeaders, body: JSONText?, headSize: Int64,
        bodySize: JSONText
    ) -> JSONText {
        let url = redaction.url(url)
        return .object([
            "method": .string(method),
            "url": .string(url),
            "httpVersion": .string(version ?? "unknown"),
            "cookies": .array(headers.values(for: "Cookie").flatMap(cookies)),
            "headers": .fields(headers, redaction),
            "queryString": .array(Self.pairs(url.halves(around: "?").map { String($0.after) } ?? "")),
            "postData": body,
            "headersSize": Self.size(headSize),
            "bodySize": bodySize,
        ])
    }

    private func response(_ hop: HopRecord, _ body: RunRecord.Body?) -> JSONText {
        let metrics = hop.metrics
        let saved = metrics.decodedBodyBytes - metrics.responseBodyBytes
        let target = hop.responseHeaders.value(for: "Location")
        let recorded = body.map(content)
        let content: JSONText = .object([
            "size": .count(metrics.decodedBodyBytes),
            "compression": saved > 0 ? .count(saved) : nil,
            "mimeType": .string(hop.contentType ?? "x-unknown"),
            "text": recorded?.text.map { .string($0) },
            "encoding": recorded?.encoding.map { .string($0) },
            "comment": recorded?.comment.map { .string($0) },
        ])
        return response(
            metrics.response, content, target: target.map(redaction.url) ?? "",
            bodySize: .count(metrics.responseBodyBytes))
    }

    /// Returns the response of an entry; 0 is the status without one, as browsers write it.
    func response(_ head: HTTPURLResponse?, _ content: JSONText, target: String, bodySize: JSONText) -> JSONText {
        let headers = head?.headers ?? HTTPHeaders()
        return .object([
            "status": .count(head?.statusCode ?? 0),
            "statusText": .string(redaction.masked(head?.reasonPhrase ?? "")),
            "httpVersion": .string(head?.httpVersion ?? "unknown"),
            "cookies": .array(headers.values(for: "Set-Cookie").map(setCookie)),
            "headers": .fields(headers, redaction),
            "content": content,
            "redirectURL": .string(target),
            "headersSize": Self.size(Int64(head?.rawHead.count ?? 0)),
            "bodySize": bodySize,
        ])
    }

    /// Returns the members about a recorded body.
    private func content(_ body: RunRecord.Body) -> (text: String?, encoding: String?, comment: String?) {
        let comment = body.isComplete ? nil : "the first \(body.bytes.count) bytes"
        let decoded = BodyDecoder.decode(
            body.bytes, of: BodyKind(body.type), charset: body.charset ?? body.type?.charset,
            isComplete: body.isComplete)
        // With secrets, no byte must be lost.
        let text =
            redaction.revealsSecrets
            ? redaction.text(body.isComplete ? decoded : decoded.withoutCutCharacter, type: body.type)
            : redaction.response(decoded, type: body.type, isComplete: body.isComplete)
        if let text { return (text, nil, comment) }
        // Secrets in binary data cannot be recognized.
        guard redaction.revealsSecrets else { return (nil, nil, "\(body.bytes.count) bytes of binary data") }
        return (Data(body.bytes).base64EncodedString(), "base64", comment)
    }

    func cookies(_ line: String) -> [JSONText] {
        redaction.cookies(line).split(separator: ";").map { pair in
            let (name, value) = pair.drop { $0 == " " }.halves(around: "=") ?? (pair.drop { $0 == " " }, "")
            return .object(["name": .string(String(name)), "value": .string(String(value))])
        }
    }

    func setCookie(_ line: String) -> JSONText {
        let shown = redaction.value(of: HTTPHeader(name: "Set-Cookie", value: line))
        let fields = shown.split(separator: ";", omittingEmptySubsequences: false).map { field in
            let (name, value) = field.halves(around: "=") ?? (field, "")
            return (name: name.trimmingBlanks, value: value.trimmingBlanks)
        }
        let (name, value) = fields[0]
        // As for browsers, the last one counts.
        func attribute(_ attributeName: String) -> String? {
            fields.dropFirst().last { $0.name.lowercased() == attributeName }.map { String($0.value) }
        }
        func isSet(_ attributeName: String) -> JSONText? { .flag(attribute(attributeName) != nil) }
        // `Max-Age` takes precedence over it.
        let expiry = attribute("max-age") == nil ? attribute("expires") : nil
        return .object([
            "name": .string(String(name)),
            "value": .string(String(value)),
            "path": attribute("path").map { .string($0) },
            "domain": attribute("domain").map { .string($0) },
            "expires": expiry.flatMap { HTTPDate(ofCookie: $0.utf8)?.date }.map { .moment($0) },
            "httpOnly": isSet("httponly"),
            "secure": isSet("secure"),
        ])
    }
}

extension HARLog {
    /// Returns the sent data, if it is in memory; of files only the sizes are known.
    private func postedData(_ request: RequestPlan) -> JSONText {
        let type = request.headers.value(for: "Content-Type") ?? ""
        var text = ""
        var parameters: [JSONText] = []
        var comment: String?
        switch request.body {
        case .none: break
        // Data compressed in memory is reported before compression.
        case .bytes(let bytes), .compressed(.bytes(let bytes), _):
            let mediaType = MediaType(parsing: type)
            let shown = redaction.text(bytes, type: mediaType)
            if BodyKind(mediaType) == .form, let shown {
                parameters = Self.pairs(shown)
            } else {
                text = shown ?? ""
                comment = shown == nil ? "\(bytes.count) bytes of binary data" : nil
            }
        case .file(let path, _, let range):
            comment = range.map { "the bytes \($0.lowerBound) to \($0.upperBound - 1) of " } ?? ""
            comment? += "the file \(path)"
        case .standardInput: comment = "standard input"
        case .compressed: comment = "a body that is compressed while it is sent"
        case .multipart(let parts, _, _): parameters = parts.map(parameter)
        }
        return .object([
            "mimeType": .string(type),
            "params": .array(parameters),
            "text": .string(text),
            "comment": comment.map { .string($0) },
        ])
    }

    private func parameter(_ part: PartPlan) -> JSONText {
        var value: String?
        if case .bytes(let bytes) = part.content {
            value = redaction.field(part.name, bytes, type: part.mediaType)
        }
        return .object([
            "name": .string(part.name),
            "value": value.map { .string($0) },
            "fileName": part.fileName.map { .string($0) },
            "contentType": part.contentType.map { .string($0) },
        ])
    }

    private static func pairs(_ query: String) -> [JSONText] {
        decodedPairs(query[...]).map { .object(["name": .string($0.name), "value": .string($0.value)]) }
    }

    /// Returns the decoded items of a query or a form.
    static func decodedPairs(_ query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { item in
            let (name, value) = item.halves(around: "=") ?? (item, "")
            return (decoded(name), decoded(value))
        }
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return spaced.percentDecoded ?? spaced
    }

    private static func milliseconds(_ seconds: Double) -> JSONText { .decimal(seconds * 1000, places: 3) }

    /// Returns -1 for a phase that a reused connection skips.
    private static func phase(_ seconds: Double, of hop: HopRecord) -> JSONText {
        hop.metrics.isReusedConnection ? .raw("-1") : milliseconds(seconds)
    }

    /// Returns -1 for an unknown size.
    private static func size(_ bytes: Int64) -> JSONText { bytes > 0 ? .count(bytes) : .raw("-1") }
}
