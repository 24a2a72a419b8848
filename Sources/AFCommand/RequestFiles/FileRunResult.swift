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

    /// An entry, which is a test case in reports.
    struct Entry: Sendable {
        /// The line of the request, from 1.
        let line: Int
        /// The method and the URL as written; without secrets.
        let name: String
        /// The duration with all retries and delays; `nil` if the entry was not run.
        var milliseconds: Int64?
        /// The start of the response that failed, without secrets; empty if there is none.
        var evidence = ""
    }

    /// The name as typed.
    let name: String
    /// The selected entries, in order.
    var entries: [Entry] = []
    var failures: [Failure] = []
    /// The error of a file that cannot be read or parsed.
    var syntaxError: String?
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
    /// The warnings.
    var notes: [String] = []
    /// Whether a part of the file has no effect, such as a script.
    var hasOmissions = false
    /// The attempts of entries, in order.
    var records: [FileRunRecord] = []
    /// The cookies at the end, as the lines of a cookie file; `nil` without a cookie store.
    var cookies: [String]?
    /// The variables whose secrets reports mask.
    var variables = HurlVariables()

    /// Creates the result of a file that was not run.
    init(name: String) { self.name = name }

    var isSuccess: Bool { failures.isEmpty && syntaxError == nil }

    /// Hurl's exit number: 2 for a file that cannot be read or parsed, 3 for an error, 4 for failed asserts; 5 if a part of a
    /// `.http` file has no effect.
    var status: ExitStatus {
        if syntaxError != nil { return ExitStatus(code: 2) }
        if failures.contains(where: { !$0.isAssert }) { return ExitStatus(code: 3) }
        if !failures.isEmpty { return ExitStatus(code: 4) }
        return ExitStatus(code: hasOmissions ? 5 : 0)
    }
}

extension [FileRunResult] {
    /// The exit status of all files: an error at run time wins over failed asserts.
    var status: ExitStatus {
        let codes = Set(map(\.status.code))
        return ExitStatus(code: [2, 3, 4, 5].first { codes.contains($0) } ?? 0)
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
}
