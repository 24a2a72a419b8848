/// The style of a curl command.
enum CurlStyle: Equatable, Sendable {
    /// Short options on one line.
    case short
    /// Long options, one per line.
    case long
}

/// The options that replace sending the request.
struct DryRunArguments: OptionValues {
    var isOffline = false
    var curl: CurlStyle?
}

extension DryRunArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--offline",
            summary: "Build the request and show it, but send nothing",
            effect: .flag(\.isOffline, sets: true)
        )

        Option(
            "--curl",
            summary: "Show the request as a command for curl; send nothing",
            details: """
                To be pasted into a shell. Passwords, tokens and cookies are left out unless `--show-secrets` is \
                given; curl asks for a password that is missing. What curl cannot do the same is said on standard \
                error.
                """,
            effect: .flag(\.curl, sets: .short)
        )

        Option(
            "--curl-long",
            summary: "The same with curl's long options, one on each line",
            effect: .flag(\.curl, sets: .long)
        )
    }
}
