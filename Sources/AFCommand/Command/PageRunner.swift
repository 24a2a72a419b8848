internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Synchronization

/// Requests consecutive pages, each a run, over shared connections and with shared cookies.
struct PageRunner {
    private let first: Plan
    private let pages: PagePlan
    private let environment: Environment
    /// The environment of the recorders, whose output never belongs in the file of the values.
    private let recorderEnvironment: Environment
    /// The recorder of all pages, which writes the reports.
    private let recorder: Recorder
    private let messages: Messages
    private let transport: CurlTransport
    private let tokens: TokenMemory?
    private let output: LineOutput

    /// A run of a page.
    private struct Page {
        let run: Run
        let record: RunRecord
        let status: ExitStatus
    }

    init(_ plan: Plan, _ pages: PagePlan, _ environment: Environment, _ recorder: Recorder) {
        (first, self.pages, self.recorder) = (plan, pages, recorder)
        messages = Messages(environment, level: plan.output.messageLevel)
        transport = CurlTransport(connections: plan.session.connections)
        // A session stores the tokens.
        tokens = plan.persistentState.session == nil ? TokenMemory() : nil
        output = LineOutput(plan.printedFile ?? environment.output)
        let outer = environment
        var environment = environment
        environment.transport = transport
        environment.output = output
        recorderEnvironment = plan.printedFile == nil ? environment : outer
        // An interruption must remove the incomplete file.
        if plan.printedFile != nil { environment.endsInOrder = true }
        self.environment = environment
    }

    /// Blocks the calling thread until the last page has ended.
    func run() throws -> ExitStatus {
        defer { transport.shutdown() }
        do {
            return try runAll()
        } catch {
            _ = try? first.printedFile?.end(isComplete: false, after: nil)
            throw error
        }
    }

    private func runAll() throws -> ExitStatus {
        var records: [RunRecord] = []
        var requested: Set<String> = []
        var matchCount = 0
        var messages = first.messages
        var plan = first.page(first.url, isFirst: true, first.persistentState.cookies, messages)
        while true {
            requested.insert(plan.url.text)
            let page = try run(plan)
            records.append(page.record)
            matchCount += page.run.printer.filter?.matchCount ?? 0
            var status = page.status
            var next: HTTPURL?
            messages.maximum? -= page.run.messageCount.load(ordering: .relaxed)
            if status == .success, messages.maximum != 0 {
                do throws(PageFailure) {
                    next = try self.next(after: page.run, requested)
                } catch {
                    status = fail(Diagnosis(error), page.run, &records)
                }
            }
            if next == nil, records.count == 1, status == .success { warnOfMissingCursor(page.run) }
            if let url = next, records.count < pages.maximum {
                let cookies = waitFor { [transport] in await transport.cookies() }
                plan = first.page(url, isFirst: false, cookies, messages)
                continue
            }
            if next != nil {
                let text =
                    "stopped after \(records.count) page\(records.count == 1 ? "" : "s"): there are more (--max-pages)"
                if pages.hasTypedMaximum { self.messages.note(text) } else { self.messages.warning(text) }
            }
            if status == .success, matchCount == 0, let failure = page.run.emptinessOfPages {
                status = fail(failure, page.run, &records)
                return recorder.writeReports(
                    end(status, after: page.run, reason: "no page has a value that the filter selects"), records,
                    of: .request)
            }
            let reason = "page \(records.count) failed"
            return recorder.writeReports(end(status, after: page.run, reason: reason), records, of: .request)
        }
    }

    private func run(_ plan: Plan) throws -> Page {
        // The text of a page starts on a new line.
        try output.endLine()
        let part = Recorder(recorder.plan, recorderEnvironment, messages, writesReports: false)
        try part.record(plan)
        let file = first.printedFile?.isRewindable == true ? first.printedFile : nil
        file?.mark()
        let run = Run(plan, environment, part, tokens: tokens, pageFile: file)
        let status = try run.execute()
        return Page(run: run, record: part.complete(status), status: status)
    }

    private func next(after run: Run, _ requested: Set<String>) throws(PageFailure) -> HTTPURL? {
        guard let response = run.finalResponse.withLock(\.self) else { return nil }
        let url = try pages.next(after: response, of: run.plan.url, body: run.search.capture?.text)
        guard let url = url.map({ first.persistentState.hosts?.secured($0) ?? $0 }) else { return nil }
        if let failure = first.session.redirects.failure(of: url, after: first.url) { throw failure }
        if requested.contains(url.text) { throw .repeated(url) }
        return url
    }

    /// Prints a warning if the first page has no value at the path of the cursor, which may be misspelled.
    private func warnOfMissingCursor(_ run: Run) {
        guard let cursor = pages.cursor, case .complete(let body, _)? = run.search.capture?.text,
            !cursor.isFound(in: body)
        else { return }
        messages.warning("the first page has no value at '\(cursor.typedPath)' (--next)")
    }

    /// Prints an error after a page with its response, and records them.
    private func fail(_ diagnosis: Diagnosis, _ run: Run, _ records: inout [RunRecord]) -> ExitStatus {
        messages.error(diagnosis)
        records[records.count - 1].failure = RunRecord.Failure(
            status: diagnosis.exitStatus, message: diagnosis.message, details: diagnosis.excerpt)
        records[records.count - 1].status = diagnosis.exitStatus
        let evidence = run.showEvidence(diagnosis.exitStatus)
        records[records.count - 1].evidence = evidence?.lines ?? []
        return diagnosis.exitStatus
    }

    /// Ends the file that has the values of all pages.
    ///
    /// - Parameter reason: The reason why it may be incomplete.
    private func end(_ status: ExitStatus, after run: Run, reason: String) -> ExitStatus {
        guard let file = first.printedFile else { return status }
        do throws(OutputFailure) {
            let path = try file.end(isComplete: status == .success, after: run.finalResponse.withLock(\.self))
            if path == nil { messages.note("nothing was saved: \(reason)") }
            return status
        } catch {
            let diagnosis = Diagnosis(error)
            messages.error(diagnosis)
            return status == .success ? diagnosis.exitStatus : status
        }
    }
}

extension Run {
    /// The error of a filter that selected nothing; `nil` if there is no such filter.
    fileprivate var emptinessOfPages: Diagnosis? {
        if plan.output.filter == .elements { return nil }
        return filterFailure
    }
}

extension Plan {
    /// Returns the plan of a page.
    ///
    /// - Parameters:
    ///   - cookies: The cookies before its request.
    ///   - messages: The messages of a stream to show, of which earlier pages have had some.
    fileprivate func page(
        _ url: HTTPURL, isFirst: Bool, _ cookies: [HTTPCookie], _ messages: MessageSelection
    ) -> Plan {
        var plan = ofPart(isFirst: isFirst)
        plan.request.url = url
        plan.persistentState = PersistentState(persistentState, cookies: cookies)
        plan.messages = messages
        // As after a redirect, a typed Host is for the first server, which may have several ports.
        if url.host != self.url.host { plan.request.headers.remove(name: "Host") }
        if url.origin != self.url.origin {
            for name in session.redirects.headersOfFirstHost { plan.request.headers.remove(name: name) }
        }
        return plan
    }
}

extension Diagnosis {
    init(_ failure: PageFailure) {
        let redaction = Redaction(revealsSecrets: false)
        switch failure {
        case .tooLarge(let cursor, let limit):
            self.init(
                "expected a value at '\(cursor.typedPath)', got a body of more than \(HumanUnits.limit(Int64(limit)))",
                hint: "increase --max-formatted", status: .broken)
        case .unusable(_, .invalid(let error)):
            self.init(SelectionProblem.invalid(error), filter: nil)
        case .unusable(let cursor, .kind(let kind)):
            self.init(
                "expected a cursor at '\(cursor.typedPath)', got a value of type \(kind)",
                hint: "--next needs the path of a string or a number", status: .expectation)
        case .invalidURL(let reason):
            self.init("the URL of the next page is invalid: \(reason)", status: .redirects)
        case .otherOrigin(let url):
            self.init(
                "the next page is at another origin: \(redaction.url(url.text))",
                hint: "--trust-redirects requests it, with credentials and cookies", status: .redirects)
        case .downgrade(let url):
            self.init(
                "the next page is not at https: \(redaction.url(url.text))",
                hint: "allow it with --allow-downgrade", status: .redirects)
        case .otherSettings(let url):
            self.init(
                "the next page is at an origin with other settings: \(redaction.url(url.text))",
                hint: "request it directly: the configuration's settings are for the first page", status: .redirects)
        case .repeated(let url):
            self.init(
                "the pages repeat: the next one was received already: \(redaction.url(url.text))",
                hint: "end before it with --max-pages NUMBER", status: .redirects)
        }
    }
}
