/// The values of a parsed command line, without defaults.
///
/// No file has been read and no prompt shown at this point; a `nil` or empty member was not typed.
struct Invocation: CommandLineValues {
    var request = RequestArguments()
    var authentication = AuthenticationArguments()
    var redirects = RedirectArguments()
    var sessions = SessionArguments()
    var tls = TLSArguments()
    var network = NetworkArguments()
    var retry = RetryArguments()
    var validation = ValidationArguments()
    var download = DownloadArguments()
    var output = OutputArguments()
    var reports = ReportArguments()
    var webSocket = WebSocketArguments()
    var dryRun = DryRunArguments()
    var other = OtherArguments()
    private var spellings = Spellings()

    var positionals: [String] {
        get { request.positionals }
        set { request.positionals = newValue }
    }

    /// Lets typed values take precedence over configured ones where options add up.
    ///
    /// - Parameter typed: The command line without the configuration file.
    mutating func prefer(_ typed: Invocation) {
        authentication.prefer(typed.authentication)
        request.isInputIgnoredByDefault = request.ignoresStandardInput && !typed.request.ignoresStandardInput
        retry.hasConfiguredConditions = typed.retry.conditions == nil
        // The first rule that matches is used.
        let configured = network.connectTo.dropLast(typed.network.connectTo.count)
        network.connectTo = typed.network.connectTo + configured
        if !typed.tls.pins.isEmpty { tls.pins = typed.tls.pins }
        if typed.download.overwritesLinks || typed.download.skipsExisting {
            download.keepsExisting = typed.download.keepsExisting
        }
        if typed.download.keepsExisting {
            download.overwritesLinks = typed.download.overwritesLinks
            download.skipsExisting = typed.download.skipsExisting
        }
        if typed.tls.verification != nil {
            (tls.authorityFile, tls.authorityDirectory) = (typed.tls.authorityFile, typed.tls.authorityDirectory)
        }
    }

    mutating func append(_ positional: String) { request.positionals.append(positional) }

    mutating func note(_ spelling: String, of option: String) {
        spellings.values[option] = spelling
        spellings.sources[option] = nil
    }

    /// Lets errors about these options name the configuration file.
    mutating func noteSource(_ path: String) { spellings.sources = spellings.values.mapValues { _ in path } }

    /// The names of the options that were typed.
    var typedOptions: [String] { spellings.values.keys.sorted() }

    /// Returns the error with its option as it was typed, or with the configuration file that sets it.
    func naming(_ error: any Error) -> any Error {
        switch error {
        case let error as UsageError:
            var named = error.renaming { spellings.values[$0] }
            named.source = error.argument.flatMap { spellings.sources[$0] }
            return named
        case let error as FileProblem:
            var named = error.renaming { spellings.values[$0] }
            named.source = error.argument.flatMap { spellings.sources[$0] }
            return named
        default: return error
        }
    }

    /// The topic of `--help` or `afcli help`; `nil` if neither was typed.
    var helpTopic: HelpTopic? {
        get throws(UsageError) {
            if other.help == .overview, positionals.count == 1, let topic = try? HelpTopic(argument: positionals[0]) {
                return topic
            }
            if let topic = other.help { return topic }
            guard positionals.first == "help" else { return nil }
            if positionals.count > 2 {
                // With items it is a request, even if its method is not a usual one.
                guard request.method == nil, (try? RequestItem(positionals[2])) == nil else { return nil }
                throw UsageError(
                    "takes one topic", argument: "afcli help", hint: "to send the method HELP: --method HELP")
            }
            return positionals.count == 1 ? .overview : try HelpTopic(argument: positionals[1])
        }
    }

    /// Whether the request is shown instead of sent.
    var isDry: Bool { dryRun.isOffline || dryRun.curl != nil }
}

/// The latest spelling of each typed option, by its name. Two spellings of an option are equal.
private struct Spellings: Equatable, Sendable {
    var values: [String: String] = [:]
    /// The files of those options that were not typed.
    var sources: [String: String] = [:]

    static func == (first: Self, second: Self) -> Bool { true }
}

extension Invocation {
    /// Parses a command line.
    ///
    /// - Parameter defaults: The values that the arguments override.
    /// - Throws: ``UsageError`` with the invalid word.
    init(parsing arguments: [String], over defaults: Invocation = Invocation()) throws(UsageError) {
        let (invocation, error) = Self.parsed(arguments, over: defaults)
        if let error { throw error }
        self = invocation
    }

    /// Parses a command line.
    ///
    /// - Returns: The values, and the error of the first invalid word.
    static func parsed(
        _ arguments: [String],
        over defaults: Invocation = Invocation()
    ) -> (values: Invocation, error: UsageError?) {
        // The option is not applied: it may need an argument.
        if arguments.count == 2, arguments[0] == "help", arguments[1].hasPrefix("-"),
            let topic = try? HelpTopic(argument: arguments[1])
        {
            var invocation = Invocation()
            invocation.other.help = topic
            return (invocation, nil)
        }
        var parser = Parser(arguments, options, over: defaults)
        return parser.parse()
    }

    /// Returns the arguments as strings.
    ///
    /// `CommandLine.arguments` puts U+FFFD where the bytes are not UTF-8, which would then be sent in their place.
    ///
    /// - Parameter rawArguments: The arguments as the system passes them, without the program's name.
    /// - Throws: ``UsageError`` with the position of the first argument that is not UTF-8.
    static func decoded(_ rawArguments: [[UInt8]]) throws(UsageError) -> [String] {
        var arguments: [String] = []
        for (index, bytes) in rawArguments.enumerated() {
            guard let argument = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                throw UsageError(
                    "argument \(known: index + 1) is not UTF-8: '\(shown)'",
                    hint: "put the bytes into a file and name the file: name=@FILE or --raw @FILE"
                )
            }
            arguments.append(argument)
        }
        return arguments
    }
}

extension Invocation {
    /// All options. The parser, the help, the manual page and the completions are derived from this table.
    static let options: OptionTable<Invocation> = {
        var all: [Option<Invocation>] = []
        func add<Part>(
            _ options: [Option<Part>],
            of part: @autoclosure @escaping Option<Invocation>.Slot<Part>,
            in section: String
        ) {
            for option in options { all.append(Option(option, of: part, in: section)) }
        }
        add(RequestArguments.options, of: \.request, in: "Request")
        add(AuthenticationArguments.options, of: \.authentication, in: "Authentication")
        add(RedirectArguments.options, of: \.redirects, in: "Redirects")
        add(SessionArguments.options, of: \.sessions, in: "Sessions")
        add(TLSArguments.options, of: \.tls, in: "TLS")
        add(NetworkArguments.options, of: \.network, in: "Network")
        add(RetryArguments.options, of: \.retry, in: "Retry")
        add(ValidationArguments.options, of: \.validation, in: "Validation")
        add(DownloadArguments.options, of: \.download, in: "Download")
        add(OutputArguments.options, of: \.output, in: "Output")
        add(ReportArguments.options, of: \.reports, in: "Output")
        add(WebSocketArguments.options, of: \.webSocket, in: "WebSocket")
        add(DryRunArguments.options, of: \.dryRun, in: "Dry run")
        add(OtherArguments.options, of: \.other, in: "Other")
        return OptionTable(
            all: all,
            hintForForeign: CurlHints.hint(for:),
            hintForArgument: CurlHints.hint(for:before:at:)
        )
    }()
}
