/// The options about the program itself, as typed.
struct ProgramArguments: Equatable, Sendable {
    var configuration: ConfigurationChoice?
    var help: HelpTopic?
    var showsVersion = false
    var isDebugging = false
    /// Whether long output is not paged.
    var omitsPager = false
}

extension HelpTopic: ArgumentValue {
    static var hint: ArgumentHint { .option }

    init(argument: String) throws(UsageError) {
        let name = argument.drop { $0 == "-" }
        let options = Invocation.options.entries
        if name.isEmpty {
            self = .overview
        } else if let topic = Self.pages[argument.lowercased().replacing("-", with: " ")] {
            self = topic
        } else if let option = options.first(where: { $0.longSpellings.contains(Substring(name.lowercased())) }) {
            self = .option(option.name)
        } else if let section = options.section(titled: argument) {
            self = .section(title: section.title)
        } else if name.count == 1, let letter = name.first, let option = Invocation.options.find(letter: letter) {
            self = .option(option.entry.name)
        } else if argument.hasPrefix("-"), let match = try? Invocation.options.find(long: Substring(name.lowercased()))
        {
            self = .option(match.option.entry.name)
        } else {
            // A URL is no word, and a search for a long text is slow.
            let isWord = name.utf8.count <= 40 && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
            let found = isWord ? options.found(by: String(name)) : (inSummary: [], inDetails: [])
            let names = (found.inSummary + found.inDetails).map(\.name)
            guard let first = names.first else {
                throw UsageError(
                    "unknown help topic '\(argument)'", argument: "--help",
                    hint: "afcli --help=all shows all options, and man afcli the manual")
            }
            self = names.count == 1 ? .option(first) : .search(String(name))
        }
    }

    /// The topics besides options and their headings.
    static let pages: [String: HelpTopic] = [
        "all": .all, "common options": .overview, "examples": .examples, "items": .items,
    ]
}

extension ProgramArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--config",
            summary: "Read this configuration file",
            details: """
                A JSON object with `default_options`, `default_scheme` and `hosts`, as in the section CONFIGURATION of the \
                manual. The default is `config.json` in the configuration directory.
                """,
            scope: .commandLine,
            repetition: .error,
            effect: .argument("FILE", sets: \.configuration)
        )

        Option(
            "--no-config",
            summary: "Do not read a configuration file",
            scope: .commandLine,
            effect: .flag(\.configuration, sets: ConfigurationChoice.none)
        )

        Option(
            "--help",
            summary: "Show the common options, all options or one topic",
            details: """
                `--help=all` shows all options, `--help=network` the options of one section, `--help=items` the \
                notations of items, and `--help=timeout` the description of an option. Any other word shows the options \
                with it in the name, summary or description. `afcli help timeout` is equivalent to `--help=timeout`.
                """,
            scope: .commandLine,
            effect: .optionalArgument("TOPIC", sets: \.help, orElse: .overview)
        )

        Option(
            "--version",
            summary: "Show the version, the libraries and the features",
            details: """
                With `--json`, the output is a JSON object. It indicates which libraries are statically linked and \
                which are the system's.
                """,
            scope: .commandLine,
            curl: [.translated("version", "V")],
            effect: .flag(\.showsVersion, sets: true)
        )

        Option(
            "--no-pager",
            summary: "Do not show long output in a pager",
            details: """
                On a terminal, a response that is longer than the screen is shown by the program of `PAGER`, by default \
                less with `LESS=FRX` if `LESS` is not set. An empty `PAGER` or `cat` has the effect of this option. \
                Slow responses, event streams, JSON lines, WebSocket messages and `--stream` are not paged.
                """,
            effect: .flag(\.omitsPager, sets: true)
        )

        Option(
            "--debug",
            summary: "Show internal events, for bug reports",
            effect: .flag(\.isDebugging, sets: true)
        )
    }
}
