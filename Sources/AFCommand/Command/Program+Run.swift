internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFHurl
internal import AFJSON
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// `afcli run`: files of requests.
extension Program {
    /// Runs files of requests; blocks the calling thread.
    ///
    /// - Parameter words: The words after `run`.
    /// - Returns: Hurl's exit number: 1 for bad options, 2 for a file that cannot be read or parsed, 3 for an error, 4
    ///   for failed asserts.
    func runFiles(_ words: [String]) -> ExitStatus {
        var program = colored(by: OutputArguments())
        do {
            var arguments = try FileRunArguments(
                words, after: try configuration(), variables: environment.variables.named(after: "HURL_"))
            program = colored(by: OutputArguments(color: arguments.color))
            environment.hideArguments(arguments.secretWords)
            if arguments.showsHelp { return show(FileRunOption.help) }
            if arguments.showsVersion { return show(VersionReport().text) }
            let variables = try variables(of: arguments)
            arguments.cookies = try arguments.cookieFiles.flatMap { path in
                CurlCookieFile.cookies(try environment.files.read(path, .session), for: nil, host: "")
            }
            return FileRunQueue(arguments, variables, try paths(of: arguments), program.environment).run()
        } catch {
            _ = program.fail(error)
            return .failure
        }
    }

    /// Returns the options of Hurl's configuration file, if there is one.
    private func configuration() throws -> [FileRunConfiguration.Option] {
        let shared = environment.variables.absolutePath("XDG_CONFIG_HOME")
        guard let folder = shared ?? environment.files.homeDirectory.map({ "\($0)/.config" }),
            FileStatus("\(folder)/hurl/config")?.isRegular == true
        else { return [] }
        let path = "\(folder)/hurl/config"
        let text = try environment.files.text(path, .configuration)
        do throws(UsageError) {
            let configuration = try FileRunConfiguration(text) { name in
                FileRunOption.byName[name].map { $0.argument != nil }
            }
            return configuration.options
        } catch {
            throw error.naming(path)
        }
    }

    /// Returns the variables: those of the environment, of files, then those of the command line.
    private func variables(of arguments: FileRunArguments) throws -> HurlVariables {
        var variables = HurlVariables()
        var definitions = environment.variables.named(after: "HURL_VARIABLE_")
        for path in arguments.variablesFiles { definitions += try self.definitions(inFile: path, "--variables-file") }
        let ofFiles = try arguments.secretsFiles.flatMap { try self.definitions(inFile: $0, "--secrets-file") }
        for (name, value) in definitions + arguments.variables { variables[name] = HurlValue(inferring: value) }
        let secrets = [
            ("--secret", environment.variables.named(after: "HURL_SECRET_")), ("--secrets-file", ofFiles),
            ("--secret", arguments.secrets),
        ]
        for (option, secrets) in secrets {
            // Only a secret of another source may be replaced.
            var names: Set<String> = []
            for (name, value) in secrets {
                guard variables[name] == nil || variables.isSecret(name), names.insert(name).inserted else {
                    throw UsageError("'\(name)' is defined twice", argument: option)
                }
                variables.setSecret(name, to: value)
            }
        }
        return variables
    }

    private func definitions(inFile path: String, _ option: String) throws -> [(name: String, value: String)] {
        let text = try environment.files.text(path, .configuration)
        do throws(HurlVariables.LineError) {
            return try HurlVariables.definitions(inFile: text)
        } catch {
            throw UsageError("line \(error.line) of '\(path)' is no NAME=VALUE", argument: option)
        }
    }

    /// Returns the files, with those in folders, in order.
    private func paths(of arguments: FileRunArguments) throws -> [String] {
        let typed = arguments.files.isEmpty ? ["-"] : arguments.files
        if typed == ["-"], environment.standardInput.kind == .terminal {
            throw UsageError("no file given", hint: "afcli run [OPTION ...] FILE ...")
        }
        return try typed.flatMap { path throws -> [String] in
            guard path != "-", FileStatus(path)?.isDirectory == true else { return [path] }
            let files = try FileManager.default.subpathsOfDirectory(atPath: path).filter { path in
                path.hasSuffix(".hurl") || FileRunArguments.isEditorFile(path)
            }
            if files.isEmpty { throw UsageError("the folder '\(path)' has no .hurl, .http or .rest file") }
            return files.sorted().map { path.withSlash + $0 }
        }
    }
}

/// A run of several files.
private final class FileRunQueue: Sendable {
    private struct State {
        var next = 0
        /// The results by the indices of the files; `nil` for those that have not ended.
        var results: [FileRunResult?]
        /// The number of results that were shown.
        var shownCount = 0
        /// The status of an output that failed; `nil` if none did.
        var outputFailure: ExitStatus?
    }

    private let arguments: FileRunArguments
    private let variables: HurlVariables
    private let paths: [String]
    private let environment: Environment
    private let state: Mutex<State>

    init(_ arguments: FileRunArguments, _ variables: HurlVariables, _ paths: [String], _ environment: Environment) {
        (self.arguments, self.variables, self.environment) = (arguments, variables, environment)
        let repetitions = Int(clamping: min(arguments.repetitions ?? 1 << 20, 1 << 20))
        self.paths = (0..<repetitions).flatMap { _ in paths }
        state = Mutex(State(results: Array(repeating: nil, count: self.paths.count)))
    }

    /// Blocks the calling thread until the last file has ended.
    func run() -> ExitStatus {
        do {
            try FileRunFiles(arguments, environment).check()
        } catch {
            _ = Program(environment).fail(error)
            return ExitStatus(code: 127)
        }
        let start = ContinuousClock.now
        let runsInParallel = arguments.isTest || arguments.isParallel
        let workers = min(arguments.jobs ?? (runsInParallel ? 4 : 1), paths.count)
        let isDone = DispatchSemaphore(value: 0)
        let others = (1..<max(workers, 1)).count { _ in
            startThread(named: "afcli.file") { [self] in
                work()
                isDone.signal()
            }
        }
        work()
        for _ in 0..<others { isDone.wait() }
        let results = state.withLock { $0.results.compactMap(\.self) }
        do {
            if arguments.isTest {
                let time = Int64((ContinuousClock.now - start) / .milliseconds(1))
                try environment.errors.write(results.summary(milliseconds: time))
            }
            try FileRunFiles(arguments, environment).write(results)
        } catch {
            _ = Program(environment).fail(error)
            return ExitStatus(code: 127)
        }
        return state.withLock(\.outputFailure) ?? results.status
    }

    private func work() {
        while let index = takeNext() { finish(index, result(of: paths[index])) }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < paths.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Shows the results in the order of the files.
    private func finish(_ index: Int, _ result: FileRunResult) {
        state.withLock { state in
            state.results[index] = result
            while state.shownCount < paths.count, let next = state.results[state.shownCount] {
                state.outputFailure = show(next) ?? state.outputFailure
                state.shownCount += 1
            }
        }
    }

    /// Shows a result.
    ///
    /// - Returns: The exit status if the output failed.
    private func show(_ result: FileRunResult) -> ExitStatus? {
        try? environment.errors.write(messages(of: result))
        do {
            if arguments.printsJSON {
                let text = result.json().compactText + "\n"
                try environment.output.write(environment.outputTerminal == nil ? text : Sanitizer.text(text))
            } else if arguments.shows(result), arguments.output ?? "-" == "-" {
                try showOutput(of: result)
            }
            return nil
        } catch {
            let status = Program(environment).fail(error)
            return status == .outputClosed ? status : ExitStatus(code: 127)
        }
    }

    /// Returns the messages about a result, whose texts a terminal must not obey, also one that shows a log.
    private func messages(of result: FileRunResult) -> String {
        func shown(_ text: String) -> String { Sanitizer.text(text) }
        func styled(_ word: String, _ style: KeyPath<Palette, TextStyle>) -> String {
            environment.messagePalette?[keyPath: style].applied(to: word) ?? word
        }
        var text = ""
        for failure in result.failures {
            text += "\(shown(failure.preface))\(styled("error:", \.error)) \(shown(failure.text))\n\n"
        }
        if let error = result.syntaxError { text += "\(styled("error:", \.error)) \(shown(error))\n\n" }
        for note in result.notes { text += "\(styled("warning:", \.warning)) \(shown(note))\n" }
        guard arguments.isTest else { return text }
        let outcome = result.isSuccess ? styled("Success", \.success) : styled("Failure", \.error)
        let count = "\(result.requestCount) request(s) in \(result.milliseconds) ms"
        return text + "\(Sanitizer.line(result.name)): \(outcome) (\(count))\n"
    }

    /// Shows the body; on a terminal JSON is indented and colored.
    private func showOutput(of result: FileRunResult) throws {
        let isTerminal = environment.outputTerminal != nil
        try environment.output.write(isTerminal ? Sanitizer.text(result.head) : result.head)
        let isColored = ColorDecision.isColored(
            arguments.color, isTerminal: isTerminal, environment: environment.variables)
        let hasManyColors = ColorDecision.hasManyColors(environment.variables)
        var presentation = BodyPresentation(
            isFormatted: arguments.isPretty ?? isTerminal,
            palette: isColored ? Theme.auto.palette(hasManyColors: hasManyColors) : nil, isForTerminal: isTerminal)
        (presentation.indent, presentation.formatsXML) = (2, false)
        let kind = BodyKind(result.mediaType)
        // A file or a pipe receives other bodies as they are.
        if !isTerminal, !kind.mayBeJSON || result.mediaType == nil { presentation = BodyPresentation() }
        var buffer = OutputBuffer(environment.output)
        var formatter = BodyFormatter(kind: kind, presentation: presentation)
        try result.output.withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        try formatter.finish(into: &buffer)
        try buffer.flush()
    }

    // A file

    private func result(of path: String) -> FileRunResult {
        var result = FileRunResult(name: path)
        do {
            let bytes = path == "-" ? try environment.standardInput.readAll() : try environment.files.read(path, .text)
            guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
                result.syntaxError = SourceExcerpt.encodingError(in: Array(bytes.withoutByteOrderMark), filename: path)
                return result
            }
            var variables = variables
            let fixedNames = Set(variables.values.keys)
            var definitions: [EditorDefinition] = []
            if FileRunArguments.isEditorFile(path), !arguments.isCheck {
                let editor = try EditorEnvironment(arguments.environmentName, forFile: path, environment.files)
                editor.define(&variables)
                definitions = editor.definitions
            }
            guard let file = parse(text, path, definitions, &result), !arguments.isCheck else { return result }
            let folder = String(path.pathParts.directory)
            if arguments.showsCommands {
                let environment = FileRunEnvironment(
                    root: arguments.fileRoot ?? folder, files: environment.files, variables: environment.variables)
                var commands = FileRunCommands(file, text, name: path, environment, variables, arguments)
                commands.add(to: &result, except: fixedNames)
                return result
            }
            var runner = FileRunner(
                file, text: text, name: path, root: arguments.fileRoot ?? folder, variables: variables,
                fixedNames: fixedNames, arguments, environment)
            var run = runner.run()
            (run.notes, run.hasOmissions) = (result.notes + run.notes, result.hasOmissions)
            return run
        } catch {
            result.syntaxError = Diagnosis(error).messageWithHint
            return result
        }
    }

    /// Parses a file by the end of its name; returns `nil` after an error, which the result has.
    private func parse(
        _ text: String, _ path: String, _ definitions: [EditorDefinition], _ result: inout FileRunResult
    ) -> HurlFile? {
        do {
            guard FileRunArguments.isEditorFile(path) else { return try HurlFile(parsing: text) }
            let parsed = try EditorFile(parsing: text, environment: definitions)
            result.notes = parsed.notes.map { "\(path):\($0.line): \($0.text)" }
            result.hasOmissions = parsed.notes.contains(where: \.isOmission)
            return parsed.file
        } catch let error as EditorFileError {
            result.syntaxError = error.text(filename: path, content: text)
        } catch let error as HurlSyntaxError {
            result.syntaxError = error.text(filename: path, content: text)
        } catch {
            result.syntaxError = Diagnosis(error).messageWithHint
        }
        return nil
    }
}

extension Diagnosis {
    /// The message, with the hint in a line of its own.
    fileprivate var messageWithHint: String { message + (hint.map { "\n  \($0)" } ?? "") }
}
