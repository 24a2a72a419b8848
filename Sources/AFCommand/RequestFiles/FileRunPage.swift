internal import AFExpressions
internal import AFHTTP
internal import AFTransport

/// The results of a run as an HTML page without scripts, external resources and secrets.
struct FileRunPage: Sendable {
    private let results: [FileRunResult]

    init(_ results: [FileRunResult]) { self.results = results }

    var text: String {
        let failed = results.count { !$0.isSuccess }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>Results</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>\(results.count) files, \(failed) failed</h1>
            \(results.map(section).joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static let style = """
        body { font: 14px sans-serif; margin: 2em; } pre { background: #f4f4f4; padding: .6em; overflow: auto; }
        h2::before, .ok::before { content: "✓ "; color: #080; } .failed::before { content: "✗ "; color: #b00; }
        td, th { padding: .1em .8em .1em 0; text-align: left; vertical-align: top; } .bar { background: #ddd; width: 20em; }
        .bar i { display: inline-block; height: .8em; } .connect { background: #e90; } .wait { background: #3a3; }
        .receive { background: #36c; }
        """

    private func section(_ result: FileRunResult) -> String {
        let masked = { (text: String) in result.variables.redacted(text).xmlEscaped }
        let errors = result.failures.map(\.text) + (result.syntaxError.map { [$0] } ?? [])
        return """
            <section>
            <h2 class="\(result.isSuccess ? "ok" : "failed")">\(masked(result.name))</h2>
            <p>\(result.requestCount) requests in \(result.milliseconds) ms</p>
            \(errors.map { "<pre>\(masked($0))</pre>" }.joined(separator: "\n"))
            \(result.records.map { self.entry($0, result.variables) }.joined(separator: "\n"))
            </section>
            """
    }

    private func entry(_ record: FileRunRecord, _ variables: HurlVariables) -> String {
        let masked = { (text: String) in
            variables.redacted(record.secrets.redacted(text, mask: HurlVariables.mask)).xmlEscaped
        }
        let isSuccess = record.checks.allSatisfy { $0.failure == nil }
        let rows = record.hops.map { row($0, masked) }.joined(separator: "\n")
        let checks = record.checks.map { check in
            "<li class=\"\(check.failure == nil ? "ok" : "failed")\">line \(check.line)</li>"
        }
        let captures = record.captures.map { "<li>\(masked($0.name)) = \(masked($0.value.description))</li>" }
        let redaction = Redaction(record.secrets, variables)
        let headers =
            record.hops.last?.response?.headers.map {
                masked("\($0.name): \(redaction.value(of: $0).withMaskOfRun)")
            } ?? []
        return """
            <details\(isSuccess ? "" : " open")>
            <summary class="\(isSuccess ? "ok" : "failed")">Entry \(record.index), line \(record.line)</summary>
            <table>
            <tr><th>Request</th><th>Status</th><th>Time</th><th>Connection, wait, transfer</th></tr>
            \(rows)
            </table>
            <pre>\(masked(record.command))</pre>
            <pre>\(headers.joined(separator: "\n"))</pre>
            \(isSuccess ? "" : "<pre>\(masked(bodyStart(of: record, redaction)))</pre>")
            <ul>\((captures + checks).joined())</ul>
            </details>
            """
    }

    /// Returns the start of a body; empty if it is not text.
    private func bodyStart(of record: FileRunRecord, _ redaction: Redaction) -> String {
        let start = Array(record.body.prefix(BodyPrefix.evidenceLimit))
        let type = record.hops.last?.response?.contentType
        return redaction.response(start, type: type)?.withMaskOfRun ?? ""
    }

    private func row(_ hop: TransactionMetrics, _ masked: (String) -> String) -> String {
        let total = max(hop.responseEnd, 0.000_001)
        let share = { (seconds: Double) in
            HumanUnits.decimal(min(max(seconds / total, 0), 1) * 100, places: 1)
        }
        let connected = max(hop.requestStart, 0)
        let started = max(hop.responseStart, connected)
        let parts = [("connect", connected), ("wait", started - connected), ("receive", total - started)]
        let bars = parts.map { "<i class=\"\($0.0)\" style=\"width: \(share($0.1))%\"></i>" }.joined()
        let time = HumanUnits.decimal(total * 1000, places: 1)
        return """
            <tr><td>\(masked("\(hop.method.rawValue) \(hop.url)"))</td><td>\(hop.statusCode.map { "\($0)" } ?? "none")</td>\
            <td>\(time) ms</td><td class="bar">\(bars)</td></tr>
            """
    }
}
