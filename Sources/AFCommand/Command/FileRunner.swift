internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHurl
internal import Glibc

/// Runs the entries of a Hurl file, which share variables, cookies and connections.
struct FileRunner {
    private let arguments: FileRunArguments
    private let environment: Environment
    private let root: String
    private let cookies: CurlCookies?
    private let excerpt: SourceExcerpt
    private let entries: [HurlEntry]
    /// The variables that a `.http` file does not change.
    private let fixedNames: Set<String>
    private var evaluator: HurlEvaluator<FileRunEnvironment>
    private var result: FileRunResult

    /// The error of an entry.
    private struct EntryError: Error {
        let title: String
        var text: String
        let isAssert: Bool
    }

    /// Prepares a file.
    ///
    /// - Parameters:
    ///   - name: The name for messages.
    ///   - root: The folder that contains the files of its bodies.
    ///   - fixedNames: The variables that a `.http` file does not change.
    init(
        _ file: HurlFile,
        text: String,
        name: String,
        root: String,
        variables: HurlVariables,
        fixedNames: Set<String> = [],
        _ arguments: FileRunArguments,
        _ environment: Environment
    ) throws {
        (self.arguments, self.root, self.fixedNames) = (arguments, root, fixedNames)
        entries = file.entries
        var environment = environment
        let transport = CurlTransport(connections: ConnectionLimits(perHost: nil))
        environment.transport = transport
        environment.messageStyle = .curl(hidesErrors: true)
        environment.onInterrupt = { _ in () }
        self.environment = environment
        cookies = arguments.usesCookieStore ? CurlCookies(transport) : nil
        for path in arguments.cookieFiles {
            let content = try environment.files.read(path, .session)
            cookies?.add(CurlCookieFile.cookies(content, for: nil, host: ""))
        }
        excerpt = SourceExcerpt(text, filename: name)
        evaluator = HurlEvaluator(
            FileRunEnvironment(root: root, files: environment.files, variables: environment.variables),
            variables: variables)
        evaluator.coercesJSONPath = arguments.coercesJSONPath
        result = FileRunResult(name: name)
    }

    /// Blocks the calling thread until the last entry has ended.
    mutating func run() -> FileRunResult {
        let start = ContinuousClock.now
        for (number, entry) in zip(1..., entries)
        where number >= arguments.firstEntry && number <= arguments.lastEntry {
            let errors = run(entry, number)
            guard !errors.isEmpty else { continue }
            let line = entry.request.range.start.line
            result.failures += errors.map {
                FileRunResult.Failure(
                    line: line, title: $0.title, text: evaluator.variables.redacted($0.text), isAssert: $0.isAssert)
            }
            if !arguments.continuesOnError { break }
        }
        if let jar = arguments.cookieJar, let cookies {
            do {
                try environment.write(cookies.jar, to: jar, isPrivate: true, option: "--cookie-jar")
            } catch {
                result.cookieError = "the cookies were not saved: \(Diagnosis(error).message)"
            }
        }
        if arguments.needsRecords {
            result.cookies = (cookies?.jar).map { String(decoding: $0, as: UTF8.self) } ?? ""
            result.variables = evaluator.variables
        }
        result.hasNoEntries = entries.isEmpty
        result.milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1))
        if !result.isSuccess { result.output = [] }
        return result
    }

    /// The variables whose values messages must not contain.
    var variables: HurlVariables { evaluator.variables }

    // An entry

    private mutating func run(_ entry: HurlEntry, _ number: Int) -> [EntryError] {
        var count: UInt64 = 0
        while true {
            let options: EntryOptions
            do throws(HurlEvaluationError) {
                options = try self.options(of: entry)
            } catch {
                return [failure(error, entry)]
            }
            if options.isSkipped || count == options.repetitions { return [] }
            if options.delay > 0 { pause(milliseconds: options.delay) }
            let errors = runWithRetries(entry, number, options)
            if !errors.isEmpty { return errors }
            count += 1
        }
    }

    private mutating func options(of entry: HurlEntry) throws(HurlEvaluationError) -> EntryOptions {
        if let editor = entry.request.editor { evaluator.define(editor.definitions, except: fixedNames) }
        var options = EntryOptions()
        for (name, value) in arguments.inherited { options.apply(name, value) }
        for option in entry.request.options {
            let name = option.name.rawValue
            if option.name == .failWithBody {
                throw HurlEvaluationError(
                    .optionValue(name: name, value: "true", reason: "not supported"), at: option.range)
            }
            let value = try evaluator.value(of: option)
            if case .variable(let name, let value) = value { evaluator.variables[name] = value }
            options.apply(option.name, value)
        }
        return options
    }

    private mutating func runWithRetries(
        _ entry: HurlEntry, _ number: Int, _ options: EntryOptions
    ) -> [EntryError] {
        var left = options.retries
        while true {
            var record = FileRunRecord(index: number, line: entry.request.range.start.line)
            let errors = attempt(entry, options, &record)
            if arguments.needsRecords { result.records.append(record) }
            if errors.isEmpty || left == 0 { return errors }
            left = left.map { $0 - 1 }
            pause(milliseconds: options.retryInterval)
        }
    }

    private mutating func attempt(
        _ entry: HurlEntry, _ options: EntryOptions, _ record: inout FileRunRecord
    ) -> [EntryError] {
        do {
            let values = try evaluator.values(of: entry.request)
            var arguments = arguments
            if entry.request.editor?.usesCookies == false { arguments.usesCookieStore = false }
            let request = EntryRequest(values, options, arguments)
            let outcome = try request.send(environment)
            result.requestCount += outcome.count
            if arguments.needsRecords || options.isVerbose {
                record.add(values, outcome.hops, command: request.command)
            }
            if options.isVerbose { log(record) }
            record.milliseconds = outcome.milliseconds
            if let failure = outcome.failure { return [self.failure(title: "HTTP connection", failure, entry)] }
            guard let response = outcome.response else { return [] }
            if let name = entry.request.editor?.name { evaluator.exchanges[name] = HurlExchange(values, response) }
            if arguments.needsRecords { record.body = response.body }
            var errors = check(HurlResponse.Values(response), entry, &record)
            if arguments.showsResponses, !errors.isEmpty {
                errors[errors.count - 1].text += text(of: response, outcome)
            }
            if errors.isEmpty { try save(response, outcome.head, options, of: entry) }
            return errors
        } catch let error as HurlEvaluationError {
            return [failure(error, entry)]
        } catch {
            return [failure(title: "Invalid request", Diagnosis(error).message, entry)]
        }
    }

    private func log(_ record: FileRunRecord) {
        let text = evaluator.variables.redacted(FileRunLog(record).text)
        try? environment.errors.write(environment.errorTerminal == nil ? text : Sanitizer.text(text))
    }

    /// Returns the failed asserts, or the error of a capture.
    private mutating func check(
        _ response: HurlResponse.Values, _ entry: HurlEntry, _ record: inout FileRunRecord
    ) -> [EntryError] {
        guard let expected = entry.response else { return [] }
        if !arguments.ignoresAsserts {
            let failures = evaluator.statusFailures(of: expected, in: response)
            record.checks = checks([expected.versionRange, expected.statusRange].map(\.start.line), failures, entry)
            if !failures.isEmpty { return failures.map { failure($0, entry, isAssert: true) } }
        }
        for capture in expected.captures {
            do throws(HurlEvaluationError) {
                let (name, value) = try evaluator.capture(capture, in: response)
                record.captures.append((name, value))
                if capture.isRedacted, case .string(let text) = value {
                    evaluator.variables.setSecret(name, to: text)
                } else {
                    evaluator.variables[name] = value
                }
            } catch {
                return [failure(error, entry)]
            }
        }
        if arguments.ignoresAsserts { return [] }
        let failures = evaluator.failures(of: expected, in: response)
        let lines =
            expected.headers.map(\.key.range.start.line) + expected.asserts.map(\.query.range.start.line)
        record.checks += checks(lines, failures, entry)
        return failures.map { failure($0, entry, isAssert: true) }
    }

    /// Returns the checks of lines, then the failures of other ones, such as those of a body.
    private func checks(
        _ lines: [Int], _ failures: [HurlEvaluationError], _ entry: HurlEntry
    ) -> [FileRunRecord.Check] {
        guard arguments.needsRecords else { return [] }
        let check = { (line: Int, error: HurlEvaluationError?) in
            FileRunRecord.Check(line: line, failure: error.map { failure($0, entry, isAssert: true).text })
        }
        return lines.map { line in check(line, failures.first { $0.range.start.line == line }) }
            + failures.filter { !lines.contains($0.range.start.line) }.map { check($0.range.start.line, $0) }
    }

    /// Returns the response after a failed assert.
    private func text(of response: HurlResponseValues, _ outcome: EntryRequest.Outcome) -> String {
        let body = String(validating: response.body, as: UTF8.self) ?? "(\(response.body.count) bytes)"
        return "\n\n" + String(decoding: outcome.head, as: UTF8.self).replacing("\r\n", with: "\n") + body
    }

    private func failure(_ error: HurlEvaluationError, _ entry: HurlEntry, isAssert: Bool = false) -> EntryError {
        let text = error.text(in: excerpt, entryLine: entry.request.range.start.line)
        return EntryError(title: error.title, text: text, isAssert: isAssert)
    }

    private func failure(title: String, _ reason: String, _ entry: HurlEntry) -> EntryError {
        let range = entry.request.url.range
        return EntryError(
            title: title, text: excerpt.text(title: title, reason: reason, range: range, entryLine: nil),
            isAssert: false)
    }

    // Output

    /// Saves the body of an entry, and keeps it as the output of the file.
    private mutating func save(
        _ response: HurlResponseValues,
        _ head: [UInt8],
        _ options: EntryOptions,
        of entry: HurlEntry
    ) throws {
        let body = options.isCompressed ? response.body : response.rawBody
        result.output = (arguments.includesHead ? head : []) + body
        guard let path = options.output else { return }
        if path == "-" {
            try body.withUnsafeBytes { try environment.output.write($0) }
            return
        }
        guard let path = evaluator.environment.path(of: path) else {
            let range = entry.request.options.last { $0.name == .output }?.range
            throw HurlEvaluationError(.unauthorizedFile(path), at: range ?? entry.request.range)
        }
        if entry.request.editor?.keepsFile == true, FileStatus(path) != nil {
            result.notes.append("the file '\(path)' exists, and the response is not saved; >>! replaces it")
            return
        }
        try environment.write(body, to: path, option: "output")
    }

    private func pause(milliseconds: UInt64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var time = timespec(tv_sec: Int(min(seconds, 1 << 40)), tv_nsec: Int(rest) * 1_000_000)
        var left = timespec()
        while nanosleep(&time, &left) != 0, errno == EINTR { time = left }
    }
}
