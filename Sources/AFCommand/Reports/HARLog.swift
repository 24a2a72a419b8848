internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials

/// The output of `--har`: HTTP Archive 1.2, an entry for each hop and each authentication round before it.
///
/// Response bodies are omitted: they may have any size and contain unrecognizable secrets.
struct HARLog: Sendable {
    let run: RunRecord
    let redaction: Redaction

    var text: String { json.text.legible + "\n" }

    var json: JSONText {
        .object([
            "log": .object([
                "version": .string("1.2"),
                "creator": .object(["name": .string("afcli"), "version": .string(AFInfo.version)]),
                "entries": .array(run.hops.flatMap(entries)),
                "comment": run.failure.map { .string($0.message) },
            ])
        ])
    }

    func entry(_ hop: HopRecord) -> JSONText {
        let metrics = hop.metrics
        return .object([
            "startedDateTime": .moment(metrics.start),
            "time": Self.milliseconds(metrics.responseEnd),
            "request": request(hop),
            "response": response(hop),
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
        ])
    }

    private func request(_ hop: HopRecord) -> JSONText {
        let metrics = hop.metrics
        let url = redaction.url(metrics.url)
        let query = url.halves(around: "?").map { String($0.after) } ?? ""
        return .object([
            "method": .string(metrics.method.rawValue),
            "url": .string(url),
            "httpVersion": .string(hop.requestVersion ?? metrics.protocolName ?? "unknown"),
            "cookies": .array(hop.requestHeaders.values(for: "Cookie").flatMap(cookies)),
            "headers": .fields(hop.requestHeaders, redaction),
            "queryString": .array(Self.pairs(query)),
            "postData": metrics.requestBodyBytes > 0 ? run.request.map { postedData($0) } : nil,
            "headersSize": Self.size(hop.requestHeadSize),
            "bodySize": .count(metrics.requestBodyBytes),
        ])
    }

    private func response(_ hop: HopRecord) -> JSONText {
        let metrics = hop.metrics
        let head = metrics.response
        let saved = metrics.decodedBodyBytes - metrics.responseBodyBytes
        let target = hop.responseHeaders.value(for: "Location")
        return .object([
            // 0 if there was no response, as browsers write it.
            "status": .count(metrics.statusCode ?? 0),
            "statusText": .string(head?.reasonPhrase ?? ""),
            "httpVersion": .string(head?.httpVersion ?? "unknown"),
            "cookies": .array(hop.responseHeaders.values(for: "Set-Cookie").map(setCookie)),
            "headers": .fields(hop.responseHeaders, redaction),
            "content": .object([
                "size": .count(metrics.decodedBodyBytes),
                "compression": saved > 0 ? .count(saved) : nil,
                "mimeType": .string(hop.contentType ?? "x-unknown"),
            ]),
            "redirectURL": .string(target.map(redaction.url) ?? ""),
            "headersSize": head.map { Self.size(Int64($0.rawHead.count)) } ?? .raw("-1"),
            "bodySize": .count(metrics.responseBodyBytes),
        ])
    }

    func cookies(_ line: String) -> [JSONText] {
        redaction.cookies(line).split(separator: ";").map { pair in
            let (name, value) = pair.drop { $0 == " " }.halves(around: "=") ?? (pair.drop { $0 == " " }, "")
            return .object(["name": .string(String(name)), "value": .string(String(value))])
        }
    }

    func setCookie(_ line: String) -> JSONText {
        let shown = redaction.value(of: HTTPHeader(name: "Set-Cookie", value: line))
        let fields = shown.split(separator: ";", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        let (name, value) = fields[0].halves(around: "=") ?? (fields[0], "")
        func attribute(_ attributeName: String) -> String? {
            fields.dropFirst().lazy.compactMap { $0.halves(around: "=") }
                .first { $0.before.lowercased() == attributeName }.map { String($0.after) }
        }
        func isSet(_ attributeName: String) -> JSONText? {
            .flag(fields.dropFirst().contains { $0.lowercased() == attributeName })
        }
        let expiry = attribute("expires").flatMap { HTTPDate(parsing: $0) }?.date
        return .object([
            "name": .string(String(name)),
            "value": .string(String(value)),
            "path": attribute("path").map { .string($0) },
            "domain": attribute("domain").map { .string($0) },
            "expires": expiry.map { .moment($0) },
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
        case .file(let path, _): comment = "the file \(path)"
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

    /// Returns the decoded items of a query or a form.
    static func pairs(_ query: String) -> [JSONText] {
        query.split(separator: "&").map { item in
            let (name, value) = item.halves(around: "=") ?? (item, "")
            return .object(["name": .string(decoded(name)), "value": .string(decoded(value))])
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
