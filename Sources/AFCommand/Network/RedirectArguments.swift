internal import AFCore

/// The options for redirects, as typed.
struct RedirectArguments: Equatable, Sendable {
    var isFollowed = false
    var maximum: Int?
    var showsAll = false
    var trustsOthers = false
    /// The targets for which the configuration's settings of the connection are meant.
    var scope = RedirectPolicy.Scope.anywhere
    var allowsDowngrade = false
    /// The redirects after which a POST stays a POST.
    var preservedMethods: RedirectPolicy.PreservedMethods = []
}

extension RedirectArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-L", "--follow",
            summary: "Follow redirects",
            details: """
                Credentials and cookies from the command line are not sent to another scheme, host or port, nor are \
                other header fields with secret names, such as `X-Api-Key` and names that end in `-token`. \
                `--trust-redirects` sends them.
                """,
            curl: [.translated("location")],
            effect: .flag(\.isFollowed, sets: true)
        )

        Option(
            "--max-redirects",
            summary: "Maximum number of redirects (default: 30)",
            curl: [.translated("max-redirs")],
            effect: .argument("NUMBER", sets: \.maximum)
        )

        Option(
            "--all",
            summary: "Show all responses, not only the final one",
            excludes: ["--input"],
            effect: .flag(\.showsAll, sets: true)
        )

        Option(
            "--trust-redirects",
            summary: "Send credentials and cookies to other origins, too",
            curl: [.translated("location-trusted")],
            effect: .flag(\.trustsOthers, sets: true)
        )

        Option(
            "--allow-downgrade",
            summary: "Follow redirects from https to http",
            isRare: true,
            effect: .flag(\.allowsDowngrade, sets: true)
        )

        Option(
            "--post301",
            summary: "Keep POST and its body after a 301",
            isRare: true,
            curl: [.same],
            effect: .flag(\.preservedMethods) { $0.formUnion(.movedPermanently) }
        )

        Option(
            "--post302",
            summary: "Keep POST and its body after a 302",
            isRare: true,
            curl: [.same],
            effect: .flag(\.preservedMethods) { $0.formUnion(.found) }
        )

        Option(
            "--post303",
            summary: "Keep POST and its body after a 303",
            isRare: true,
            curl: [.same],
            effect: .flag(\.preservedMethods) { $0.formUnion(.seeOther) }
        )
    }
}
