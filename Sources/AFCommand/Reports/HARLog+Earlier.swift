internal import AFCore
internal import AFHTTP
internal import AFJSON

/// The messages before the final response of a hop.
extension HARLog {
    /// Returns the authentication rounds and the final response.
    func entries(_ hop: HopRecord, of run: RunRecord, body: RunRecord.Body?) -> [JSONText] {
        let rounds = hop.metrics.earlierHeads.filter { $0.kind == .intermediate }
        return rounds.map { round($0, of: hop) } + [entry(hop, of: run, body: body)]
    }

    /// Returns interim headers and a proxy's, for which the format has no field; `nil` if the hop has no such headers.
    func earlierHeads(of hop: HopRecord) -> JSONText? {
        let heads = hop.metrics.earlierHeads.filter { $0.kind != .intermediate }
        guard !heads.isEmpty else { return nil }
        return .array(
            heads.map { head in
                .object([
                    "kind": .string(head.kind.recordName),
                    "status": .count(head.response.statusCode),
                    "statusText": .string(redaction.masked(head.response.reasonPhrase)),
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
        return request(
            sent?.method ?? hop.metrics.method.rawValue, hop.metrics.url, sent?.version ?? head.response.httpVersion,
            sent?.headers ?? HTTPHeaders(), body: nil, headSize: Int64(head.requestHead.count), bodySize: .raw("-1"))
    }

    private func response(_ head: EarlierHead) -> JSONText {
        let content: JSONText = .object([
            "size": .count(0),
            "mimeType": .string(head.response.value(forHTTPHeaderField: "Content-Type") ?? "x-unknown"),
            "comment": .string("ignored by libcurl"),
        ])
        return response(head.response, content, target: "", bodySize: .raw("-1"))
    }
}
