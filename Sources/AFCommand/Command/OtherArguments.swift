/// The options about the program itself, as typed.
struct OtherArguments: OptionValues {
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
        if name.isEmpty {
            self = .everything
        } else if name.count == 1, let letter = name.first, let option = Invocation.options.find(letter: letter) {
            self = .option(option.entry.name)
        } else {
            self = .option(try Invocation.options.find(long: name).option.entry.name)
        }
    }
}

extension OtherArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--config",
            summary: "Read this configuration file",
            details: """
                A JSON object with `default_options`, an array of options as they would be typed, and \
                `default_scheme`, `http` or `https`. What is typed goes before it, and so do the variables of the \
                environment. Without this option the file is `config.json` in the configuration folder.
                """,
            effect: .argument("FILE", sets: \.configuration)
        )

        Option(
            "--no-config",
            summary: "Read no configuration file",
            effect: .flag(\.configuration, sets: ConfigurationChoice.none)
        )

        Option(
            "--help",
            summary: "Show this help, or all about one option",
            details: "`afcli --help=timeout` shows what there is to know about `--timeout`.",
            effect: .optionalArgument("OPTION", sets: \.help, orElse: .everything)
        )

        Option(
            "--version",
            summary: "Show the version, the libraries and the features",
            details: "With `--json` as a JSON object. Each library is either inside the program or the system's.",
            effect: .flag(\.showsVersion, sets: true)
        )

        Option(
            "--generate",
            summary: "Write the manual page or a shell's completions",
            isHidden: true,
            effect: .argument("KIND", sets: \.document)
        )

        Option(
            "--debug",
            summary: "Show what happens inside, for bug reports",
            effect: .flag(\.isDebugging, sets: true)
        )
    }
}
