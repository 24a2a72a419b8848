internal import AFHTTP

/// The output options, as typed.
struct OutputArguments: OptionValues {
    var parts: MessageParts?
    var historyParts: MessageParts?
    var verbosity = 0
    var quietness = 0
    var pretty: Pretty?
    var style: Theme?
    var isStreamed = false
    /// The values of `--format-options`, `--sorted` and `--unsorted`, to be applied in order.
    var format: [FormatOption] = []
    var maximumFormatted: FormattedSize?
    var maximumRatio: DecodingRatio?
    var charset: String?
    var mediaType: MediaType?
    var color: Color?
    var progress: ProgressDisplay?
    var showsTiming = false

    enum Pretty: String, ArgumentValue, CaseIterable { case all, colors, format, none }

    enum Color: String, ArgumentValue, CaseIterable { case auto, always, never }
}

extension Theme: ArgumentValue {}

extension OutputArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-p", "--print",
            summary: "What to show, by letters: HBhbm",
            details: """
                `H` and `B` are the request's head and body, `h` and `b` the response's, `m` its timings. On a \
                terminal the default is `hb`, elsewhere `b`.
                """,
            effect: .argument("LETTERS", sets: \.parts)
        )

        Option(
            "-P", "--history-print",
            summary: "What to show of hops before the last, with --all",
            details: """
                Letters as of --print, whose own are used unless these are given. Hops are redirects, rounds of \
                authentication, interim responses and those that another try replaces; `--all` or `-v` shows them.
                """,
            effect: .argument("LETTERS", sets: \.historyParts)
        )

        Option(
            "-h", "--headers",
            summary: "Show only the response's head: the same as -p h",
            effect: .flag(\.parts, sets: .responseHead)
        )

        Option(
            "-b", "--body",
            summary: "Show only the response's body: the same as -p b",
            effect: .flag(\.parts, sets: .responseBody)
        )

        Option(
            "-m", "--meta",
            summary: "Show only timings and sizes: the same as -p m",
            effect: .flag(\.parts, sets: .metadata)
        )

        Option(
            "-v", "--verbose",
            summary: "Show the request too, and every hop; -vv: timings",
            effect: .count(\.verbosity)
        )

        Option(
            "-q", "--quiet",
            summary: "Show only errors and warnings; -qq: only errors",
            effect: .count(\.quietness)
        )

        Option(
            "--pretty",
            summary: "Colour and format what is shown",
            details: "`all` on a terminal, `none` elsewhere, unless given.",
            effect: .argument("STYLE", sets: \.pretty)
        )

        Option(
            "-s", "--style",
            summary: "Colours: auto, ocean, meadow, ember, dusk or mono",
            details: """
                `auto` takes the 16 colours of the terminal's own theme, `mono` none at all. The others have colours \
                of their own, which are readable on light and on dark backgrounds, and fall back to `auto` unless \
                `TERM` or `COLORTERM` tells of 256 colours.
                """,
            effect: .argument("NAME", sets: \.style)
        )

        Option(
            "-S", "--stream",
            summary: "Show each line of the body as soon as it arrives",
            details: """
                Events and lines of JSON are shown as they arrive without it. With it nothing is held back to be \
                sorted or laid out anew.
                """,
            effect: .flag(\.isStreamed, sets: true)
        )

        Option(
            "--sorted", "--no-unsorted",
            summary: "Sort headers by name and JSON by key",
            effect: .flag(\.format, appends: [.headersSort(true), .jsonSortKeys(true)])
        )

        Option(
            "--unsorted", "--no-sorted",
            summary: "Keep the order of headers and keys (the default)",
            effect: .flag(\.format, appends: [.headersSort(false), .jsonSortKeys(false)])
        )

        Option(
            "--format-options",
            summary: "Set details of formatting: json.indent:2",
            details: """
                `headers.sort:BOOL`, `json.format:BOOL`, `json.indent:NUMBER`, `json.sort_keys:BOOL`, \
                `xml.format:BOOL`, `xml.indent:NUMBER`, several separated by commas. May be repeated.
                """,
            effect: .list("OPTIONS", appendsTo: \.format)
        )

        Option(
            "--max-formatted",
            summary: "Hold back at most so many bytes (256M), to sort JSON",
            details: """
                Sorting JSON and laying out XML need the whole body. A larger one is shown as it comes, with a \
                warning. `--expect-json` looks into no larger one either. The most is `1G`.
                """,
            effect: .argument("BYTES", sets: \.maximumFormatted)
        )

        Option(
            "--max-ratio",
            summary: "Show no body that unpacks to more times its size (1000)",
            details: """
                A body that is formatted, or shown on a terminal, may become 1000 times as long by decoding, unless \
                given; `0` lifts the limit.
                """,
            effect: .argument("NUMBER", sets: \.maximumRatio)
        )

        Option(
            "--response-charset",
            summary: "Read the body's text in this character set",
            effect: .argument("CHARSET", sets: \.charset)
        )

        Option(
            "--response-mime",
            summary: "Show the body as if it had this media type",
            effect: .argument("TYPE", sets: \.mediaType)
        )

        Option(
            "--color",
            summary: "Use colours: auto, always or never",
            details: "`auto` looks at `NO_COLOR`, `FORCE_COLOR`, `CLICOLOR_FORCE`, then at the terminal.",
            effect: .argument("WHEN", sets: \.color)
        )

        Option(
            "--progress",
            summary: "Show progress: auto, always, never or json",
            details: """
                `auto` tells of downloads into files, and of bodies that are sent if they are longer than 1 MiB or \
                come from a pipe for more than a second: on a terminal as a bar, elsewhere as a line at every tenth of \
                the way or every 30 seconds, and one at the end. `always` draws the bar elsewhere too. `json` writes \
                an object on a line for each event, ten a second at most. It goes to standard error; `-q` leaves it \
                out.
                """,
            effect: .argument("WHEN", sets: \.progress)
        )

        Option(
            "--timing",
            summary: "Draw where the time went, hop by hop",
            effect: .flag(\.showsTiming, sets: true)
        )
    }
}
