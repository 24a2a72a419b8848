/// The options for consecutive pages, as typed.
struct PageArguments: Equatable, Sendable {
    var followsLinks = false
    var cursor: PageCursor?
    var maximum: Int?

    /// Whether pages after the first one are requested.
    var isUsed: Bool { followsLinks || cursor != nil }

    /// The maximum number of pages, unless another one is typed.
    static let defaultMaximum = 1000
}

extension OptionRequirement<PageArguments> {
    fileprivate static var pages: Self {
        Self { pages in
            pages.isUsed
                ? nil
                : UsageError(
                    "requires --follow-next or --next", hint: "add --follow-next if the responses have Link fields")
        }
    }
}

extension ArgumentSecrets {
    /// A path after the name of a parameter.
    fileprivate static let cursor = Self { argument in
        guard let (_, path) = argument.halves(around: "="), case let path = path.drop(while: { $0 == "=" }) else {
            return []
        }
        return filter.ranges(String(path)).isEmpty ? [] : [argument.end(path)]
    }
}

extension PageArguments {
    /// The options for a single response or file, which several pages are not.
    private static let excluded = [
        "--input", "--download", "--resume", "--segments", "--checksum", "--skip-existing", "--remote-time", "--range",
    ]

    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--follow-next",
            summary: "Follow Link: rel=next to all pages",
            details: """
                Shows the pages in turn: with `--filter` the values of all of them, else the bodies. With `--output \
                FILE`, the file has a value in each line: those of the filter, or the elements of each page that is an \
                array, or else each page. It is written only if all pages are received. Expectations hold for each page.

                A page of another scheme, host or port is requested only with `--trust-redirects`, and from https \
                to http also with `--allow-downgrade`. A status 429 with `Retry-After` is retried up to ten times \
                for each page; `--retry` sets another limit.
                """,
            scope: .run,
            excludes: excluded + ["--next"],
            isMissingInCurl: true,
            isForWebSockets: false,
            effect: .flag(\.followsLinks, sets: true)
        )

        Option(
            "--next",
            summary: "Query and path of the cursor of the next page",
            details: """
                In `--next cursor==meta.next`, `meta.next` is the path of a value in the body, as in `--filter`, and \
                `cursor` the query parameter that is set to it for the next request. The last page has no such \
                value, or null, false or an empty one. Pages are shown as with `--follow-next`.
                """,
            scope: .run,
            excludes: excluded,
            repetition: .error,
            isMissingInCurl: true,
            isForWebSockets: false,
            secrets: .cursor,
            effect: .argument("PARAM==PATH", sets: \.cursor)
        )

        Option(
            "--max-pages",
            summary: "Maximum number of pages (default: 1000)",
            isRare: true,
            requires: .pages,
            effect: .argument("NUMBER", parsing: Int.parser(in: 1...1_000_000_000), sets: \.maximum)
        )
    }
}
