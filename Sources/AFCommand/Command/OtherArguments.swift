/// The options about the program itself, as typed.
struct OtherArguments: Equatable, Sendable {
    var configuration: ConfigurationChoice?
    var help: HelpTopic?
    var showsVersion = false
    var document: GeneratedDocument?
    var isDebugging = false
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
                    "unknown help topic '\(argument)'", argument: "--help", hint: "afcli --help=all shows all options")
            }
            self = names.count == 1 ? .option(first) : .search(String(name))
        }
    }

    /// The topics besides options and their headings.
    static let pages: [String: HelpTopic] = [
        "all": .all, "common options": .overview, "examples": .examples, "items": .items,
    ]
}

extension OtherArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--config",
            summary: "Read this configuration file",
            details: """
                A JSON object. `default_options` is an array of options as on the command line. `default_scheme` is \
                `http` or `https`. `hosts` is described below. The command line overrides environment variables, and \
                these override `default_options`. The default is `config.json` in the configuration directory.

                `hosts` has settings for requests to a host: `"api.example.org": {"options": ["--auth=env:TOKEN"], \
                "headers": {"X-Version": "2"}}`. A name may be `*.example.org`, which matches all hosts below it, and \
                may have a scheme and a port, which are compared with the typed URL. More specific names take \
                precedence, and `hosts` over `default_options`. With a `url`, the name is an alias of letters, digits, \
                `-` and `_`: with `"gh": {"url": "https://api.github.com"}`, the URL `gh/user` is \
                `https://api.github.com/user`. After a redirect, the credentials of a host are not sent to other \
                origins, and its headers not to other hosts. If a host has options for TLS, proxies or addresses, a \
                redirect to another host fails with the exit status 6. If the name has a scheme or port, so does a \
                redirect to another origin. The settings for the target of a redirect are not used. `hosts` does not \
                apply to `--input` and to curl commands. `--debug` lists the options that the file sets.
                """,
            scope: .commandLine,
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
            effect: .flag(\.showsVersion, sets: true)
        )

        Option(
            "--generate",
            summary: "Write the manual page or a shell's completions",
            isHidden: true,
            scope: .commandLine,
            effect: .argument("KIND", sets: \.document)
        )

        Option(
            "--debug",
            summary: "Show internal events, for bug reports",
            effect: .flag(\.isDebugging, sets: true)
        )
    }
}
