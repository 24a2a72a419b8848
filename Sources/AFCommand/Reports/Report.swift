internal import AFCore
internal import AFHTTP
internal import AFJSON

/// The output of `--report`: one JSON object, whose members `Documentation/report.md` describes.
struct Report: Sendable {
    /// The version of the format. It is increased if a member is removed or changes its meaning; members may be added
    /// at any time.
    static let version = 1

    let run: RunRecord
    let redaction: Redaction

    var text: String { json.text.legible + "\n" }

    /// Whether a text consists of reports: it starts and ends like one.
    static func isReports(_ text: String) -> Bool {
        guard text.hasSuffix("}\n"), let first = text.split(separator: "\n", maxSplits: 1).first,
            let report = try? JSONText(String(first))
        else { return false }
        return report["version"]?.number != nil && report["creator"]?.string?.hasPrefix("afcli ") == true
    }

    var json: JSONText {
        .object([
            "version": .count(Self.version),
            "creator": .string("afcli \(AFInfo.version)"),
            "name": .text(run.name),
            "started": .moment(run.started),
            "request": run.request.map(request) ?? .null,
            "hops": .array(run.hops.map(hop)),
            "retries": .array(run.retries.map(retry)),
            "totals": totals,
            "file": .text(run.savedPath),
            "error": run.failure.map(error) ?? .null,
            "exit_status": .count(run.status.code),
        ])
    }

    private func request(_ request: RequestPlan) -> JSONText {
        .object([
            "method": .string(request.method.rawValue),
            "url": .string(redaction.url(request.url.text)),
            "headers": .fields(request.headers, redaction),
            "body": body(request),
            "sent": .flag(run.isSent),
        ])
    }

    private func body(_ request: RequestPlan) -> JSONText {
        let kind =
            switch request.body.content {
            case .none: "none"
            case .bytes: "bytes"
            case .file: "file"
            case .multipart: "multipart"
            case .standardInput: "standard-input"
            case .compressed: "compressed"
            }
        let size = request.body == .none ? 0 : (try? request.body.source()?.length()) ?? nil
        return .object([
            "kind": .string(kind),
            "size": size.map { .count($0) } ?? .null,
            "type": .text(request.headers.value(for: "Content-Type")),
        ])
    }

    private func hop(_ hop: HopRecord) -> JSONText {
        let metrics = hop.metrics
        return .object([
            "attempt": .count(hop.attempt),
            "segment": hop.segment.map { .count($0) } ?? .null,
            "method": .string(metrics.method.rawValue),
            "url": .string(redaction.url(metrics.url)),
            "started": .moment(metrics.start),
            "status": metrics.statusCode.map { .count($0) } ?? .null,
            "reason": .text(metrics.response.map { redaction.masked($0.reasonPhrase) }),
            "protocol": .text(metrics.protocolName),
            "request_headers": .fields(hop.requestHeaders, redaction),
            "response_headers": .fields(hop.responseHeaders, redaction),
            "trailers": .fields(metrics.trailers, redaction),
            "earlier": .array(metrics.earlierHeads.map(earlier)),
            "timings": timings(hop),
            "sizes": .object([
                "request_head": .count(hop.requestHeadSize),
                "request_body": .count(metrics.requestBodyBytes),
                "response_head": .count(metrics.responseHeadBytes),
                "response_body": .count(metrics.responseBodyBytes),
                "decoded_body": .count(metrics.decodedBodyBytes),
            ]),
            "connection": .object([
                "reused": .flag(metrics.isReusedConnection),
                "local": Self.endpoint(metrics.localAddress, metrics.localPort),
                "remote": Self.endpoint(metrics.remoteAddress, metrics.remotePort),
            ]),
            "tls": metrics.tlsVersion.map { version in
                .object([
                    "version": .string(version), "cipher": .text(metrics.tlsCipher),
                    "certificates": metrics.certificates.isEmpty
                        ? nil : .array(metrics.certificates.map { certificate($0, at: metrics.start) }),
                ])
            } ?? .null,
        ])
    }

    /// Without timings and sizes, which libcurl does not provide.
    private func earlier(_ head: EarlierHead) -> JSONText {
        let request = RequestHeadRecord(head.requestHead)
        return .object([
            "kind": .string(head.kind.recordName),
            "method": .text(request?.method),
            "request_headers": .fields(request?.headers ?? HTTPHeaders(), redaction),
            "status": .count(head.response.statusCode),
            "reason": .string(redaction.masked(head.response.reasonPhrase)),
            "response_headers": .fields(head.response.headers, redaction),
        ])
    }

    private func timings(_ hop: HopRecord) -> JSONText {
        .object([
            "dns": Self.seconds(hop.metrics.lookup),
            "connect": Self.seconds(hop.metrics.connect),
            "tls": Self.seconds(hop.metrics.tls),
            "waiting": Self.seconds(hop.metrics.waiting),
            "transfer": Self.seconds(hop.metrics.transfer),
            "total": Self.seconds(hop.metrics.responseEnd),
        ])
    }

    private func retry(_ retry: RunRecord.Retry) -> JSONText {
        .object([
            "number": .count(retry.number),
            "delay": Self.seconds(retry.delay),
            "status": retry.status.map { .count($0) } ?? .null,
            "reason": .string(retry.reason),
        ])
    }

    private var totals: JSONText {
        let hops = run.hops
        let last = run.attempts.last?.transactionMetrics.count ?? 0
        return .object([
            "time": Self.seconds(run.elapsed),
            "first_byte": Self.seconds(run.times?.firstByte ?? 0),
            "redirects": .count(max(0, last - 1)),
            "retries": .count(run.retries.count),
            "sent": .count(hops.reduce(0) { $0 + $1.requestHeadSize + $1.metrics.requestBodyBytes }),
            "received": .count(hops.reduce(0) { $0 + $1.metrics.responseHeadBytes + $1.metrics.responseBodyBytes }),
        ])
    }

    private func error(_ failure: RunRecord.Failure) -> JSONText {
        .object([
            "code": .count(failure.status.code),
            "kind": .string(failure.status.kind),
            "message": .string(failure.message),
            "details": failure.details.isEmpty ? nil : .array(failure.details.map { .string($0) }),
        ])
    }

    private static func seconds(_ value: Double) -> JSONText { .decimal(value, places: 6) }

    private static func endpoint(_ address: String?, _ port: Int?) -> JSONText {
        address.map { .object(["address": .string($0), "port": port.map { .count($0) } ?? .null]) } ?? .null
    }
}
