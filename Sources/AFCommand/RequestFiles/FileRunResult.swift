internal import AFExpressions
internal import AFHTTP
internal import AFHurl

/// The result of a file.
struct FileRunResult: Sendable {
    /// An error of an entry.
    struct Failure: Sendable {
        /// The line of the request, from 1.
        let line: Int
        /// The subject of the error.
        let title: String
        /// The response before the error, which only messages have; without secrets.
        var preface = ""
        /// The error with lines of the file; without secrets.
        let text: String
        /// Whether only an assert failed.
        let isAssert: Bool
    }

    /// The name as typed.
    let name: String
    var failures: [Failure] = []
    /// The error of a file that cannot be read or parsed.
    var syntaxError: String?
    /// The error of a cookie file that cannot be written.
    var cookieError: String?
    /// The number of requests, with those of redirects and retries.
    var requestCount = 0
    var milliseconds: Int64 = 0
    /// The header before the output of the last entry.
    var head = ""
    /// The output of the last entry.
    var output: [UInt8] = []
    /// The media type of the output; `nil` if it is not known, or the output has a content coding.
    var mediaType: MediaType?
    /// Whether the output is the response that failed.
    var showsFailedResponse = false
    var hasNoEntries = false
    /// The warnings.
    var notes: [String] = []
    /// Whether a part of the file has no effect, such as a script.
    var hasOmissions = false
    /// The attempts of entries, in order.
    var records: [FileRunRecord] = []
    /// The cookies at the end, as a cookie file.
    var cookies = ""
    /// The variables whose secrets reports mask.
    var variables = HurlVariables()

    /// Creates the result of a file that was not run.
    init(name: String) { self.name = name }

    var isSuccess: Bool { failures.isEmpty && syntaxError == nil && cookieError == nil }

    /// Hurl's exit number: 2 for a file that cannot be read or parsed, 3 for an error, 4 for failed asserts, 127 for
    /// cookies that cannot be saved; 5 if a part of a `.http` file has no effect.
    var status: ExitStatus {
        if syntaxError != nil { return ExitStatus(code: 2) }
        if failures.contains(where: { !$0.isAssert }) { return ExitStatus(code: 3) }
        if !failures.isEmpty { return ExitStatus(code: 4) }
        return ExitStatus(code: cookieError != nil ? 127 : hasOmissions ? 5 : 0)
    }
}

extension [FileRunResult] {
    /// The exit status of all files: an error at run time wins over failed asserts.
    var status: ExitStatus {
        let codes = Set(map(\.status.code))
        return ExitStatus(code: [2, 3, 4, 127, 5].first { codes.contains($0) } ?? 0)
    }

    /// Returns the summary of a test run, in Hurl's form.
    ///
    /// - Parameter milliseconds: The duration of the run.
    func summary(milliseconds: Int64) -> String {
        let (succeeded, requests) = (count(where: \.isSuccess), reduce(0) { $0 + $1.requestCount })
        let rate = Double(requests) * 1000 / Double(Swift.max(milliseconds, 1))
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let clock = "\(seconds / 3600)h:\(seconds / 60 % 60)m:\(seconds % 60)s:\(rest)ms"
        return """
            \(String(repeating: "-", count: 80))
            Executed files:    \(count)
            Executed requests: \(requests) (\(HumanUnits.decimal(rate, places: 1))/s)
            Succeeded files:   \(succeeded) (\(share(succeeded)))
            Failed files:      \(count - succeeded) (\(share(count - succeeded)))
            Duration:          \(milliseconds) ms (\(clock))

            """
    }

    private func share(_ part: Int) -> String {
        HumanUnits.decimal(isEmpty ? 0 : Double(part) * 100 / Double(count), places: 1) + "%"
    }

    /// Returns the results as a report in the Test Anything Protocol, version 13.
    ///
    /// - Parameter report: The report that precedes them; `nil` for none.
    /// - Returns: `nil` if that is no such report.
    func tap(addingTo report: String?) -> String? {
        let report = report ?? "TAP version 13\n1..0\n"
        var lines = report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard lines.count > 1, lines[0] == "TAP version 13", lines[1].hasPrefix("1.."),
            let earlier = Int(lines[1].dropFirst(3)), 0...1_000_000 ~= earlier
        else { return nil }
        lines[1] = "1..\(earlier + count)"
        for (index, result) in enumerated() {
            lines.append("\(result.isSuccess ? "ok" : "not ok") \(earlier + index + 1) - \(result.name)")
            if result.isSuccess { continue }
            lines.append("  ---")
            for text in result.failures.map(\.text) + [result.syntaxError, result.cookieError].compactMap(\.self) {
                lines.append("  - |")
                lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            }
            lines.append("  ...")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the results as a JUnit report: a test case for each file.
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
        let failed = count { $0.status.code == 4 }
        let errors = count { !$0.isSuccess } - failed
        var lines = [
            #"  <testsuite tests="\#(count)" errors="\#(errors)" failures="\#(failed)">"#
        ]
        for result in self {
            let name = result.name.xmlEscaped
            let time = HumanUnits.decimal(Double(result.milliseconds) / 1000, places: 3)
            let start = #"    <testcase id="\#(name)" name="\#(name)" time="\#(time)""#
            if result.isSuccess {
                lines.append(start + "/>")
                continue
            }
            lines.append(start + ">")
            for failure in result.failures {
                let element = failure.isAssert ? "failure" : "error"
                let title = failure.title.xmlEscaped
                lines.append("      <\(element) message=\"\(title)\">\(failure.text.xmlEscaped)</\(element)>")
            }
            for (title, error) in [("Parsing", result.syntaxError), ("Cookies", result.cookieError)] {
                if let error { lines.append("      <error message=\"\(title)\">\(error.xmlEscaped)</error>") }
            }
            lines.append("    </testcase>")
        }
        return "\(suites)\n" + (lines + ["  </testsuite>", end]).joined(separator: "\n") + "\n"
    }
}
