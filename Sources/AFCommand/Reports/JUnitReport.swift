internal import AFHTTP
internal import FoundationEssentials

/// The output of `--report junit:FILE`: JUnit XML with a test case for the request and one for each expectation.
struct JUnitReport: Sendable {
    let run: RunRecord
    let redaction: Redaction

    var text: String {
        let cases = [requestCase] + run.expectations.map(testCase)
        let failures = cases.count { $0.kind == .failure }
        let errors = cases.count { $0.kind == .error }
        let skipped = cases.count { $0.kind == .skipped }
        let counts = attributes([
            ("name", name), ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
            ("skipped", "\(skipped)"), ("time", time),
        ])
        let started = Date.ISO8601FormatStyle().format(run.started)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites\(counts)>
              <testsuite\(counts)\(attributes([("timestamp", started)]))>
            \((cases.map(\.text) + output).joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """.legible
    }

    /// The response that explains a failure.
    private var output: [String] {
        if run.evidence.isEmpty { return [] }
        return ["    <system-out>\(run.evidence.joined(separator: "\n").xmlEscaped)</system-out>"]
    }

    private struct Case {
        enum Kind { case success, failure, error, skipped }

        let kind: Kind
        let text: String
    }

    private var name: String {
        run.request.map { "\($0.method.rawValue) \(redaction.url($0.url.text))" } ?? "afcli"
    }

    private var time: String { HumanUnits.decimal(run.elapsed, places: 6) }

    /// The request itself: an error without a response, a failure for a status that is not a success.
    private var requestCase: Case {
        let hasUnmet = run.expectations.contains { if case .unmet = $0.outcome { true } else { false } }
        let own = run.failure.flatMap { $0.status == .expectation && hasUnmet ? nil : $0 }
        guard let failure = own ?? run.statusFailure else {
            return testCase(.success, name, time: time, element: nil)
        }
        let isResponse = [.redirected, .clientError, .serverError, .expectation].contains(failure.status)
        let (kind, element) = isResponse ? (Case.Kind.failure, "failure") : (.error, "error")
        return testCase(
            kind, name, time: time,
            element: (element, failure.status.kind, failure.message, failure.details + (isResponse ? run.evidence : []))
        )
    }

    private func testCase(_ result: ExpectationResult) -> Case {
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

    private func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0)=\"\($1.xmlEscaped)\"" }.joined()
    }
}

extension String {
    /// The text for XML 1.0: characters that it does not allow become U+FFFD.
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
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
