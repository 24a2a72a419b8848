extension Invocation {
    struct Other: Equatable, Sendable {
        var configuration: ConfigurationChoice?
        var help: HelpTopic?
        var showsVersion = false
        var document: GeneratedDocument?
        var isDebugging = false
    }
}

/// What `--help` was asked about.
enum HelpTopic: Equatable, Sendable, ArgumentValue {
    case everything
    /// One option, by its name in the table, dashes included.
    case option(String)

    static var hint: Option.Hint { .option }

    init(argument: String) throws(UsageError) {
        let name = argument.drop { $0 == "-" }
        if name.isEmpty {
            self = .everything
        } else if name.count == 1, let letter = name.first, let option = OptionTable.find(letter: letter) {
            self = .option(option.name)
        } else {
            self = .option(try OptionTable.find(long: name).option.name)
        }
    }
}

extension Option {
    static let configuration = Option(
        "--config",
        in: .other,
        summary: "Read this configuration file",
        details: """
            A JSON object with `default_options`, an array of options as they would be typed, and `default_scheme`, \
            `http` or `https`. What is typed goes before it, and so do the variables of the environment. Without this \
            option the file is `config.json` in the configuration folder.
            """,
        effect: .argument("FILE", sets: \.other.configuration)
    )

    static let noConfiguration = Option(
        "--no-config",
        in: .other,
        summary: "Read no configuration file",
        effect: .flag(\.other.configuration, sets: ConfigurationChoice.none)
    )

    static let help = Option(
        "--help",
        in: .other,
        summary: "Show this help, or all about one option",
        details: "`afcli --help=timeout` shows what there is to know about `--timeout`.",
        effect: .optionalArgument("OPTION", sets: \.other.help, orElse: .everything)
    )

    static let version = Option(
        "--version",
        in: .other,
        summary: "Show the version, the libraries and the features",
        details: "With `--json` as a JSON object. Each library is either inside the program or the system's.",
        effect: .flag(\.other.showsVersion, sets: true)
    )

    static let generate = Option(
        "--generate",
        in: .other,
        summary: "Write the manual page or a shell's completions",
        isHidden: true,
        effect: .argument("KIND", sets: \.other.document)
    )

    static let debug = Option(
        "--debug",
        in: .other,
        summary: "Show what happens inside, for bug reports",
        effect: .flag(\.other.isDebugging, sets: true)
    )
}
