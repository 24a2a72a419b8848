internal import AFFormatting
internal import AFHTTP

/// The output options, as typed.
struct OutputArguments: Equatable, Sendable {
    var parts: MessageParts?
    var historyParts: MessageParts?
    var verbosity = 0
    /// The least important messages that `-q` leaves.
    var level = Messages.Level.notes
    var hidesNotes = false
    var pretty: Pretty?
    var style: StyleName?
    var isStreamed = false
    /// The type of the server-sent events to show.
    var event: String?
    var filter: BodyFilter?
    var textFilter: TextFilterExpression?
    var isRaw = false
    /// The values of `--format-options`, `--sorted` and `--unsorted`, to be applied in order.
    var format: [FormatOption] = []
    var maximumFormatted: Int?
    /// The maximum ratio of decoded to received bytes; 0 for no limit.
    var maximumRatio: Int?
    var charset: String?
    var mediaType: MediaType?
    var color: Color?
    var progress: ProgressDisplay?
    var showsTiming = false

    /// Whether `-q` hides the response, and the progress unless `--progress` is given.
    var isQuiet: Bool { level > .notes }

    enum Pretty: String, ArgumentValue, CaseIterable { case all, colors, format, none }

    enum Color: String, ArgumentValue, CaseIterable { case auto, always, never }
}

extension Theme: ArgumentValue {}

extension OptionRequirement<OutputArguments> {
    fileprivate static var filter: Self {
        Self { output in
            output.filter == nil ? UsageError("requires --filter", hint: "--filter . selects the body") : nil
        }
    }
}

extension ArgumentSecrets {
    /// Paths with a condition that compares with a secret.
    static let filter = Self { argument in
        let isSecret = (try? BodyFilter(argument: argument))?.holdsSecret == true
        return isSecret ? [0..<argument.utf8.count] : []
    }
}

extension OutputArguments {
    /// Parses the argument of `--event`.
    private static func parseEvent(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty, text.count <= 200, text.unicodeScalars.allSatisfy(\.isPlainlyVisible) else {
            throw UsageError("expected a type of 1 to 200 visible characters")
        }
        return text
    }

    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-p", "--print",
            summary: "Parts to show, as letters: HBhbm",
            details: """
                `H` and `B` are the request's header and body, `h` and `b` the response's, `m` the metrics. The \
                default is `hb` on a terminal and for HEAD, and `b` elsewhere. With --output or --download, the body \
                goes to the file, and the other parts go to standard error.
                """,
            yieldsTo: ["--quiet"],
            showsResponse: true,
            effect: .argument("LETTERS", sets: \.parts)
        )

        Option(
            "-P", "--history-print",
            summary: "Parts to show of earlier hops, with --all",
            details: """
                LETTERS as for --print; the default is the value of --print. Earlier hops are redirects, \
                authentication rounds, interim responses and responses before a retry; `--all` or `-v` shows them.
                """,
            isRare: true,
            excludes: ["--input"],
            effect: .argument("LETTERS", sets: \.historyParts)
        )

        Option(
            "-h", "--headers",
            summary: "Show only the response header; same as -p h",
            yieldsTo: ["--quiet"],
            showsResponse: true,
            effect: .flag(\.parts, sets: .responseHead)
        )

        Option(
            "-b", "--body",
            summary: "Show only the response body; same as -p b",
            yieldsTo: ["--quiet"],
            showsResponse: true,
            effect: .flag(\.parts, sets: .responseBody)
        )

        Option(
            "-m", "--meta",
            summary: "Show only timings and sizes; same as -p m",
            yieldsTo: ["--quiet"],
            showsResponse: true,
            effect: .flag(\.parts, sets: .metadata)
        )

        Option(
            "-v", "--verbose",
            summary: "Also show the request and all hops; -vv: timings",
            details: """
                The trailers of the response are shown after its body. Outside of a terminal, passwords, tokens and \
                cookies of headers and URLs are masked, unless `--show-secrets` is set.
                """,
            excludes: ["--input"],
            effect: .flag(\.verbosity) { $0 += 1 }
        )

        Option(
            "-q", "--quiet",
            summary: "Show only errors and warnings, not the response",
            details: """
                Output that the command line requests by name is shown: `-p`, `-h`, `-b`, `-m`, `--filter`, \
                `--filter-text`, `--timing`, `--progress`, `-w` and `-o -`. `--no-notes` hides only the notes. After a status that is a failure, or a failed expectation, the status line, the fields that explain it \
                and the first 500 bytes of the body are shown on standard error, without secrets. `-qq` hides them, and \
                warnings, too.
                """,
            effect: .flag(\.level) { $0 = $0.quieter }
        )

        Option(
            "--no-notes",
            summary: "Hide notes; warnings and errors are shown",
            details: """
                Notes are the messages about retries, saved files and other events that need no action. `-q` hides them, \
                too.
                """,
            effect: .flag(\.hidesNotes, sets: true)
        )

        Option(
            "--pretty",
            summary: "Format and color the output",
            details: "The default is `all` on a terminal and `none` elsewhere.",
            effect: .argument("STYLE", sets: \.pretty)
        )

        Option(
            "-s", "--style",
            summary: "Colors: auto, ocean, meadow, ember, dusk or mono",
            details: """
                `auto` uses the 16 colors of the terminal's theme, `mono` none. The others have fixed colors, which \
                are legible on light and dark backgrounds; they require 256 colors, as indicated by `TERM` or \
                `COLORTERM`; otherwise `auto` is used. Names of HTTPie's styles select the most similar style.
                """,
            effect: .argument("NAME", sets: \.style)
        )

        Option(
            "-S", "--stream",
            summary: "Show each line of the body when it arrives",
            details: """
                Server-sent events and JSON lines are always shown this way. Disables sorting and formatting that \
                requires the complete body.
                """,
            curl: [.translated("no-buffer", "N")],
            effect: .flag(\.isStreamed, sets: true)
        )

        Option(
            "--event",
            summary: "Show only the server-sent events of this type",
            details: """
                The type is the `event` field; events without one have the type `message`. Comments are not shown. With \
                `--filter`, the data of these events is filtered. `--max-messages` ends the run after a number of them, \
                and expectations concern them alone.
                """,
            excludes: ["--input"],
            repetition: .error,
            isMissingInCurl: true,
            isForWebSockets: false,
            effect: .argument("TYPE", parsing: parseEvent, sets: \.event)
        )

        Option(
            "--filter",
            summary: "Show only the values at PATH of the JSON body",
            details: """
                PATH is `a[b][0]` or `a.b[0]`, as for `--expect-json` but without `[-1]`, as the body is filtered while it \
                arrives. It may contain `[]` or `[*]` for each element \
                of an array and each member of an object, `[1:3]` for the elements 1 and 2 (the end is excluded), and \
                `..name` for the members with a name at any depth. `[?CONDITION]` is each element and member that meets \
                a condition, which has the syntax of `--expect-json`: `[?age>=18].name`, `[?tags contains x]`, \
                `[?absent error]`. Commas separate several paths: `id,tags[0]`. A backslash escapes a dot, a comma, a \
                bracket or a brace; `.` is the complete body.

                Each value is a line, or a formatted block with `--pretty`, in the order of the body, and numbers keep \
                their notation. Values that lack the member or element are skipped; if a name is repeated in an object, \
                all its values are shown.

                `.{id,user.name}` at the end of a path makes a row of each value, in this order: a JSON object, in which \
                a missing member is `null`. With `--raw-output`, a row is a line of texts separated by tabs; a missing \
                one is empty, and tabs, line ends and backslashes in them are `\\t`, `\\n`, `\\r` and `\\\\`. A value \
                with a condition or a row is held in memory until its end.

                The body is filtered as it arrives; each text of a sequence (JSON lines), and the data of each event of \
                an event stream, is filtered separately; events whose data is not JSON are skipped. If nothing is \
                selected, the exit status is 14; if the body is not JSON, it is 13, and the values before the error have \
                been shown. Then, and after a 3xx, 4xx or 5xx response, standard error has the start of the body.
                """,
            yieldsTo: ["--quiet"],
            repetition: .error(hint: "separate the paths with commas: --filter 'id,name'"),
            isMissingInCurl: true,
            showsResponse: true,
            secrets: .filter,
            effect: .argument("PATH", sets: \.filter)
        )

        Option(
            "--filter-text",
            summary: "Show only the matches of /REGEX/ in the body",
            details: """
                Each line of a text, HTML or XML body is searched as it arrives. Of each match, the first group that took \
                part is a line of the output, or the complete match without groups: `/name="csrf" value="([^"]*)"/`. The \
                syntax is that of `--expect-body`. If nothing is found, the exit status is 14.
                """,
            excludes: ["--filter"],
            yieldsTo: ["--quiet"],
            repetition: .error(hint: "an alternative is /a|b/"),
            isMissingInCurl: true,
            showsResponse: true,
            effect: .argument("REGEX", sets: \.textFilter)
        )

        Option(
            "--raw-output",
            summary: "With --filter, show strings without quotes",
            requires: .filter,
            effect: .flag(\.isRaw, sets: true)
        )

        Option(
            "--sorted", "--no-unsorted",
            summary: "Sort header fields by name and JSON members by key",
            effect: .flag(\.format) { $0 += [.headersSort(true), .jsonSortKeys(true)] }
        )

        Option(
            "--unsorted", "--no-sorted",
            summary: "Keep the order of fields and members (default)",
            isRare: true,
            effect: .flag(\.format) { $0 += [.headersSort(false), .jsonSortKeys(false)] }
        )

        Option(
            "--format-options",
            summary: "Formatting options: json.indent:2",
            details: """
                `headers.sort:BOOL`, `json.format:BOOL`, `json.indent:NUMBER`, `json.sort_keys:BOOL`, \
                `xml.format:BOOL`, `xml.indent:NUMBER`, several separated by commas. May be repeated.
                """,
            effect: .list("OPTIONS", appendsTo: \.format)
        )

        Option(
            "--max-formatted",
            summary: "Maximum size of a body to format (default: 256M)",
            details: """
                Sorting JSON and formatting XML require the complete body. A larger body is shown unformatted, with a \
                warning. The limit also applies to `--expect-json`, and to the values that `--filter` buffers. The \
                maximum is `1G`.
                """,
            isRare: true,
            effect: .argument(
                "BYTES",
                parsing: { (argument) throws(UsageError) in
                    let count = try ByteCount(argument: argument).bytes
                    guard count <= Int64(JSONSorter.largestLimit) else {
                        throw UsageError("the maximum is 1G, got '\(argument)'")
                    }
                    return Int(count)
                }, sets: \.maximumFormatted)
        )

        Option(
            "--max-ratio",
            summary: "Maximum ratio of decompression (default: 1000)",
            details: """
                Limits the decoded size of a body that is formatted or shown on a terminal, relative to the received \
                bytes; `0` disables the limit.
                """,
            isRare: true,
            effect: .argument("NUMBER", sets: \.maximumRatio)
        )

        Option(
            "--response-charset",
            summary: "Character set of the body",
            effect: .argument("CHARSET", sets: \.charset)
        )

        Option(
            "--response-mime",
            summary: "Media type of the body, instead of the response's",
            effect: .argument("TYPE", sets: \.mediaType)
        )

        Option(
            "--color",
            summary: "When to use colors: auto, always or never",
            details: "`auto` checks `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`, then the terminal.",
            variables: .ofDefault("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE") { $0.color = nil },
            effect: .argument("WHEN", sets: \.color)
        )

        Option(
            "--progress",
            summary: "Show the progress: auto, always, never or json",
            details: """
                `auto` shows it for downloads to files, and for uploads that are larger than 1 MiB or read from a pipe \
                for more than a second. A terminal shows a bar, other output a line at every tenth of the total or \
                every 30 seconds, and one at the end. `always` shows the bar on other output, too. The output is on \
                standard error. `-q` disables it, unless WHEN is given with it.

                `json` writes an object per line, at most ten per second, with `event` (`progress`), `name`, `phase` \
                (`sending`, `waiting`, `receiving`, and at the end `done` or `failed`), `bytes`, `total`, `resumed`, \
                `rate` in bytes per second, and `eta` and `elapsed` in seconds. With `--input` there is also `url`, and \
                an event `end` for each download, with `url`, `path` (`null` if nothing was saved) and `status`. The \
                lines between them that do not start with a brace are messages.
                """,
            yieldsTo: ["--quiet"],
            effect: .argument("WHEN", sets: \.progress)
        )

        Option(
            "--timing",
            summary: "Show a chart of the timings of each hop",
            excludes: ["--input"],
            effect: .flag(\.showsTiming, sets: true)
        )
    }
}
