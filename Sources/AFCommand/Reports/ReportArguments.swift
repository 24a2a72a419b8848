internal import AFFormatting
internal import AFHTTP

/// The options for reports, as typed.
struct ReportArguments: Equatable, Sendable {
    var report: [ReportTarget] = []
    var appendsReports = false
    var har: String?
    /// The number of bytes of a response body that an archive contains.
    var harBodies: ByteCount?
    /// The name of the request in reports.
    var name: String?
    var writeOut: WriteOutSource?
    /// The file for the header of the response.
    var headerFile: String?
    /// The Hurl file to which the request is added.
    var suite: String?
    var showsSecrets = false
}

extension ReportTarget {
    /// Parses an argument of `--report`: `FILE` or `junit:FILE`.
    fileprivate init(argument: String) throws(UsageError) {
        guard argument.hasPrefix("junit:") else {
            let format = argument.halves(around: ":")?.before ?? ""
            guard format.isEmpty || !format.utf8.allSatisfy(\.isASCIILetter) else {
                throw UsageError(
                    "'\(format):' is not a prefix of --report",
                    hint: "write junit:FILE, or ./\(argument) for a file of this name")
            }
            self.init(format: .json, path: try String(argument: argument))
            return
        }
        guard argument != "junit:" else { throw UsageError("expected junit:FILE, got 'junit:'") }
        self.init(format: .junit, path: String(argument.dropFirst("junit:".count)))
    }
}

extension OptionRequirement<ReportArguments> {
    /// A report or an archive is written.
    fileprivate static var record: Self {
        Self { $0.report.isEmpty && $0.har == nil ? UsageError("requires a report", hint: "add --report FILE") : nil }
    }

    fileprivate static var report: Self {
        Self { $0.report.isEmpty ? UsageError("requires a report", hint: "add --report FILE") : nil }
    }

    fileprivate static var archive: Self {
        Self { $0.har == nil ? UsageError("requires an archive", hint: "add --har FILE") : nil }
    }
}

extension ReportArguments {
    private static let longestName = 200

    /// Parses the argument of `--name`, which is part of one line of a report.
    private static func parseName(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty, text.count <= longestName, text.unicodeScalars.allSatisfy(\.isPlainlyVisible) else {
            throw UsageError("expected a name of 1 to \(known: longestName) visible characters")
        }
        return text
    }

    /// Parses the argument of `--har-bodies`: the bytes are in memory until the end of the run.
    private static func parseBodies(_ text: String) throws(UsageError) -> ByteCount {
        let count = try ByteCount(argument: text)
        guard count.bytes <= 64 << 20 else { throw UsageError("expected at most 64M, got '\(text)'") }
        return count
    }
}

extension WrittenFiles {
    fileprivate static let report = Self { argument, _ in
        guard let target = try? ReportTarget(argument: argument) else { return [] }
        return [File(path: target.path, role: target.format == .junit ? "the JUnit report" : nil)]
    }

    /// The files of `%output{FILE}`.
    fileprivate static let template = Self { argument, files in
        guard let source = try? WriteOutSource(argument: argument) else { return [] }
        return (source.template(files)?.files ?? []).map { File(path: $0, role: "a file of %output{}") }
    }
}

extension ReportArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--report",
            summary: "Write a JSON report of the run to FILE; repeatable",
            details: """
                One object with the request, the status, header, timings, sizes and TLS information of every hop, the \
                retries, and the error with its exit status. Written atomically at the end of the run, even if it \
                failed. `-` is standard output, where the report starts on a new line. Passwords, tokens and cookies \
                are omitted unless `--show-secrets` is given. `junit:FILE` is JUnit XML with a test case for the \
                request and one for each expectation; its test suite is named after the request, or after `--input` or \
                `--upload-file`. Other letters before a colon are an error; `./LETTERS:FILE` is a file. May be \
                repeated with different files. With `--input`, each URL is a line of the JSON report and one test case \
                of the JUnit report.
                """,
            repetition: .error(hint: "use different files") { $0 },
            isMissingInCurl: true,
            writes: .report,
            effect: .init(shape: .argument(name: "FILE", hint: .file), setting: \.report) {
                (text) throws(UsageError) in
                let target = try ReportTarget(argument: text ?? "")
                return { values in
                    values.report.removeAll { $0 == target }
                    values.report.append(target)
                }
            }
        )

        Option(
            "--report-append",
            summary: "Extend the reports instead of replacing them",
            details: """
                A JSON report receives one more line, a JUnit report one more test suite. Several processes may extend \
                the same file at once. A file that is not a report of afcli is an error before the request.
                """,
            requires: .report,
            isMissingInCurl: true,
            effect: .flag(\.appendsReports, sets: true)
        )

        Option(
            "--name",
            summary: "Name of the request in reports",
            details: """
                The name of the test suite in a JUnit report, `name` in a JSON report, and the comment of the entries \
                of an archive. It distinguishes several checks of one URL.
                """,
            requires: .record,
            isMissingInCurl: true,
            effect: .argument("TEXT", parsing: parseName, sets: \.name)
        )

        Option(
            "--har",
            summary: "Write an HTTP Archive (HAR 1.2) of the run to FILE",
            details: """
                Browsers' developer tools can import it. Response bodies are included only with `--har-bodies`. \
                Otherwise like `--report`.
                """,
            repetition: .error,
            isMissingInCurl: true,
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.har)
        )

        Option(
            "--har-bodies",
            summary: "Include BYTES of the response body in --har",
            details: """
                The start of the final response's body, at most 64M, without passwords and tokens. The default is 0. \
                Binary data, in which secrets cannot be recognized, requires `--show-secrets` and is in base64. A body \
                that is saved to a file is not included.
                """,
            requires: .archive,
            isMissingInCurl: true,
            effect: .argument("BYTES", parsing: parseBodies, sets: \.harBodies)
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
            isMissingInCurl: true,
            showsResponse: true,
            writes: .template,
            effect: .argument("FORMAT", sets: \.writeOut)
        )

        Option(
            "--header-file",
            summary: "Write the response header to FILE",
            details: """
                The status line and the fields of the final response, as received. Written atomically at the end of the \
                run, even if it failed after the header. Without a response, an existing FILE stays as it is.
                """,
            excludes: ["--input"],
            repetition: .error,
            curl: [.translated("dump-header", "D")],
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.headerFile)
        )

        Option(
            "--save",
            summary: "Add the request to a .hurl file, for afcli run",
            details: """
                The entry has the request without default header fields, its expectations as asserts, and without \
                `--expect-status` the status of a success. A value that is only expected to exist, as by \
                `--expect-json id`, is also a capture of that name for later entries. It is added after a successful \
                run, by replacing the file atomically. Secrets are variables, which `--secret NAME=VALUE` of `run` \
                sets. The paths of body files are relative to FILE. Options that a Hurl file does not have, and \
                expectations in a form that the response does not meet, are left out with a warning. A method that a \
                Hurl file does not have, such as M-SEARCH, is an error before the request.
                """,
            excludes: ["--input", "--offline", "--curl", "--curl-long"],
            repetition: .error,
            isMissingInCurl: true,
            isForWebSockets: false,
            writes: .argument,
            effect: .argument("FILE", hint: .file, sets: \.suite)
        )

        Option(
            "--show-secrets",
            summary: "Show secrets in reports, --curl, -v and --offline",
            details: """
                The values of `--write-out`, and headers that are chosen by `--print` or `--headers`, are shown as they are \
                in any case.
                """,
            effect: .flag(\.showsSecrets, sets: true)
        )
    }
}
