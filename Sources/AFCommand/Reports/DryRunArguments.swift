/// The style of a curl command.
enum CurlStyle: Equatable, Sendable {
    /// Short options on one line.
    case short
    /// Long options, one per line.
    case long
}

/// The options that show the request instead of sending it.
struct DryRunArguments: Equatable, Sendable {
    var isOffline = false
    var curl: CurlStyle?
}

extension DryRunArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--offline",
            summary: "Show the request without sending it",
            details: "Outside of a terminal, secrets of the header are masked, unless `--show-secrets` is set.",
            excludes: ["--input"],
            isForWebSockets: false,
            effect: .flag(\.isOffline, sets: true)
        )

        Option(
            "--curl",
            summary: "Show the request as a curl command, unsent",
            details: """
                The command can be pasted into a shell. Passwords, tokens and cookies are omitted unless \
                `--show-secrets` is given; curl prompts for a missing password. Differences from curl are reported on \
                standard error.
                """,
            excludes: ["--input"],
            isForWebSockets: false,
            effect: .flag(\.curl, sets: .short)
        )

        Option(
            "--curl-long",
            summary: "Like --curl, with long options, one per line",
            isRare: true,
            excludes: ["--input"],
            isForWebSockets: false,
            effect: .flag(\.curl, sets: .long)
        )
    }
}
