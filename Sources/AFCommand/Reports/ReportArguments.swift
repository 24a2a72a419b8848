/// The options for reports, as typed.
struct ReportArguments: OptionValues {
    var report: String?
    var har: String?
    var writeOut: WriteOutSource?
    var showsSecrets = false
}

extension ReportArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--report",
            summary: "Write a JSON report of the run to FILE",
            details: """
                One object: the request, every hop with status, headers, timings, sizes and TLS, the retries, and the \
                error with its exit status. Written when the run is over, also when it failed, whole or not at all. \
                `-` is standard output, where it begins on a line of its own. Passwords, tokens and cookies are left \
                out unless `--show-secrets` is given.
                """,
            effect: .argument("FILE", hint: .file, sets: \.report)
        )

        Option(
            "--har",
            summary: "Write an HTTP Archive (HAR 1.2) of the run to FILE",
            details: "As browsers' developer tools open it; without the responses' bodies. Otherwise like `--report`.",
            effect: .argument("FILE", hint: .file, sets: \.har)
        )

        Option(
            "-w", "--write-out",
            summary: "Write this after the run: '%{http_code}\\n', @FILE",
            details: """
                curl's notation: `%{VARIABLE}`, `%header{NAME}`, `%%`, and `\\n`, `\\r`, `\\t`. Times are in seconds \
                and count from the start of the last attempt, sizes in bytes. After `%{stderr}` it goes to standard \
                error, after `%{stdout}` to standard output again; what follows `%{onerror}` is written only when the \
                run failed. The variables: \(WriteOutVariable.allCases.map(\.rawValue).joined(separator: ", ")).
                """,
            effect: .argument("FORMAT", sets: \.writeOut)
        )

        Option(
            "--show-secrets",
            summary: "Leave secrets in reports, archives and --curl",
            effect: .flag(\.showsSecrets, sets: true)
        )
    }
}
