internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFHurl
internal import Glibc

/// Runs the entries of a Hurl file, which share variables, cookies and connections.
struct FileRunner {
    private let arguments: FileRunArguments
    private let environment: Environment
    private let cookies: CurlCookies?
    private let excerpt: SourceExcerpt
    private let entries: [HurlEntry]
    /// The variables that a `.http` file does not change.
    private let fixedNames: Set<String>
    private var evaluator: HurlEvaluator<FileRunEnvironment>
    private var result: FileRunResult
    /// The certificates of servers by origin: libcurl describes that of a new connection only.
    private var certificates: [String: [HurlCertificateField: HurlValue]] = [:]
    /// The reason why the body of the last entry cannot be decoded for the output; `nil` if it was.
    private var outputError: HurlEvaluationError?
    /// The number of attempts of the current entry.
    private var attemptCount = 0

    /// The error of an entry.
    private struct EntryError: Error {
        let title: String
        var text: String
        let isAssert: Bool
        /// The start of the response, for reports.
        var evidence = ""
        /// The response, for messages.
        var preface = ""
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
    ) {
        (self.arguments, self.fixedNames) = (arguments, fixedNames)
        entries = file.entries
        var environment = environment
        let transport = CurlTransport(connections: ConnectionLimits(perHost: nil))
        environment.transport = transport
        environment.messageStyle = .curl(hidesErrors: true)
        environment.onInterrupt = { _ in () }
        environment.describesCertificates = file.entries.contains(where: \.queriesCertificate)
        self.environment = environment
        cookies = arguments.usesCookieStore ? CurlCookies(transport) : nil
        cookies?.add(arguments.cookies)
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
        let selected = zip(1..., entries).filter { number, _ in
            number >= arguments.firstEntry && number <= arguments.lastEntry
        }
        result.entries = selected.map { _, entry in
            let name = "\(entry.request.method) \(Redaction(revealsSecrets: false).url(entry.request.url.source))"
            return FileRunResult.Entry(
                line: entry.request.range.start.line, name: evaluator.variables.redacted(name).withMaskOfRun)
        }
        for (index, (number, entry)) in selected.enumerated() {
            let entryStart = ContinuousClock.now
            attemptCount = 0
            let errors = run(entry, number)
            record(errors, of: index, since: entryStart)
            result.failures += errors.map {
                FileRunResult.Failure(
                    line: result.entries[index].line, title: $0.title,
                    preface: evaluator.variables.redacted($0.preface), text: evaluator.variables.redacted($0.text),
                    isAssert: $0.isAssert)
            }
            if !errors.isEmpty, !arguments.continuesOnError { break }
        }
        addOutputFailure()
        if arguments.needsRecords || arguments.cookieJar != nil { result.cookies = cookies?.lines }
        result.variables = evaluator.variables
        if selected.isEmpty { result.notes.append(noEntriesNote) }
        result.milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1))
        if !result.isSuccess, !result.showsFailedResponse { (result.head, result.output) = ("", []) }
        return result
    }

    /// The warning about a file of which no entry was run.
    private var noEntriesNote: String {
        let file = "file \(Sanitizer.line(result.name))"
        guard !entries.isEmpty else { return "no entry in \(file)" }
        return "no entry of \(file) was run: it has \(entries.count), "
            + (arguments.firstEntry > entries.count
                ? "and --from-entry is \(arguments.firstEntry)"
                : "and --to-entry \(arguments.lastEntry) is before --from-entry \(arguments.firstEntry)")
    }

    /// Adds the failure of an output that cannot be decoded, unless there is no output.
    private mutating func addOutputFailure() {
        guard result.isSuccess, let outputError, !arguments.isTest, !arguments.hidesOutput else { return }
        let line = outputError.range.start.line
        result.failures.append(
            FileRunResult.Failure(
                line: line, title: outputError.title,
                text: outputError.text(in: excerpt, entryLine: line, masked: masked), isAssert: false))
    }

    /// The variables whose values messages must not contain.
    var variables: HurlVariables { evaluator.variables }

    // An entry

    /// Records the duration of an entry, unless it was skipped, and its response if it failed.
    private mutating func record(_ errors: [EntryError], of index: Int, since start: ContinuousClock.Instant) {
        if attemptCount > 0 || !errors.isEmpty {
            result.entries[index].milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1))
        }
        result.entries[index].evidence = evaluator.variables.redacted(errors.first?.evidence ?? "")
    }

    private mutating func run(_ entry: HurlEntry, _ number: Int) -> [EntryError] {
        var count: UInt64 = 0
        var failures: [EntryError] = []
        while true {
            let options: EntryOptions
            do throws(HurlEvaluationError) {
                options = try EntryOptions(entry, arguments, except: fixedNames, &evaluator)
            } catch {
                return failures + [failure(error, entry)]
            }
            if options.isSkipped || count == options.repetitions { return failures }
            if options.delay > 0 { pause(milliseconds: options.delay) }
            failures += runWithRetries(entry, number, options)
            if !failures.isEmpty, !arguments.continuesOnError { return failures }
            count += 1
        }
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
        attemptCount += 1
        var url = ""
        do {
            updateCookies(entry.request.comments)
            if options.isVerbose { record.storedCookies = cookies?.lines ?? [] }
            let values = try evaluator.values(of: entry.request)
            url = values.url
            evaluator.secrets = RequestSecrets(values).known
            var arguments = arguments
            if entry.request.editor?.usesCookies == false { arguments.usesCookieStore = false }
            let request = EntryRequest(values, options, arguments, evaluator.environment)
            let outcome = try request.send(environment)
            evaluator.secrets = outcome.secrets
            result.requestCount += outcome.count
            let bodyFile = try? evaluator.bodyFile(of: entry.request)
            func command() -> String {
                request.command(hiding: evaluator.variables, bodyFile: bodyFile, sent: outcome.hops.first)
            }
            if arguments.needsRecords || options.isVerbose {
                record.add(values, outcome.hops, outcome.secrets, command: command())
            }
            // After the captures: the log must not contain the secrets that they find.
            defer {
                if options.isVerbose { log(record, body: options.logsBodies ? outcome.response?.body ?? [] : nil) }
            }
            record.milliseconds = outcome.milliseconds
            if let failure = outcome.failure { return [self.failure(title: "HTTP connection", failure, entry)] }
            guard var response = outcome.response else { return [] }
            addCertificate(to: &response)
            if let name = entry.request.editor?.name { evaluator.exchanges[name] = HurlExchange(values, response) }
            if arguments.needsRecords { record.body = response.body }
            var errors = check(HurlResponse.Values(response), entry, &record)
            if !errors.isEmpty {
                if arguments.showsResponses { errors[0].preface = masked(text(of: response, command: command())) }
                errors[0].evidence = outcome.hops.last?.response.map { evidence(of: $0, response.body) } ?? ""
            }
            if errors.isEmpty { try save(response, options, of: entry) }
            result.showsFailedResponse = !errors.isEmpty && options.failsWithBody
            if result.showsFailedResponse { setOutput(response, options) }
            return errors
        } catch let error as HurlEvaluationError {
            return [failure(error, entry)]
        } catch let error as EntryRequest.FieldError {
            let field = entry.request.headers.last { (try? evaluator.text(of: $0.key)) == error.name }
            let range = field.map { SourceRange($0.key.range.start, $0.value.range.end) }
            return [failure(title: "Invalid header", error.reason, entry, at: range)]
        } catch {
            let (title, reason) = EntryFailure.beforeRequest(error, to: url)
            return [failure(title: title, reason, entry)]
        }
    }

    /// Adds the certificate of an earlier connection to the same origin, or stores that of a new connection.
    private mutating func addCertificate(to response: inout HurlResponseValues) {
        guard !response.certificate.isEmpty || !certificates.isEmpty else { return }
        let origin = response.url.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "/")
        if response.certificate.isEmpty {
            response.certificate = certificates[origin] ?? [:]
        } else {
            certificates[origin] = response.certificate
        }
    }

    /// Obeys the comments that change the cookie store.
    private func updateCookies(_ comments: [HurlComment]) {
        for comment in comments {
            if comment.text.hasPrefix("@cookie_storage_clear") { cookies?.removeAll() }
            let command = "@cookie_storage_set:"
            guard comment.text.hasPrefix(command) else { continue }
            let line = comment.text.dropFirst(command.count).drop { $0 == " " }
            cookies?.add(CurlCookieFile.cookies(Array(line.utf8), for: nil, host: ""))
        }
    }

    /// Logs an attempt.
    ///
    /// - Parameter body: The body of the response; `nil` to log no bodies.
    private func log(_ record: FileRunRecord, body: [UInt8]?) {
        let variables = evaluator.variables
        let text = variables.redacted(FileRunLog(record, body: body, masked: variables.redacted).text)
        try? environment.errors.write(environment.errorTerminal == nil ? text : Sanitizer.text(text))
    }

    /// Returns the failed asserts, or the error of a capture.
    private mutating func check(
        _ response: HurlResponse.Values, _ entry: HurlEntry, _ record: inout FileRunRecord
    ) -> [EntryError] {
        guard let expected = entry.response else { return [] }
        if !arguments.ignoresAsserts {
            let failures = evaluator.statusFailures(of: expected, in: response)
            record.checks = checks([expected.versionRange, expected.statusRange], failures, entry)
            if !failures.isEmpty { return failures.map { failure($0, entry) } }
        }
        for capture in expected.captures {
            do throws(HurlEvaluationError) {
                let (name, value) = try evaluator.capture(capture, in: response)
                record.captures.append((name, value))
                try evaluator.define(name, as: value, isSecret: capture.isRedacted, at: capture.name.range)
            } catch {
                return [failure(error, entry)]
            }
        }
        if arguments.ignoresAsserts { return [] }
        let failures = evaluator.failures(of: expected, in: response)
        let lines =
            expected.headers.map(\.key.range.start.line) + expected.asserts.map(\.query.range.start.line)
        record.checks += checks(lines.map(SourceRange.init(line:)), failures, entry)
        return failures.map { failure($0, entry) }
    }

    /// Returns the checks of parts or lines, then the failures of other ones, such as those of a body.
    private func checks(
        _ ranges: [SourceRange], _ failures: [HurlEvaluationError], _ entry: HurlEntry
    ) -> [FileRunRecord.Check] {
        guard arguments.needsRecords else { return [] }
        let check = { (range: SourceRange, error: HurlEvaluationError?) in
            FileRunRecord.Check(line: range.start.line, failure: error.map { failure($0, entry).text })
        }
        return ranges.map { range in check(range, failures.first { range.includes($0.range) }) }
            + failures.filter { error in !ranges.contains { $0.includes(error.range) } }.map { check($0.range, $0) }
    }

    /// Returns the status, the fields that explain a failure, and the start of the body.
    private func evidence(of response: HTTPURLResponse, _ body: [UInt8]) -> String {
        let evidence = ResponseEvidence(
            response, prefix: Array(body.prefix(BodyPrefix.evidenceLimit)), type: response.contentType, charset: nil,
            Redaction(evaluator.secrets, evaluator.variables))
        return evidence.lines.joined(separator: "\n").withMaskOfRun
    }

    /// Returns the command of curl and the response, which precede a failed assert.
    private func text(of response: HurlResponseValues, command: String) -> String {
        let redaction = Redaction(evaluator.secrets, evaluator.variables)
        let head = Array(response.headText.utf8)
        let shownHead = String(decoding: redaction.maskedHead(head) ?? head, as: UTF8.self).withMaskOfRun
        let type = response.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:))
        let body = redaction.response(response.body, type: type, isComplete: true)?.withMaskOfRun
        let request = "* Request can be run with the following curl command:\n* \(command)\n\n"
        return request + shownHead + (body ?? "(\(response.body.count) bytes)") + "\n\n"
    }

    private func failure(_ error: HurlEvaluationError, _ entry: HurlEntry) -> EntryError {
        let text = error.text(in: excerpt, entryLine: entry.request.range.start.line, masked: masked)
        return EntryError(title: error.title, text: masked(text), isAssert: error.isAssert)
    }

    /// - Parameter range: The part of the file; `nil` for the URL.
    private func failure(
        title: String, _ reason: String, _ entry: HurlEntry, at range: SourceRange? = nil
    ) -> EntryError {
        let text = excerpt.text(
            title: title, reason: masked(reason), range: range ?? entry.request.url.range,
            entryLine: range == nil ? nil : entry.request.range.start.line)
        return EntryError(title: title, text: masked(text), isAssert: false)
    }

    /// Returns a text without the secrets of the variables and of the request.
    private func masked(_ text: String) -> String {
        evaluator.secrets.redacted(evaluator.variables.redacted(text), mask: HurlVariables.mask)
    }

    // Output

    /// Saves the body of an entry, and keeps it as the output of the file.
    private mutating func save(
        _ response: HurlResponseValues,
        _ options: EntryOptions,
        of entry: HurlEntry
    ) throws {
        setOutput(response, options)
        let start = entry.request.range.start
        outputError = (options.isCompressed ? response.bodyFailure : nil).map {
            HurlEvaluationError($0.kind, at: SourceRange(start, start))
        }
        guard let path = options.output else { return }
        if let outputError { throw outputError }
        if path == "-" { return try environment.show(result.output) }
        let range = entry.request.outputRange ?? entry.request.range
        guard let destination = evaluator.environment.path(of: path) else {
            throw HurlEvaluationError(.unauthorizedFile(path), at: range)
        }
        if entry.request.editor?.keepsFile == true, FileStatus(destination) != nil {
            let note = "the file '\(destination)' exists, and the response is not saved; >>! replaces it"
            return result.notes.append(evaluator.variables.redacted(note))
        }
        do {
            try environment.write(result.output, to: destination, option: "output")
        } catch let error as FileProblem {
            throw HurlEvaluationError(.fileWriting(path, reason: error.hurlReason), at: range)
        }
    }

    private mutating func setOutput(_ response: HurlResponseValues, _ options: EntryOptions) {
        result.head = arguments.includesHead ? response.headText : ""
        result.output = options.isCompressed ? response.body : response.rawBody
        let isCoded = !options.isCompressed && !response.headers.contentCodings.isEmpty
        result.mediaType = isCoded ? nil : response.headers.value(for: "Content-Type").flatMap(MediaType.init(parsing:))
    }

    private func pause(milliseconds: UInt64) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        var left = timespec(tv_sec: Int(min(seconds, 1 << 40)), tv_nsec: Int(rest) * 1_000_000)
        _ = uninterrupted {
            var time = left
            return nanosleep(&time, &left)
        }
    }
}

extension FileProblem {
    /// The reason in the words of Hurl, which are those of Rust.
    fileprivate var hurlReason: String {
        switch reason {
        case .isMissing: "No such file or directory (os error \(ENOENT))"
        case .isDirectory: "Is a directory (os error \(EISDIR))"
        case .content(let text), .other(let text): text
        }
    }
}
