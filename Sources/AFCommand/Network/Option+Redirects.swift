extension Invocation {
    struct Redirects: Equatable, Sendable {
        var isFollowed = false
        var maximum: Int?
        var showsAll = false
        var trustsOthers = false
        var allowsDowngrade = false
        /// Status codes after which a POST stays a POST.
        var keepsPostAfter = KeptPosts()
    }

    struct KeptPosts: Equatable, Sendable {
        var movedPermanently = false
        var found = false
        var seeOther = false
    }
}

extension Option {
    static let follow = Option(
        "-L", "--follow",
        in: .redirects,
        summary: "Follow redirects",
        details: """
            Login data and cookies typed by hand stay behind where a redirect leads to another scheme, host or port, and so \
            do other headers whose names promise a secret, such as `X-Api-Key` and those that end in `-token`. \
            `--trust-redirects` takes them along.
            """,
        effect: .flag(\.redirects.isFollowed, sets: true)
    )

    static let maxRedirects = Option(
        "--max-redirects",
        in: .redirects,
        summary: "Follow at most this many redirects (30)",
        effect: .argument("NUMBER", sets: \.redirects.maximum)
    )

    static let all = Option(
        "--all",
        in: .redirects,
        summary: "Show every response on the way, not only the last",
        effect: .flag(\.redirects.showsAll, sets: true)
    )

    static let trustRedirects = Option(
        "--trust-redirects",
        in: .redirects,
        summary: "Send login data and cookies to other origins too",
        effect: .flag(\.redirects.trustsOthers, sets: true)
    )

    static let allowDowngrade = Option(
        "--allow-downgrade",
        in: .redirects,
        summary: "Follow redirects from https to http",
        effect: .flag(\.redirects.allowsDowngrade, sets: true)
    )

    static let post301 = Option(
        "--post301",
        in: .redirects,
        summary: "Keep POST and its body after 301",
        effect: .flag(\.redirects.keepsPostAfter.movedPermanently, sets: true)
    )

    static let post302 = Option(
        "--post302",
        in: .redirects,
        summary: "Keep POST and its body after 302",
        effect: .flag(\.redirects.keepsPostAfter.found, sets: true)
    )

    static let post303 = Option(
        "--post303",
        in: .redirects,
        summary: "Keep POST and its body after 303",
        effect: .flag(\.redirects.keepsPostAfter.seeOther, sets: true)
    )
}
