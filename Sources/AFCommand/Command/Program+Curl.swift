internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// `afcli curl`: a command line of curl is translated and run.
extension Program {
    /// Runs a command line of curl.
    ///
    /// - Parameter words: The words after `curl`; a single `-` reads a command from standard input.
    /// - Returns: curl's exit number.
    func runCurl(_ words: [String]) -> ExitStatus {
        do {
            return try executeCurl(words)
        } catch {
            let problem = error as? FileProblem
            let hinted = problem?.hint.flatMap { problem?.hinting(CurlNotation.hint($0)) }
            var environment = environment
            environment.messageStyle = .curl(hidesErrors: false)
            return Program(environment).fail(hinted ?? error).ofCurl(Diagnosis(error).curlCode)
        }
    }

    private func executeCurl(_ words: [String]) throws -> ExitStatus {
        var environment = environment
        environment.files.expandsHome = false
        var input = InputReader(environment.files, environment.standardInput, mayReadStandardInput: true)
        var words = words
        let isPasted = words.filter { !CurlOption.ofAfcli.contains($0) } == ["-"]
        if isPasted { words = try words.filter { $0 != "-" } + pastedWords(&input) }
        environment.messageStyle = .curl(hidesErrors: false)
        switch words.first {
        case "-h", "--help":
            return Program(environment).show(words.count > 1 ? CurlOption.list : Self.curlHelp).ofCurl(nil)
        default: break
        }
        // Options without arguments may precede it.
        if words.allSatisfy({ $0.hasPrefix("-") }), words.contains(where: CurlOption.isVersion) {
            return Program(environment).show(VersionReport().curlText).ofCurl(nil)
        }
        let line = try CurlCommandLine(
            words, CurlOption.all, offset: isPasted ? nil : 1, environment: environment.variables,
            files: environment.files, input)
        environment.hideArguments(line.secrets)
        let messages = Messages(environment)
        for warning in line.warnings { messages.warning(warning) }
        if let path = line.groups.compactMap(\.errorFile).last { environment.redirectErrors(to: path) }
        if let trace = environment.trace(of: line) {
            environment.eventHandler = TransferEventHandler(CurlTrace.kinds) { trace.note($0) }
        }
        environment.hintNotation = { CurlNotation.hint($0) }
        // curl ignores it, as it may be a field of a CGI request.
        let hasUnusedProxy = environment.variables["HTTP_PROXY"] != nil && environment.variables["http_proxy"] == nil
        environment.variables = environment.variables.ofCurl
        // Pipes are read, and passwords are asked for, once for all URLs.
        environment.files = environment.files.remembering()
        environment.credentials = environment.credentials.remembering().withEmptyPassword()
        let uses = line.groups.map(\.inputUses).reduce(line.input.isStandardInputTaken ? 1 : 0, +)
        guard uses <= 1 else { throw UsageError("standard input can be read only once").numbered(2) }
        let (transfers, failure) = line.transfers
        if line.input.isStandardInputTaken {
            environment.standardInput = .taken
        } else if zip(line.groups, transfers).contains(where: { $0.inputUses > 0 && $1.count > 1 }) {
            environment.standardInput = .complete(try environment.standardInput.readAll())
        }
        // As in curl, which creates parallel transfers before it sends them.
        let isRun = failure == nil || !line.runsInParallel
        let status =
            isRun ? try CurlRunner(line, transfers, hasUnusedProxy: hasUnusedProxy, environment).run() : .success
        guard let failure, !status.isInterruption, status == .success || !line.failsEarly else { return status }
        environment.messageStyle = .curl(hidesErrors: failure.isHidden)
        return Program(environment).fail(failure.error)
            .ofCurl(Diagnosis(failure.error).curlCode)
    }

    /// Prints the command of afcli for a transfer.
    func show(_ transfer: CurlTranslation, _ style: CurlCommandLine.PrintedForm, _ line: CurlCommandLine)
        -> ExitStatus
    {
        let home = environment.variables["HOME"].map { "\($0)/.netrc" }
        let netrc = environment.variables["NETRC"] ?? home
        let hasNetrc = netrc.map { (try? environment.files.describe($0)) != nil } ?? false
        let printer = CurlPrinter(transfer, revealsSecrets: line.showsSecrets, hasNetrc: hasNetrc)
        return show(printer.text(style) + "\n")
    }

    /// Returns the words after `curl` of a command on standard input.
    private func pastedWords(_ input: inout InputReader) throws -> ArraySlice<String> {
        let pasted = try ShellWords.split(input.text("-", .configuration), variables: environment.variables)
        let command = pasted.first == "$" ? pasted.dropFirst() : pasted[...]
        guard let name = command.first,
            name == "curl" || name.hasSuffix("/curl") || name.lowercased().hasSuffix("curl.exe")
        else {
            let problem: UsageError.Problem =
                command.isEmpty ? "standard input is empty" : "standard input does not begin with 'curl'"
            throw UsageError(problem, argument: "-", hint: "paste a command such as: curl https://example.org")
        }
        return command.dropFirst()
    }

    /// Reports an error before the request of a curl command.
    ///
    /// - Parameter isWritten: Whether the template of `--write-out` is written; not one with files, which are not checked.
    func fail(_ error: any Error, of group: CurlArguments, isWritten: Bool) -> ExitStatus {
        let status = fail(error)
        var input = InputReader(environment.files, .taken, mayReadStandardInput: false)
        guard isWritten, let text = try? CurlTranslation.template(group, &input)?.text,
            let template = try? WriteOutTemplate(text), !template.writesFiles
        else { return status }
        var plan = RecordPlan()
        plan.writeOut = template
        let recorder = Recorder(plan, environment, Messages(environment))
        recorder.record(error)
        return recorder.writeReports(status, attempts: [])
    }

    private static let curlHelp = """
        Usage: afcli curl [OPTION ...] URL ...
               afcli curl -

        Runs a command line of curl; - reads it from standard input.
        --offline shows the requests; --show-command prints the commands of afcli
        (--show-command-long with all options, --show-secrets with secrets).
        The section COMING FROM CURL of afcli(1) describes the differences.
        For all options use the manual or "--help all".

        """

    /// Executes a transfer.
    ///
    /// - Parameter plans: The plans of the transfers before it.
    func execute(_ transfer: CurlTranslation, _ plans: CurlPlans) throws -> ExitStatus {
        var environment = environment
        environment.place.path = transfer.outputPath
        environment.place.sendsReferer = transfer.behavior.sendsReferer
        environment.place.printsHeaders = transfer.behavior.printsHeaders
        environment.place.hidesErrorBodies = transfer.behavior.hidesErrorBodies
        if let planned = plans.planned(transfer, environment) {
            environment.files.waits.apply(planned.invocation.network)
            return Program(environment).execute(planned)
        }
        do {
            let invocation = try Invocation(transfer, environment.variables)
            environment.files.waits.apply(invocation.network)
            if let error = transfer.urlError { return Program(environment).fail(error, of: invocation) }
            return try Program(environment).execute(invocation) { plans.add($0, of: transfer) }
        } catch var error as UsageError {
            error.argument = error.argument.map { CurlNotation.names[$0] ?? $0 }
            error.hint = error.hint.map(CurlNotation.hint)
            throw error
        }
    }
}

extension CurlOption {
    /// The options of curl, of which some have the meaning of one of afcli.
    static let all =
        own
        + Invocation.options.all.flatMap { option in
            option.relations.curl.filter { !$0.isTranslated }.map {
                CurlOption($0, of: option.entry, secrets: option.relations.secrets)
            }
        }
}

extension CurlOption {
    /// Whether a word has the option `--version`, also after other letters: `-sV`.
    fileprivate static func isVersion(_ word: String) -> Bool {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return word == "--version" }
        let letters = word.dropFirst().prefix { $0 != "V" }
        return letters.count + 1 < word.count && letters.allSatisfy { all.find(letter: $0)?.takesArgument == false }
    }

    /// The options that have an effect, a line each, as `--help all` of curl lists them.
    static var list: String {
        let names = all.filter { !$0.isWithoutEffect }.sorted { $0.name < $1.name }.map { option in
            let letter = option.letter.map { "-\($0)," } ?? "   "
            return " \(letter) --\(option.name)\(option.takesArgument ? " <value>" : "")\n"
        }
        return names.joined()
    }

    private var isWithoutEffect: Bool {
        switch effect {
        case .ignored, .foreign, .ineffective, .unsupported: true
        case .same(let option, _): !option.isOffered
        default: false
        }
    }
}

extension CurlArguments {
    /// A URL with its index in the group, and the file that it uploads.
    typealias Transfer = (index: Int, upload: String?, match: CurlGlob.Match)

    /// The transfers of the group: each URL for each of its files, and the error of an invalid pattern, at which they
    /// end.
    fileprivate var transfers: (list: [Transfer], error: UsageError?) {
        var transfers: [Transfer] = []
        do throws(UsageError) {
            if urls.isEmpty { throw Self.missingURL(isFirst: false) }
            for (index, url) in urls.enumerated() {
                // An empty name is no upload.
                let upload = index < uploads.count ? uploads[index] : ""
                let files = try upload.isEmpty ? [nil] : matches(upload).map(\.url)
                for file in files { transfers += try matches(url).map { (index, file, $0) } }
            }
            return (transfers, nil)
        } catch {
            return (transfers, error)
        }
    }
}

extension CurlCommandLine {
    /// The transfers of each group, up to an invalid pattern, which ends the command after the transfers before it.
    fileprivate var transfers: ([[CurlArguments.Transfer]], failure: (error: UsageError, isHidden: Bool)?) {
        var failure: (error: UsageError, isHidden: Bool)?
        let transfers = groups.map { group in
            guard failure == nil else { return [CurlArguments.Transfer]() }
            let (list, error) = group.transfers
            failure = error.map { ($0, group.isSilent && !group.showsErrors && !group.urls.isEmpty) }
            return list
        }
        return (transfers, failure)
    }
}

extension ExitStatus {
    /// Whether the user or a reader of the output ended the command.
    var isInterruption: Bool { [.interrupted, .terminated, .outputClosed].contains(self) }
}

extension Environment {
    /// Writes messages to a file, or to standard output if its name is `-`.
    fileprivate mutating func redirectErrors(to path: String) {
        guard let log = log(path, option: "--stderr") else { return }
        (errors, errorTerminal) = (log.output, log.terminal)
    }

    /// Returns the log of the traffic; `nil` for none.
    fileprivate func trace(of line: CurlCommandLine) -> CurlTrace? {
        let hasTime = line.groups.contains(where: \.tracesTime)
        if case .file(let path, let format)? = line.groups.compactMap(\.trace).last {
            guard let log = path == "%" ? (output: errors, terminal: errorTerminal) : log(path, option: "--trace")
            else { return nil }
            return CurlTrace(format, to: log.output, isForTerminal: log.terminal != nil, hasTime: hasTime)
        }
        guard line.groups.contains(where: \.isVerbose) else { return nil }
        return CurlTrace(.lines, to: errors, isForTerminal: errorTerminal != nil, hasTime: hasTime)
    }

    /// Opens a log, which may be a terminal; `-` is standard output. As in curl, one that cannot be opened is a warning.
    private func log(_ path: String, option: String) -> (output: any ByteOutput, terminal: TerminalSize?)? {
        if path == "-" { return (output, outputTerminal) }
        do throws(FileProblem) {
            // A log escapes what a server sent, and may have colors of its own.
            let output = try DescriptorOutput(
                creating: path, appends: false, waits: files.waits, option: option, escapes: false)
            return (output, TerminalSize(descriptor: output.descriptor, variables: variables))
        } catch {
            Messages(self).warning(error.message)
            return nil
        }
    }

    /// Returns the response headers of a group's transfers; `nil` if no option writes them.
    ///
    /// - Throws: ``FileProblem`` if a file of them cannot be written.
    func heads(of group: CurlArguments) throws -> CurlHeads? {
        if group.headFile == nil, group.savedTagFile == nil { return nil }
        let files = [(group.headFile, "--dump-header"), (group.savedTagFile, "--etag-save")]
        for case (let path?, let option) in files where path != "-" {
            let directory = path.directoryPath
            if group.setting("--create-dirs") != nil { path.createDirectories(mode: SavingRules.modeOfCurl) }
            guard access(directory, W_OK | X_OK) != 0, FileStatus(path)?.isRegular != false,
                !path.followingLinks.isWrittenInPlace
            else { continue }
            throw FileProblem(path: path, reason: .system(errno), argument: option, purpose: .writing)
        }
        guard let path = group.headFile, path != "-", path.isWrittenDirectly else { return CurlHeads() }
        let waits = self.files.waits
        return CurlHeads(device: try DescriptorOutput(writingTo: path, waits: waits, option: "--dump-header"))
    }

    /// Writes a file of a curl command: atomically, unless it cannot be replaced.
    func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false, option: String) throws {
        do {
            let target = path.followingLinks
            if target.isWrittenInPlace { return try AtomicFile.overwrite(bytes, at: target, option: option) }
            try AtomicFile.write(bytes, to: path, isPrivate: isPrivate, waits: files.waits, option: option)
        } catch let error as FileProblem {
            throw error.naming(option)
        }
    }
}

extension WaitLimits {
    /// Sets the limit of curl's `--max-time`, before the complete command line is translated.
    func limit(total: String?) throws {
        try naming("--max-time") { set(total: try total.map { try Seconds(argument: $0) }?.limit, idle: 60) }
    }
}

extension Invocation {
    /// Creates the values of a translated curl command.
    init(_ transfer: CurlTranslation, _ variables: Variables) throws(UsageError) {
        var line = ParsedArguments()
        for setting in transfer.settings {
            guard let option = Self.options.option(named: setting.name) else {
                throw UsageError("unknown option", argument: setting.name)
            }
            let spelling = setting.spelling ?? CurlNotation.names[setting.name] ?? setting.name
            do throws(UsageError) {
                line.assignments.append(try Assignment(option, setting.value, spelling: spelling, .curl))
            } catch {
                throw error.naming(spelling)
            }
        }
        line.words = [.init(text: transfer.url, index: nil)]
        self.init(line, variables)
        if let address = transfer.address, let words = try? Positionals(url: transfer.url, items: [], method: nil) {
            knownTarget = RequestTarget(words, address, method: nil)
        }
        curlBehavior = transfer.behavior
    }
}

extension CurlTranslation {
    /// Adds the cookie file to a command that is printed, and warnings about what the command does not express.
    mutating func addWarnings(of group: CurlArguments, hasUnusedProxy: Bool) {
        if hasUnusedProxy { warnings.append("the printed command uses the variable HTTP_PROXY, which curl ignores") }
        if group.headFile != nil || group.savedTagFile != nil {
            warnings.append("the printed command does not save the response headers")
        }
        let files = group.cookieFiles
        let jar = group.cookieJar.flatMap { $0.isEmpty || $0 == "-" ? nil : $0 }
        if let jar { assign("--cookie-jar", jar.literalPath) }
        if files != [jar].compactMap(\.self) || group.omitsSessionCookies && jar != nil {
            warnings.append("the printed command does not use the cookies of curl's --cookie")
        }
        if group.rate != nil { warnings.append("the printed commands do not wait for --rate") }
        if behavior.credentials.offeredKinds != .all {
            warnings.append("the printed command accepts any kind of authentication")
        }
        if behavior.redirectSchemes.count < HTTPURL.Scheme.allCases.count {
            warnings.append("the printed command follows redirects to http and https")
        }
        if settings.contains(where: { $0.name == "--resume" }) {
            warnings.append("the printed command replaces a file of another program that cannot be continued")
        }
        if behavior.pinnedKeyFile != nil { warnings.append("the printed command accepts any public key") }
        if behavior.printsToFile { warnings.append("the printed command saves the body without headers") }
        if let offset = behavior.offset {
            warnings.append("the printed command does not append the bytes from \(offset) to the file")
        }
        if behavior.sendsReferer { warnings.append("the printed command sends no Referer after a redirect") }
        if behavior.hidesErrorBodies { warnings.append("the printed command shows the body of an error") }
    }
}
