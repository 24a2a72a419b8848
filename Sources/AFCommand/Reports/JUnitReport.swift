internal import AFHTTP
internal import FoundationEssentials

/// The output of `--report junit:FILE`: JUnit XML with a test case for the request and one for each expectation, or one
/// for each URL of a list.
struct JUnitReport: Sendable {
    let runs: [RunRecord]
    /// The runs of several requests; `nil` for a single one.
    var list: RunList?
    let redaction: Redaction

    var text: String { JUnitDocument(name: name, counts: counts, suites: [suite]).text }

    var counts: JUnitCounts {
        let kinds = cases.map(\.kind)
        return JUnitCounts(
            tests: kinds.count,
            failures: kinds.count { $0 == .failure },
            errors: kinds.count { $0 == .error },
            skipped: kinds.count { $0 == .skipped },
            time: runs.reduce(0) { $0 + $1.elapsed }
        )
    }

    /// The test suite, in lines.
    var suite: String {
        let started = Date.ISO8601FormatStyle().format(runs.first?.started ?? .now)
        return """
              <testsuite\(counts.attributes(name: name))\(attributes([("timestamp", started)]))>
            \((cases.map(\.text) + output).joined(separator: "\n"))
              </testsuite>
            """.legible
    }

    private var cases: [Case] {
        list != nil
            ? runs.map(requestCase)
            : runs.flatMap { run in [requestCase(run)] + run.expectations.map { testCase($0, run) } }
    }

    /// The response that explains the failure of a single request.
    private var output: [String] {
        guard list == nil, let evidence = runs.first?.evidence, !evidence.isEmpty else { return [] }
        return ["    <system-out>\(evidence.joined(separator: "\n").xmlEscaped)</system-out>"]
    }

    private struct Case {
        enum Kind { case success, failure, error, skipped }

        let kind: Kind
        let text: String
    }

    private var name: String {
        let first = runs.first
        return first?.name ?? list?.name ?? first.map(title) ?? "afcli"
    }

    /// Returns the method and the URL of a request.
    private func title(_ run: RunRecord) -> String {
        let redaction = redaction.knowing(run)
        if let request = run.request { return "\(request.method.rawValue) \(redaction.url(request.url.text))" }
        return run.typedTarget.map { "\($0.method) \(redaction.url($0.url))" } ?? "afcli"
    }

    /// Returns the request itself: an error without a response, a failure for a status that is not a success.
    private func requestCase(_ run: RunRecord) -> Case {
        let (name, time) = (title(run), JUnitCounts.seconds(run.elapsed))
        let hasUnmet = list == nil && run.expectations.contains { if case .unmet = $0.outcome { true } else { false } }
        let own = run.failure.flatMap { $0.status == .expectation && hasUnmet ? nil : $0 }
        guard let failure = own ?? run.statusFailure else {
            return testCase(.success, name, time: time, element: nil)
        }
        let isResponse = [.redirected, .clientError, .serverError, .expectation].contains(failure.status)
        let (kind, element) = isResponse ? (Case.Kind.failure, "failure") : (.error, "error")
        return testCase(
            kind, name, time: time,
            element: (element, failure.status.kind, failure.message, failure.details + run.evidence)
        )
    }

    private func testCase(_ result: ExpectationResult, _ run: RunRecord) -> Case {
        switch result.outcome {
        case .met: testCase(.success, result.name, element: nil)
        case .skipped: testCase(.skipped, result.name, element: ("skipped", nil, "not evaluated", []))
        case .unmet(let reason):
            testCase(.failure, result.name, element: ("failure", "expectation", reason, run.evidence))
        }
    }

    private func testCase(
        _ kind: Case.Kind,
        _ title: String,
        time: String = "0",
        element: (name: String, type: String?, message: String, details: [String])?
    ) -> Case {
        let start = "    <testcase" + attributes([("classname", name), ("name", title), ("time", time)])
        guard let element else { return Case(kind: kind, text: start + "/>") }
        let type = element.type.map { [("type", $0)] } ?? []
        let details = element.details.joined(separator: "\n").xmlEscaped
        return Case(
            kind: kind,
            text: """
                \(start)>
                      <\(element.name)\(attributes([("message", element.message)] + type))>\(details)</\(element.name)>
                    </testcase>
                """
        )
    }

    private func attributes(_ pairs: [(String, String)]) -> String { JUnitCounts.attributes(pairs) }
}

extension String {
    /// The text for XML 1.0: characters that it does not allow, and those that a terminal obeys, become U+FFFD.
    var xmlEscaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            case "\r": result += "&#13;"
            case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
