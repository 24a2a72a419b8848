internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// The complete program, with its environment as an argument.
public struct Program: Sendable {
    let environment: Environment

    /// Creates a program that accesses the outside only through the environment.
    public init(_ environment: Environment) { self.environment = environment }

    /// Runs the program; blocks the calling thread.
    ///
    /// - Parameter arguments: The arguments from the system, without the program's name.
    public func run(_ arguments: [[UInt8]]) -> ExitStatus {
        // As in curl, arguments may have any bytes.
        if arguments.first?.elementsEqual("curl".utf8) == true {
            return runCurl(arguments.dropFirst().map { String(octets: $0) })
        }
        let plain = colored(by: OutputArguments())
        do {
            let arguments = try Invocation.decoded(arguments)
            if arguments.first == "run" { return runFiles(Array(arguments.dropFirst())) }
            let line = Invocation.parsed(arguments)
            let invocation = Invocation(line, environment.variables)
            environment.hideArguments(line.secrets)
            let program = colored(by: invocation.output)
            // The parser names the option as it was typed.
            if let error = line.error { return program.fail(located: error, of: invocation) }
            return program.configure(line, invocation)
        } catch {
            return plain.fail(error)
        }
    }

    /// Adds the configuration file to a command line and executes it.
    private func configure(_ line: ParsedArguments, _ typed: Invocation) -> ExitStatus {
        var invocation = typed
        do {
            environment.files.waits.apply(typed.network)
            guard let configuration = try configuration(for: typed) else {
                return try execute(typed)
            }
            var assignments = try configuration.assignments(variables: environment.variables)
            let (values, applied, isAlias) = try configuration.invocation(&assignments, line, for: typed)
            invocation = values
            if invocation.download.input != nil {
                invocation.listSettings = ListSettings(
                    configuration: configuration, assignments: assignments, line: line)
            }
            environment.files.waits.apply(invocation.network)
            let messages = Messages(environment, level: invocation.messageLevel)
            let read = invocation.other.isDebugging ? configuration.hosts : applied
            for warning in configuration.warnings + configuration.warnings(of: read) { messages.warning(warning) }
            if invocation.other.isDebugging, let target = invocation.knownTarget, isAlias {
                let url = Redaction(revealsSecrets: false).url(target.positionals.address)
                messages.note("the alias expands to \(url)")
            }
            return try colored(by: invocation.output).execute(invocation)
        } catch {
            return colored(by: invocation.output).fail(error, of: invocation)
        }
    }

    /// Returns the program with the colors of messages that the options select.
    func colored(by options: OutputArguments) -> Program {
        var environment = environment
        environment.messagePalette = environment.errorPalette(options)
        return Program(environment)
    }

    /// Returns the configuration file; `nil` if it does not exist or it is not needed.
    private func configuration(for typed: Invocation) throws -> Configuration? {
        guard !typed.positionals.isEmpty || typed.download.input != nil, typed.other.help == nil,
            !typed.other.showsVersion
        else { return nil }
        for layer in typed.assignments.layers { try layer.checkRepetitions() }
        return try Configuration.load(typed.other.configuration, environment, level: typed.messageLevel)
    }

    /// Executes a command line.
    ///
    /// - Parameter onPlan: Called with the plan of a single request.
    func execute(
        _ complete: Invocation,
        onPlan: (_ planned: CurlPlans.Planned) -> Void = { _ in }
    ) throws -> ExitStatus {
        var (invocation, environment) = (complete, environment)
        environment.startPager(for: complete)
        environment.endLines()
        if let text = try information(for: invocation, environment) { return show(text) }
        try checkPositionals(of: invocation)
        // An error of the target is reported after those of the options.
        if invocation.download.input == nil { invocation.knownTarget = try? invocation.target }
        try invocation.assignments.checkRelations(invocation)
        // Before any report is written: a report of this error would overwrite the other file.
        try invocation.checkFiles(environment.files)
        let messages = Messages(environment, level: invocation.messageLevel)
        if invocation.other.isDebugging { invocation.assignments.sourceNotes.forEach(messages.note) }
        explainInput(of: invocation, messages)
        if let name = invocation.output.style?.unknown { messages.warning("unknown style '\(name)': using auto") }
        if !invocation.isDryRun {
            for warning in try invocation.limitConcurrency(to: &environment) { messages.warning(warning) }
        }
        if let status = try runSeveral(invocation, environment) { return status }
        let records = try RecordPlan(invocation, environment.files)
        return run(invocation, records, environment) {
            let plan = try environment.inTurn { try Plan(invocation, environment) }
            onPlan(CurlPlans.Planned(invocation: invocation, plan: plan, records: records))
            return plan
        }
    }

    /// Executes a transfer whose plan is known.
    func execute(_ planned: CurlPlans.Planned) -> ExitStatus {
        var environment = environment
        environment.endLines()
        return run(planned.invocation, planned.records, environment) { planned.plan }
    }

    private func run(
        _ invocation: Invocation,
        _ records: RecordPlan,
        _ environment: Environment,
        _ makePlan: () throws -> Plan
    ) -> ExitStatus {
        let recorder = Recorder(records, environment, Messages(environment, level: invocation.messageLevel))
        do {
            let plan = try makePlan()
            try recorder.record(plan)
            let pages = plan.isDryRun ? nil : plan.pages
            let status =
                try pages.map { try PageRunner(plan, $0, environment, recorder).run() }
                ?? Run(plan, environment, recorder).execute()
            // Who ends the pager has seen enough.
            return environment.pager?.finish() == true && status == .outputClosed ? .success : status
        } catch {
            _ = environment.pager?.finish()
            let error = invocation.naming(error)
            let status = fail(error)
            recorder.record(invocation)
            recorder.record(error)
            return recorder.writeReports(status, attempts: noAttempts)
        }
    }

    /// Returns the help or the version; `nil` if a request is sent.
    private func information(for invocation: Invocation, _ environment: Environment) throws -> String? {
        if let topic = try invocation.helpTopic {
            // The word is a command with a help of its own, and no option.
            if topic == .search("run") { return FileRunOption.help }
            let columns = environment.outputTerminal?.columns ?? TerminalSize.columns(environment.variables) ?? 80
            return HelpScreen(Invocation.options.entries, width: columns).text(about: topic)
        }
        guard invocation.other.showsVersion else { return nil }
        let report = VersionReport()
        return invocation.request.bodyKind == .json ? report.json.text + "\n" : report.text
    }

    private func checkPositionals(of invocation: Invocation) throws(UsageError) {
        if invocation.positionals.isEmpty, invocation.download.input == nil {
            throw UsageError("no URL given", hint: invocation.hintOnMissingURL)
        }
        if invocation.positionals.first == "curl", invocation.positionals.dropFirst().first?.contains("/") == true {
            throw UsageError("'curl' is the first word of a curl command", hint: "afcli curl [OPTION ...] URL")
        }
        if invocation.positionals.first == "run", invocation.positionals.dropFirst().first?.isRequestFile == true {
            throw UsageError("'run' must be the first word", hint: "afcli run [OPTION ...] FILE ...")
        }
        if let file = invocation.positionals.first, file.isRequestFile, FileStatus(file)?.isRegular == true {
            throw UsageError("is a file of requests", argument: file, hint: "afcli run \(file)")
        }
    }

    /// Writes the notes about standard input.
    private func explainInput(of invocation: Invocation, _ messages: Messages) {
        guard environment.standardInput.kind == .terminal else {
            environment.files.waits.onSilentInput {
                messages.note("waiting for data on standard input; --ignore-stdin skips it")
            }
            return
        }
        let option = invocation.assignments.last("--ignore-stdin")
        if invocation.positionals.count == 1, option?.source == .typed, option?.spelling == "-I" {
            messages.note("-I is --ignore-stdin; for the header alone: afcli head URL")
        }
    }

    /// Executes a command line with several requests; returns `nil` if it has one.
    private func runSeveral(_ invocation: Invocation, _ environment: Environment) throws -> ExitStatus? {
        if invocation.download.input != nil, invocation.request.uploadFiles.count > 1 {
            throw UsageError("several files cannot be sent to each URL of a list", argument: "--upload-file")
        }
        if invocation.isSeries { return SeriesRunner(try RequestSeries(invocation, environment), environment).run() }
        if invocation.download.input != nil { return Batch(try BatchPlan(invocation, environment), environment).run() }
        return nil
    }

    func show(_ text: String) -> ExitStatus {
        do {
            try environment.output.write(text)
            return .success
        } catch {
            return fail(error)
        }
    }

    /// Prints an error, and writes the reports of a run that sent nothing.
    func fail(_ error: any Error, of invocation: Invocation) -> ExitStatus {
        fail(located: invocation.naming(error), of: invocation)
    }

    private func fail(located error: any Error, of invocation: Invocation) -> ExitStatus {
        let status = fail(error)
        // A file that another option also names stays as it is.
        guard (try? invocation.checkFiles(environment.files)) != nil,
            let plan = try? RecordPlan(invocation, environment.files)
        else { return status }
        let recorder = Recorder(plan, environment, Messages(environment))
        recorder.record(invocation)
        recorder.record(error)
        return recorder.writeReports(status, attempts: noAttempts)
    }

    /// The attempts of a run that sent nothing: as in curl, `-w` of a curl command tells its failure.
    private var noAttempts: [TransferMetrics]? { environment.messageStyle == .afcli ? nil : [] }

    /// Prints an error before a request. As in curl, `--silent` hides no error in the command line.
    func fail(_ error: any Error) -> ExitStatus {
        let diagnosis = Diagnosis(error)
        var messages = Messages(environment)
        if messages.style != .afcli, !CurlFailure.isHidden(error) { messages.style = .curl(hidesErrors: false) }
        messages.error(diagnosis)
        return diagnosis.exitStatus
    }
}

extension Invocation {
    /// The hint about a missing URL, which may be the argument of an option.
    fileprivate var hintOnMissingURL: String {
        let usage = "\(Positionals.usage); afcli --help shows more"
        let taken = assignments.all.first { assignment in
            assignment.source == .typed && assignment.value?.isWebURL == true
                && assignment.option.entry.argument?.name.contains("URL") == false
        }
        guard let taken, let value = taken.value else { return usage }
        return "add the URL: \(taken.spelling) has used '\(Redaction(revealsSecrets: false).url(value))'"
    }
}

extension String {
    /// Whether the name is that of a file for `afcli run`.
    fileprivate var isRequestFile: Bool { [".hurl", ".http", ".rest"].contains(where: hasSuffix) }
}

extension Environment {
    /// Lets messages begin on lines of their own.
    fileprivate mutating func endLines() {
        let errors = LineOutput(errors)
        output = LineOutput(output, sharing: outputsAreOneFile ? errors : nil)
        self.errors = errors
    }

    /// Passes long output on a terminal to a pager, unless it is excluded.
    fileprivate mutating func startPager(for invocation: Invocation) {
        guard let outputTerminal, let outputRows, !invocation.other.omitsPager, !invocation.output.isStreamed,
            invocation.download.input == nil, !invocation.isSeries, !invocation.download.writesFile,
            let command = PagerCommand(variables, isExecutable: { variables.findsProgram($0) })
        else { return }
        let pager = Pager(command, size: outputTerminal, rows: outputRows, output: output, errors: errors)
        self.pager = pager
        output = pager
        if errorTerminal != nil { errors = pager.messages }
    }
}
