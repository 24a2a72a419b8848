internal import AFCore

/// The values of all sources of options: the fold of their assignments.
///
/// No file but the configuration has been read and no prompt shown at this point; a `nil` or empty member was not set.
struct Invocation: Sendable {
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
    var upload = UploadArguments()
    var pages = PageArguments()
    var webSocket = WebSocketArguments()
    var dryRun = DryRunArguments()
    var other = ProgramArguments()
    /// The behavior of curl; the defaults except in curl mode.
    var curlBehavior = CurlBehavior()
    /// The assignments that set these values.
    private(set) var assignments = Assignments()
    /// The target; `nil` if it is not read yet, or not valid.
    var knownTarget: RequestTarget?
    /// The sources of options for each URL of a list; `nil` without a configuration.
    var listSettings: ListSettings?
    /// The alias that the URL may misspell; `nil` if no alias is similar.
    var nearestAlias: String?

    var positionals: [String] {
        get { request.positionals }
        set { request.positionals = newValue }
    }

    /// Returns the error, with the place of its option if it has one.
    func naming(_ error: any Error) -> any Error { assignments.naming(error) }

    /// Returns the error with its option as it was typed, or with the configuration file that sets it.
    func locating<Failure: ArgumentError>(_ error: Failure) -> Failure { assignments.locating(error) }

    /// Whether an option is set by the configuration file.
    func isConfigured(_ option: String) -> Bool { assignments.source(of: option).path != nil }

    /// The positional arguments and the address, read once.
    var target: RequestTarget {
        get throws(UsageError) {
            if let knownTarget { return try knownTarget.with(method: request.method) }
            return try RequestTarget(request)
        }
    }

    /// The options for parsing the URL.
    var addressOptions: Address.Options {
        Address.Options(defaultScheme: request.defaultScheme ?? .http, keepsPath: network.keepsPathAsTyped)
    }

    /// Whether standard input is not read, even if an argument refers to it.
    var refusesStandardInput: Bool { request.ignoresStandardInput && !isConfigured("--ignore-stdin") }

    /// Whether an option has secrets that the configuration has for the host. They are for its origin only.
    var hasSecretOfHost: Bool {
        // With credentials, no netrc file is read.
        let isNetrcUsed = authentication.credential == nil || assignments.source(of: "--auth").isHost
        return assignments.all.contains { assignment in
            assignment.option.relations.holdsCredentials && (isNetrcUsed || assignment.name != "--netrc-file")
                && assignments.source(of: assignment.name).isHost
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

    /// The least important messages that are shown.
    var messageLevel: Messages.Level {
        let level = curlBehavior.hidesWarnings ? .errors : output.level
        return output.hidesNotes ? max(level, .warnings) : level
    }

    /// Whether the request is shown instead of sent.
    var isDryRun: Bool { dryRun.isOffline || dryRun.curl != nil }
}

extension Invocation {
    /// Folds the assignments.
    init(_ assignments: Assignments) {
        self.assignments = assignments
        for layer in assignments.layers { store(layer) }
        // A method among the arguments replaces a configured one; it precedes a URL, except with a list.
        if positionals.count > (download.input == nil ? 1 : 0), positionals[0].isMethod, isConfigured("--method") {
            request.method = nil
        }
        // Those of a host are used after typed ones.
        for assignment in assignments.all where assignment.option.relations.isFirstDecisive {
            restrictRedirects(of: assignment.source)
        }
        setDependentValues()
        authentication.mayBeStored = sessions.session != nil
        if hasSecretOfHost { redirects.trustsOthers = false }
    }

    /// Creates the values of a command line and environment variables.
    init(_ line: ParsedArguments, _ variables: Variables = Variables([:])) {
        var assignments = Assignments()
        assignments.add(ParsedArguments(variables))
        assignments.add(line)
        self.init(assignments)
    }

    /// Parses a command line.
    ///
    /// - Throws: ``UsageError`` with the invalid word.
    init(parsing arguments: [String]) throws(UsageError) {
        let line = Self.parsed(arguments)
        if let error = line.error { throw error }
        self.init(line)
    }

    /// Sets the values that depend on options of several subjects.
    private mutating func setDependentValues() {
        download.hasSeveralRequests = download.input != nil || isSeries
        if download.resume != nil {
            let isOfDownload = download.writesFile || download.input != nil || isConfigured("--resume")
            upload.resumption = isOfDownload ? .download : .upload
        }
        // The file of a download has the complete body: such options are configured for responses that are shown.
        let savesList = download.input != nil && !showsList
        if download.writesFile && !printsToFile || savesList {
            if isConfigured("--filter") { output.filter = nil }
            if isConfigured("--filter-text") { output.textFilter = nil }
        }
        if download.writesFile || savesList {
            if isConfigured("--event") { output.event = nil }
            if isConfigured("--max-messages") { webSocket.maximumMessages = nil }
        }
    }

    private mutating func store(_ layer: ParsedArguments) {
        guard layer.isHost else {
            layer.store(in: &self)
            if layer.assignments.first?.source.path != nil { request.moveHeadersToConfiguration() }
            return
        }
        let earlier = self
        layer.store(in: &self)
        request.moveHeadersToHost()
        var tls = tls
        tls.showsCertificates = earlier.tls.showsCertificates
        guard tls != earlier.tls || !network.hasSameRoute(as: earlier.network) else { return }
        if let source = layer.assignments.first?.source { restrictRedirects(of: source) }
    }

    /// Restricts redirects to the host or the origin that settings for the connection are for.
    private mutating func restrictRedirects(of source: AssignmentSource) {
        guard case .host(_, _, let isOrigin) = source else { return }
        if isOrigin { redirects.scope = .origin }
        if redirects.scope == .anywhere { redirects.scope = .host }
    }

    /// Parses the words of a source.
    static func parsed(_ arguments: [String], from source: AssignmentSource = .typed) -> ParsedArguments {
        // The option is not applied: it may need an argument.
        if arguments.count == 2, arguments[0] == "help", arguments[1].hasPrefix("-"),
            let help = options.option(named: "--help"),
            let topic = try? Assignment(help, arguments[1], spelling: "--help", source)
        {
            return ParsedArguments(assignments: [topic])
        }
        var parser = Parser(arguments, options, source)
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
                // The value may be a secret.
                let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
                throw UsageError(
                    "argument \(known: index + 1) is not UTF-8", argument: options.option(named: name)?.entry.name,
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
    static let options: OptionTable = {
        var all: [Option<Invocation>] = []
        all.reserveCapacity(256)
        func add<Part>(
            _ options: [Option<Part>],
            of part: @autoclosure @escaping Option<Invocation>.Slot<Part>,
            in section: String
        ) {
            for option in options { all.append(Option(option, of: part, in: section)) }
        }
        add(RequestArguments.options, of: \.request, in: "Request")
        add(AuthenticationArguments.options, of: \.authentication, in: AuthenticationArguments.section)
        add(RedirectArguments.options, of: \.redirects, in: "Redirects")
        add(SessionArguments.options, of: \.sessions, in: "Sessions")
        add(TLSArguments.options, of: \.tls, in: "TLS")
        add(NetworkArguments.options, of: \.network, in: "Network")
        add(NetworkArguments.messageOptions, of: \.network, in: "Network")
        add(RetryArguments.options, of: \.retry, in: "Retry")
        add(ValidationArguments.options, of: \.validation, in: "Validation")
        add(DownloadArguments.options, of: \.download, in: "Download")
        add(UploadArguments.options, of: \.upload, in: "Upload")
        add(PageArguments.options, of: \.pages, in: "Pages")
        add(OutputArguments.options, of: \.output, in: "Output")
        add(ReportArguments.options, of: \.reports, in: "Output")
        add(WebSocketArguments.options, of: \.webSocket, in: "WebSocket")
        add(DryRunArguments.options, of: \.dryRun, in: "Dry run")
        add(ProgramArguments.options, of: \.other, in: "Other")
        return OptionTable(all: all)
    }()
}

extension OptionEntry {
    /// All options, in the order of the help.
    package static var all: [OptionEntry] { Invocation.options.entries }

    /// The methods that the completions offer.
    package static var suggestedMethods: [String] { RequestArguments.suggestedMethods }
}
