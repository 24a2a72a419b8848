/// The options for redirects, as typed.
struct RedirectArguments: OptionValues {
    var isFollowed = false
    var maximum: Int?
    var showsAll = false
    var trustsOthers = false
    var allowsDowngrade = false
    /// The status codes after which a POST stays a POST.
    var keepsPostAfter = KeptPosts()

    struct KeptPosts: Equatable, Sendable {
        var movedPermanently = false
        var found = false
        var seeOther = false
    }
}

extension RedirectArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-L", "--follow",
            summary: "Follow redirects",
            details: """
                Login data and cookies typed by hand stay behind where a redirect leads to another scheme, host or \
                port, and so do other headers whose names promise a secret, such as `X-Api-Key` and those that end in \
                `-token`. `--trust-redirects` takes them along.
                """,
            effect: .flag(\.isFollowed, sets: true)
        )

        Option(
            "--max-redirects",
            summary: "Follow at most this many redirects (30)",
            effect: .argument("NUMBER", sets: \.maximum)
        )

        Option(
            "--all",
            summary: "Show every response on the way, not only the last",
            effect: .flag(\.showsAll, sets: true)
        )

        Option(
            "--trust-redirects",
            summary: "Send login data and cookies to other origins too",
            effect: .flag(\.trustsOthers, sets: true)
        )

        Option(
            "--allow-downgrade",
            summary: "Follow redirects from https to http",
            effect: .flag(\.allowsDowngrade, sets: true)
        )

        Option(
            "--post301",
            summary: "Keep POST and its body after 301",
            effect: .flag(\.keepsPostAfter.movedPermanently, sets: true)
        )

        Option(
            "--post302",
            summary: "Keep POST and its body after 302",
            effect: .flag(\.keepsPostAfter.found, sets: true)
        )

        Option(
            "--post303",
            summary: "Keep POST and its body after 303",
            effect: .flag(\.keepsPostAfter.seeOther, sets: true)
        )
    }
}
