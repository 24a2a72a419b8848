/// The options for reports, as typed.
struct ReportArguments: Equatable, Sendable {
    var report: [ReportTarget] = []
    var har: String?
    var writeOut: WriteOutSource?
    var showsSecrets = false
}

extension ReportTarget {
    /// Parses an argument of `--report`: `FILE` or `junit:FILE`.
    fileprivate init(argument: String) throws(UsageError) {
        guard argument.hasPrefix("junit:") else {
            self.init(format: .json, path: try String(argument: argument))
            return
        }
        guard argument != "junit:" else { throw UsageError("expected junit:FILE, got 'junit:'") }
        self.init(format: .junit, path: String(argument.dropFirst("junit:".count)))
    }
}

extension WrittenFiles {
    fileprivate static let report = Self { argument in
        guard let target = try? ReportTarget(argument: argument) else { return [] }
        return [File(path: target.path, role: target.format == .junit ? "the JUnit report" : nil)]
    }
}

extension ReportArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--report",
            summary: "Write a JSON report of the run to FILE",
            details: """
                One object with the request, the status, header, timings, sizes and TLS information of every hop, the \
                retries, and the error with its exit status. Written atomically at the end of the run, even if it \
                failed. `-` is standard output, where the report starts on a new line. Passwords, tokens and cookies \
                are omitted unless `--show-secrets` is given. `junit:FILE` is JUnit XML with a test case for the \
                request and one for each expectation; both reports may be given.
                """,
            excludes: ["--input"],
            repetition: .error(hint: "FILE and junit:FILE may both be given") {
                $0.hasPrefix("junit:") ? "junit" : "json"
            },
            isMissingInCurl: true,
            writes: .report,
            effect: .init(shape: .argument(name: "FILE", hint: .file), setting: \.report) {
                (text) throws(UsageError) in
                let target = try ReportTarget(argument: text ?? "")
                return { values in
                    values.report.removeAll { $0.format == target.format }
                    values.report.append(target)
                }
            }
        )

        Option(
            "--har",
            summary: "Write an HTTP Archive (HAR 1.2) of the run to FILE",
            details: """
                Browsers' developer tools can import it. Response bodies are not included. Otherwise like `--report`.
                """,
            excludes: ["--input"],
            repetition: .error,
            isMissingInCurl: true,
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.har)
        )

        Option(
            "-w", "--write-out",
            summary: "Write this at the end: '%{http_code}\\n', @FILE",
            details: """
                curl's notation: `%{VARIABLE}`, `%header{NAME}`, `%%`, and `\\n`, `\\r`, `\\t`. Times are in seconds \
                from the start of the last attempt, sizes in bytes. `%{stderr}` redirects the rest to standard error, \
                `%{stdout}` to standard output, `%output{FILE}` to a file, and `%output{>>FILE}` to its end; the text \
                after `%{onerror}` is written only if the run failed. `%header{NAME:all:TEXT}` is all fields of a name \
                with TEXT between them, `%time{FORMAT}` the time in UTC in a format of strftime(3), and \
                `%{url.PART}` or `%{urle.PART}` a part of the typed or the effective URL: scheme, user, password, host, \
                port, path, query or fragment. The variables: \(WriteOutVariable.allCases.map(\.rawValue).joined(separator: ", ")).
                """,
            excludes: ["--input"],
            isMissingInCurl: true,
            effect: .argument("FORMAT", sets: \.writeOut)
        )

        Option(
            "--show-secrets",
            summary: "Show secrets in reports, --curl, -v and --offline",
            effect: .flag(\.showsSecrets, sets: true)
        )
    }
}
