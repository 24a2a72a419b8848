/// What the command line says, and nothing that it does not say.
///
/// No file has been read and no terminal asked when this exists; a `nil` or empty member was not typed.
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
    var records = ReportArguments()
    var dryRun = DryRunArguments()
    var other = OtherArguments()

    var positionals: [String] {
        get { request.positionals }
        set { request.positionals = newValue }
    }

    mutating func append(_ positional: String) { request.positionals.append(positional) }

    /// Whether the request is shown instead of sent.
    var isDry: Bool { dryRun.isOffline || dryRun.curl != nil }
}

extension Invocation {
    /// - Parameter defaults: What holds where the arguments say nothing.
    /// - Throws: ``UsageError`` that names the word at fault.
    init(parsing arguments: [String], over defaults: Invocation = Invocation()) throws(UsageError) {
        var parser = Parser(arguments, Self.options, over: defaults)
        self = try parser.parse()
    }

    /// Takes the arguments as the system hands them over, the program's name left out.
    ///
    /// `CommandLine.arguments` puts U+FFFD where the bytes are not UTF-8, which would then be sent in their place.
    ///
    /// - Throws: ``UsageError`` with the position of the first argument that is not UTF-8.
    static func text(of rawArguments: [[UInt8]]) throws(UsageError) -> [String] {
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
    /// Every option. The parser, the help, the manual page and the completions read this table and nothing else.
    static let options = OptionTable(
        all: lifted(RequestArguments.options, to: \.request)
            + lifted(AuthenticationArguments.options, to: \.authentication)
            + lifted(RedirectArguments.options, to: \.redirects)
            + lifted(SessionArguments.options, to: \.sessions)
            + lifted(TLSArguments.options, to: \.tls)
            + lifted(NetworkArguments.options, to: \.network)
            + lifted(RetryArguments.options, to: \.retry)
            + lifted(ValidationArguments.options, to: \.validation)
            + lifted(DownloadArguments.options, to: \.download)
            + lifted(OutputArguments.options, to: \.output)
            + lifted(ReportArguments.options, to: \.records)
            + lifted(DryRunArguments.options, to: \.dryRun)
            + lifted(OtherArguments.options, to: \.other),
        hintForForeign: { curlOptions[$0].map { "as in curl? Here it is \($0)" } }
    )

    private static func lifted<Part>(
        _ options: [Option<Part>],
        to part: @autoclosure @escaping Option<Invocation>.Slot<Part>
    ) -> [Option<Invocation>] {
        options.map { Option($0, of: part) }
    }

    /// Options that people who know curl look for, and what does the same here.
    private static let curlOptions = [
        "cookie": "an item: 'Cookie:name=value'", "data": "items or --raw: name=value, --raw TEXT",
        "data-raw": "--raw TEXT", "data-binary": "--raw @FILE", "data-urlencode": "an item: name=value with --form",
        "fail": "the default; --no-check-status undoes it", "head": "the method: afcli head URL",
        "include": "--print=hb", "insecure": "--verify=no", "json": "--raw TEXT, or items: name=value",
        "location": "--follow", "request": "--method, or the method before the URL", "silent": "--quiet",
        "url": "the URL without an option", "user": "--auth", "user-agent": "an item: User-Agent:NAME",
        "referer": "an item: Referer:URL", "get": "the method: afcli get URL name==value",
    ]
}
