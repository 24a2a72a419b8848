internal import AFCore
internal import AFHTTP
internal import AFJSON

/// The messages before the final response of a hop.
extension HARLog {
    /// Returns the authentication rounds and the final response.
    func entries(_ hop: HopRecord) -> [JSONText] {
        let rounds = hop.metrics.earlierHeads.filter { $0.kind == .intermediate }
        return rounds.map { round($0, of: hop) } + [entry(hop)]
    }

    /// Returns interim headers and a proxy's, for which the format has no field; `nil` if there are none.
    func earlierHeads(of hop: HopRecord) -> JSONText? {
        let heads = hop.metrics.earlierHeads.filter { $0.kind != .intermediate }
        guard !heads.isEmpty else { return nil }
        return .array(
            heads.map { head in
                .object([
                    "kind": .string(head.kind.recordName),
                    "status": .count(head.response.statusCode),
                    "statusText": .string(head.response.reasonPhrase),
                    "headers": .fields(head.response.headers, redaction),
                ])
            }
        )
    }

    private func round(_ head: EarlierHead, of hop: HopRecord) -> JSONText {
        .object([
            "startedDateTime": .moment(hop.metrics.start),
            "time": .count(0),
            "request": request(head, of: hop),
            "response": response(head),
            "cache": .object([]),
            "timings": .object(["send": .count(0), "wait": .count(0), "receive": .count(0)]),
            "serverIPAddress": hop.metrics.remoteAddress.map { .string($0) },
            "connection": hop.metrics.localPort.map { .string("\($0)") },
            "comment": .string("an earlier round trip; its time is part of the next entry"),
        ])
    }

    private func request(_ head: EarlierHead, of hop: HopRecord) -> JSONText {
        let sent = RequestHeadRecord(head.requestHead)
        let headers = sent?.headers ?? HTTPHeaders()
        let url = redaction.url(hop.metrics.url)
        return .object([
            "method": .string(sent?.method ?? hop.metrics.method.rawValue),
            "url": .string(url),
            "httpVersion": .string(sent?.version ?? head.response.httpVersion),
            "cookies": .array(headers.values(for: "Cookie").flatMap(cookies)),
            "headers": .fields(headers, redaction),
            "queryString": .array(Self.pairs(url.halves(around: "?").map { String($0.after) } ?? "")),
            "headersSize": head.requestHead.isEmpty ? .raw("-1") : .count(head.requestHead.count),
            "bodySize": .raw("-1"),
        ])
    }

    private func response(_ head: EarlierHead) -> JSONText {
        let response = head.response
        return .object([
            "status": .count(response.statusCode),
            "statusText": .string(response.reasonPhrase),
            "httpVersion": .string(response.httpVersion),
            "cookies": .array(response.headers.values(for: "Set-Cookie").map(setCookie)),
            "headers": .fields(response.headers, redaction),
            "content": .object([
                "size": .count(0),
                "mimeType": .string(response.value(forHTTPHeaderField: "Content-Type") ?? "x-unknown"),
                "comment": .string("ignored by libcurl"),
            ]),
            "redirectURL": .string(""),
            "headersSize": .count(response.rawHead.count),
            "bodySize": .raw("-1"),
        ])
    }
}
