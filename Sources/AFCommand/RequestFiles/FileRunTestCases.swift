internal import AFExpressions
internal import AFFormatting

/// A test case of a report: an entry, or a file that cannot be run.
struct FileRunTestCase {
    /// A reason of a failure.
    struct Problem {
        let title: String
        let text: String
        /// Whether only an assert failed.
        let isAssert: Bool
    }

    /// The name, unique within the file.
    let name: String
    /// The duration in milliseconds; `nil` if the entry was not run.
    let milliseconds: Int64?
    let problems: [Problem]
    /// The start of the response that failed; empty if there is none.
    let evidence: String

    /// Whether nothing but asserts failed.
    var isFailure: Bool { !problems.isEmpty && problems.allSatisfy(\.isAssert) }
    var isError: Bool { problems.contains { !$0.isAssert } }
}

extension FileRunResult {
    /// The test cases of the file, without secrets, also of those that later entries captured.
    var testCases: [FileRunTestCase] {
        let cases = entries.map { entry in
            FileRunTestCase(
                name: "line \(entry.line): \(variables.redacted(entry.name))", milliseconds: entry.milliseconds,
                problems: failures.filter { $0.line == entry.line }.map {
                    FileRunTestCase.Problem(
                        title: $0.title, text: variables.redacted($0.text), isAssert: $0.isAssert)
                }, evidence: variables.redacted(entry.evidence))
        }
        guard let syntaxError else { return cases }
        let problem = FileRunTestCase.Problem(title: "Parsing", text: syntaxError, isAssert: false)
        return cases + [FileRunTestCase(name: name, milliseconds: milliseconds, problems: [problem], evidence: "")]
    }
}

extension [FileRunResult] {
    /// Returns the results as a report in the Test Anything Protocol, version 13: a test for each entry.
    ///
    /// - Parameter report: The report that precedes them; `nil` for none.
    /// - Returns: `nil` if that is no such report.
    func tap(addingTo report: String?) -> String? {
        let report = report ?? "TAP version 13\n1..0\n"
        var lines = report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard lines.count > 1, lines[0] == "TAP version 13", lines[1].hasPrefix("1.."),
            var number = Int(lines[1].dropFirst(3)), 0...1_000_000 ~= number
        else { return nil }
        for result in self {
            for test in result.testCases {
                number += 1
                // A number sign would begin a directive.
                let name = test.name == result.name ? test.name : "\(result.name), \(test.name)"
                let title = Sanitizer.line(name).replacing("#", with: "\\#")
                let skip = test.milliseconds == nil && test.problems.isEmpty ? " # SKIP not run" : ""
                lines.append("\(test.problems.isEmpty ? "ok" : "not ok") \(number) - \(title)\(skip)")
                if test.problems.isEmpty { continue }
                lines.append("  ---")
                for text in test.problems.map(\.text) + (test.evidence.isEmpty ? [] : [test.evidence]) {
                    lines.append("  - |")
                    lines += Sanitizer.text(text).split(separator: "\n", omittingEmptySubsequences: false).map {
                        "    \($0)"
                    }
                }
                lines.append("  ...")
            }
        }
        lines[1] = "1..\(number)"
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the results as a JUnit report: a test suite for each file, and a test case for each entry.
    ///
    /// - Parameter report: The report that precedes them; `nil` for none.
    /// - Returns: `nil` if that is no such report.
    func junit(addingTo report: String?) -> String? {
        let end = "</testsuites>"
        var suites = report ?? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites></testsuites>"
        while suites.last?.isWhitespace == true { suites.removeLast() }
        guard suites.contains("<testsuites>"), suites.hasSuffix(end) else { return nil }
        suites.removeLast(end.count)
        while suites.last?.isWhitespace == true { suites.removeLast() }
        return "\(suites)\n" + (flatMap(\.junitLines) + [end]).joined(separator: "\n") + "\n"
    }
}

extension FileRunResult {
    /// The lines of a test suite.
    fileprivate var junitLines: [String] {
        let cases = testCases
        let counts = [
            ("tests", cases.count), ("errors", cases.count(where: \.isError)),
            ("failures", cases.count(where: \.isFailure)),
            ("skipped", cases.count { $0.milliseconds == nil && $0.problems.isEmpty }),
        ]
        let attributes = counts.map { #"\#($0.0)="\#($0.1)""# }.joined(separator: " ")
        let start = #"  <testsuite name="\#(name.xmlEscaped)" \#(attributes) time="\#(Self.seconds(milliseconds))">"#
        return [start] + cases.flatMap { $0.junitLines(file: name) } + ["  </testsuite>"]
    }

    fileprivate static func seconds(_ milliseconds: Int64) -> String {
        HumanUnits.decimal(Double(milliseconds) / 1000, places: 3)
    }
}

extension FileRunTestCase {
    fileprivate func junitLines(file: String) -> [String] {
        let time = FileRunResult.seconds(milliseconds ?? 0)
        let start = #"    <testcase classname="\#(file.xmlEscaped)" name="\#(name.xmlEscaped)" time="\#(time)""#
        if problems.isEmpty {
            return milliseconds == nil ? [start + ">", "      <skipped/>", "    </testcase>"] : [start + "/>"]
        }
        let lines = problems.map { problem in
            let element = problem.isAssert ? "failure" : "error"
            return "      <\(element) message=\"\(problem.title.xmlEscaped)\">\(problem.text.xmlEscaped)</\(element)>"
        }
        let output = evidence.isEmpty ? [] : ["      <system-out>\(evidence.xmlEscaped)</system-out>"]
        return [start + ">"] + lines + output + ["    </testcase>"]
    }
}
