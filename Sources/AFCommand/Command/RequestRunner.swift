internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFSigning
internal import Dispatch

/// Executes a plan: one request with its redirects and retries, whose response is shown or saved.
struct RequestRunner: Sendable {
    let plan: Plan
    let environment: Environment
    let printer: Printer
    let messages: Messages
    let rule: RetryRule
    private let authentication: ActiveAuthentication
    let recorder: Recorder
    /// The queue of the output unless the main thread handles it, for sources that need a dispatch queue.
    let dispatchQueue = DispatchQueue(label: "afcli.printer")
    private let mainLoop = MainLoop<ExitStatus>()
    /// The view of the traffic; `nil` if only the response is shown.
    let view: TrafficPrinter?
    /// The progress display; `nil` for none.
    let progress: ProgressReporter?
    let cancellation = Cancellation()
    private let statePersister: StatePersister?
    /// The capture of the body for searching; `nil` if it is not searched.
    let bodyCapture: BodyCapture?
    let search: BodySearch
    /// The connection to the batch; `nil` for a single request.
    let part: BatchPart?

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - tokens: The persistent tokens; by default the session's.
    ///   - part: The connection to the batch.
    init(
        _ plan: Plan,
        _ environment: Environment,
        _ recorder: Recorder,
        tokens: (any OAuth2TokenStore)? = nil,
        part: BatchPart? = nil
    ) {
        self.plan = plan
        self.part = part
        self.recorder = recorder
        self.environment = environment
        let messages = Messages(
            environment,
            quietness: plan.output.messageQuietness,
            subject: part?.progress.subject
        )
        self.messages = messages
        statePersister = StatePersister(plan.persistentState)
        bodyCapture =
            plan.expectations.requireBody ? BodyCapture(limit: plan.output.bodies.holdingLimit) : nil
        // Other output must not be mixed into a saved body, and its failure does not fail the run.
        let output = plan.storesBody ? OptionalOutput(environment.errors) : environment.output
        let queue =
            plan.isPlain
            ? mainLoop.queue
            : part == nil ? mainLoop.queue(following: dispatchQueue) : CallbackQueue(dispatchQueue)
        printer = Printer(plan.output, on: queue, output: output, messages: messages)
        let sessionTokens = SessionTokens(plan.persistentState.session, plan.login, origin: plan.url.origin) { error in
            // The request has its token nevertheless.
            messages.warning("could not store the token: \(Diagnosis(error).message)")
        }
        authentication = ActiveAuthentication(
            plan.login,
            for: plan.request,
            tokenSession: plan.tokenSession,
            trustsOtherOrigins: plan.session.redirects.trustsOtherOrigins,
            on: queue,
            tokens: tokens ?? sessionTokens ?? TokenMemory()
        ) { login in
            messages.instruct(login.instruction, url: login.browserURL)
            if let url = login.browserURL, environment.errorTerminal != nil {
                Browser.open(url, variables: environment.variables)
            }
        }
        let showsRequest = !plan.output.parts.isDisjoint(with: [.requestHead, .requestBody])
        view =
            showsRequest || plan.output.showsAll
            ? TrafficPrinter(
                plan.request, plan.output, cookies: plan.persistentState.cookiesOfRequest,
                isConcurrent: (plan.download?.segments ?? 1) > 1, plan.waits, printer)
            : nil
        let progress = ProgressReporter(plan, on: dispatchQueue, environment, part)
        self.progress = progress
        let search = BodySearch(plan, cancellation)
        self.search = search
        let unmet = { @Sendable [bodyCapture] response in
            search.result(in: bodyCapture?.text) { body in
                plan.expectations.failures(in: response, body: body, times: nil)
            } ?? []
        }
        rule = RetryRule(plan.retry, of: plan.request, on: printer.queue, now: environment.now, unmet: unmet) {
            request, next in
            progress?.breakLine()
            let reason = next.reason(of: plan, request)
            messages.note("\(reason); \(next.intention(of: plan))")
            recorder.note(RunRecord.Retry(next, reason: reason))
        }
    }

    /// Blocks the calling thread until the request has ended.
    func run() throws -> ExitStatus {
        for warning in plan.warnings { messages.warning(warning) }
        for note in plan.notes { messages.note(note) }
        if plan.isDry { return recorder.finish(try showRequest(), attempts: nil) }
        if !plan.session.tls.verifiesChain, plan.url.scheme == .https || plan.session.redirects.isFollowing {
            messages.warning("the server's certificate is not verified")
        }
        let session = makeSession()
        statePersister?.begin(in: session)
        if let webSocket = plan.webSocket {
            let request = try WebSocketRunner(self, webSocket).start(in: session)
            return finish(session, request, endsInOrder: true)
        }
        guard let download = plan.download else {
            return finish(session, try StreamRunner(self).start(in: session))
        }
        if case .device(let path) = download.target {
            return finish(session, try StreamRunner(self, writingTo: path).start(in: session))
        }
        return try DownloadRunner(self, download).run(in: session)
    }

    /// Ends the run. On the printer's queue.
    func end(with status: ExitStatus) {
        if let part { part.end(status) } else { mainLoop.end(with: status) }
    }

    /// Installs the signal handlers, starts the request and writes its output until it has finished; then saves the
    /// session, the cookies and the records.
    ///
    /// - Parameter endsInOrder: Whether an interruption cancels the request instead of ending the program immediately.
    func finish(_ session: Session, _ request: Request, endsInOrder: Bool) -> ExitStatus {
        let interruption = endsInOrder ? onInterrupt(of: request) : nil
        request.resume()
        // A signal also ends the waits for locks and readers.
        return withExtendedLifetime((session, interruption)) {
            // A slow response is shown as it arrives; a fast one is written in large chunks.
            var status = mainLoop.run { printer.flush() }
            do {
                try statePersister?.end(in: session)
            } catch {
                let failure = fail(Diagnosis(error))
                if status == .success { status = failure }
            }
            return recorder.finish(
                status, attempts: request.allMetrics, segments: request.segmentMetrics, ended: cancellation.end)
        }
    }

    private func onInterrupt(of request: Request) -> any Sendable {
        plan.waits.handleSignals()
        return environment.onInterrupt { [cancellation, waits = plan.waits] status in
            waits.interrupt(status)
            cancellation.end(request, .interrupted(status))
        }
    }

    /// Starts a request whose response is shown, and waits; an interruption may end the program immediately if nothing
    /// is saved.
    private func finish(_ session: Session, _ request: Request) -> ExitStatus {
        finish(session, request, endsInOrder: recorder.plan.isNeeded || statePersister != nil)
    }

    private func makeSession() -> Session {
        var configuration = plan.session
        let debugLog = plan.isDebugging ? DebugLog(printer.queue, environment.errors) : nil
        configuration.removedHeaders = plan.request.removedHeaders
        configuration.hstsStore = plan.persistentState.hosts
        var kinds: Set<TransferEvent.Kind> = []
        if let view { kinds = view.kinds }
        let certificates = plan.showsCertificates ? certificatePrinter : nil
        if certificates != nil { kinds.insert(.certificates) }
        if debugLog != nil { kinds.insert(.information) }
        // Metrics contain the sent header only if it is observed.
        if recorder.plan.recordsHops || plan.login?.answer?.kind == .negotiate { kinds.insert(.requestHead) }
        if !kinds.isEmpty {
            configuration.eventHandler = TransferEventHandler(kinds) { [view] event in
                view?.note(event)
                certificates?.note(event)
                debugLog?.note(event)
            }
        }
        return Session(
            configuration: configuration,
            startRequestsImmediately: false,
            interceptor: interceptor,
            redirectHandler: statePersister?.guarding(authentication.redirectHandler) ?? authentication.redirectHandler,
            eventMonitors: []
        )
    }

    private var certificatePrinter: CertificatePrinter {
        CertificatePrinter(printer, environment.errors) { [progress] in progress?.breakLine() }
    }

    /// The interceptor; `nil` if none is needed, so that the core skips the step.
    var interceptor: (any RequestInterceptor)? {
        let rule: (any RequestInterceptor)? = plan.retry.limit > 0 ? rule : nil
        let interceptors = [statePersister?.restorer, authentication.interceptor, rule].compactMap(\.self)
        return interceptors.count > 1 ? Interceptor(interceptors: interceptors) : interceptors.first
    }

    /// Whether a retry replaces the response, so that its body is not shown.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        authentication.renewal?.replaces(response) == true || rule.replaces(response, isUnmet: isUnmet(response))
    }

    /// Whether the header does not meet an expectation.
    private func isUnmet(_ response: HTTPURLResponse) -> Bool {
        !plan.expectations.failures(inHeadersOf: response).isEmpty
    }

    /// Whether responses may be replaced and must be validated.
    var mayReplace: Bool { plan.retry.limit > 0 || authentication.renewal != nil }

    /// Fails a response that a retry replaces.
    func validate(_ response: HTTPURLResponse) -> Result<Void, any Error> {
        if case .failure(let error)? = authentication.renewal?.validate(response) { return .failure(error) }
        return rule.validate(response, isUnmet: isUnmet(response))
    }

    /// Returns the request for the core, with its body if it has one.
    func convertible() throws -> any URLRequestConvertible {
        // Only the end of a stream of unknown length shows that all of it is sent.
        let progressObserver = plan.request.body.isOneStream ? progress?.observer : nil
        let upload = try PlannedUpload(
            plan.request, plan.waits, observer: UploadObserver(view?.observer, progressObserver))
        return try upload ?? plan.request.asURLRequest()
    }

    /// Prepares a request of any kind before it starts.
    func prepare(_ request: Request) {
        if let answer = plan.login?.answer { request.authenticate(with: answer.credential) }
        // The runner's session already has it.
        if part != nil, let handler = authentication.redirectHandler { request.redirect(using: handler) }
        // In a batch the limit applies to each download.
        cancellation.end(request, after: part == nil ? plan.waits.remaining : plan.totalTime, of: plan.totalTime)
    }

    /// Starts showing the body of a response. Must be called on the printer's queue.
    func beginBody(of response: HTTPURLResponse) {
        let type = plan.output.mediaType ?? response.contentType
        printer.beginBody(of: type, charset: plan.output.charset, filter: plan.output.filter)
    }

    /// Returns the run's status for the end of a request and prints its message. Must be called on the printer's queue.
    ///
    /// - Parameter hint: The hint after a failure, if it differs from the usual one.
    func conclude(
        _ request: Request,
        _ error: AFError?,
        hint: String? = nil,
        unmet failure: String? = nil
    ) -> ExitStatus {
        defer {
            if cancellation.diagnosis == nil, let reason = rule.refusal { messages.note("not retried: \(reason)") }
            showFilteredBody(of: request)
        }
        if request.response != nil { statePersister?.noteResponse() }
        showTrailers(request)
        if let failure = printer.failure { return fail(Diagnosis(failure)) }
        showTimings(request)
        if var diagnosis = cancellation.diagnosis ?? diagnosis(of: error, in: request) {
            diagnosis.hint = hint ?? diagnosis.hint
            return fail(diagnosis)
        }
        guard let response = request.response else { return .failure }
        if let failure = rangeFailure(response, received: request.lastHops.last?.responseBodyBytes) {
            return fail(failure)
        }
        if plan.mayHaveLateInput, environment.standardInput.firstDelivery(.zero) == .bytes {
            return fail(
                Diagnosis(
                    "standard input had data only after GET was sent: too late to send it",
                    hint: "name the method: afcli post URL; or ignore the input: -I", status: .usage))
        }
        guard let evaluation = evaluation(of: response, request) else {
            return fail(cancellation.diagnosis ?? .interrupted(.interrupted))
        }
        recorder.note(evaluation.results)
        let unsentBody = unsentBody(request)
        let status = plan.expectations.exitStatus(for: response)
        if status != .success { recorder.note(status: Diagnosis(response, status: status)) }
        // Messages of a WebSocket connection are filtered one by one.
        let isFiltered = plan.webSocket == nil && (status == .success || printer.filter != nil)
        let filterDiagnosis = isFiltered ? Diagnosis(printer.filter, plan.output.filter) : nil
        if let filterDiagnosis, filterDiagnosis.status != .expectation, status == .success {
            warnOfUnsentBody(unsentBody, response)
            return fail(filterDiagnosis)
        }
        let failures = [failure].compactMap(\.self) + evaluation.failures
        if !failures.isEmpty {
            rule.noteUnmetExpectation()
            var diagnosis = Diagnosis(unmet: failures, hint: plan.expectations.hint)
            if status != .success { diagnosis.excerpt.append(response.statusMessage) }
            // Batches do not support the hint's option.
            diagnosis.hint = withheldCredentialsNote(response) ?? (part == nil ? diagnosis.hint : nil)
            warnOfUnsentBody(unsentBody, response)
            return fail(diagnosis)
        }
        // The body of an error seldom has the selected values.
        if let filterDiagnosis {
            if status == .success {
                warnOfUnsentBody(unsentBody, response)
                return fail(filterDiagnosis)
            }
            if filterDiagnosis.status == .expectation { messages.note(filterDiagnosis.message) }
        }
        if plan.showsCertificates, request.lastHops.allSatisfy(\.certificates.isEmpty) {
            messages.note("the connection did not use TLS, so there are no certificates")
        }
        warnOfRange(response)
        warnOfCoding(request, response)
        if status != .success { recorder.note(Diagnosis(response, status: status)) }
        if status != .success, status == .redirected || !plan.output.parts.contains(.responseHead) {
            let diagnosis = Diagnosis(
                response, status: status, unsentBody: unsentBody, clause: redirectClause(response, status))
            // In a batch, only this shows that a download failed.
            let suffix = plan.storesBody ? "; nothing was saved" : ""
            if part == nil { messages.warning(diagnosis.message + suffix) } else { messages.error(diagnosis) }
        } else {
            warnOfUnsentBody(unsentBody, response)
        }
        let note =
            withheldCredentialsNote(response) ?? challengeNote(response, request) ?? proxyNote(response, request)
            ?? expectationNote(response, request)
        if let note { messages.note(messages.notation(note)) }
        return status
    }

    /// Shows the start of a body from which the filter selected nothing, or whose status failed.
    private func showFilteredBody(of request: Request) {
        guard let filter = printer.filter, let response = request.response else { return }
        // A body that is not JSON cancels the request.
        guard cancellation.diagnosis == nil || filter.problem != nil,
            filter.problem != nil || filter.matchCount == 0 || !isSuccess(response)
        else { return }
        let redaction = Redaction(revealsSecrets: recorder.plan.showsSecrets)
        messages.body(redaction.prefix(printer.bodyPrefix, type: response.contentType))
    }

    /// Returns the failed expectations, and the results for a JUnit report; `nil` if the search was abandoned.
    private func evaluation(
        of response: HTTPURLResponse,
        _ request: Request
    ) -> (failures: [String], results: [ExpectationResult])? {
        let times = RunTimes(request.allMetrics, request.segmentMetrics)
        return search.result(in: bodyCapture?.text) {
            [expectations = plan.expectations, hops = request.lastHops, needsResults = recorder.plan.junit != nil] body
            in
            (
                expectations.failures(in: response, body: body, times: times, hops: hops),
                needsResults ? expectations.results(in: response, body: body, times: times) : []
            )
        }
    }

    /// Whether the status of a response is no failure.
    func isSuccess(_ response: HTTPURLResponse?) -> Bool {
        response.map { plan.expectations.exitStatus(for: $0) == .success } ?? true
    }

    /// Returns the diagnosis of an error. A retryable status is not an error after the last retry: it is evaluated like
    /// any other, as is a rejected body.
    private func diagnosis(of error: AFError?, in request: Request) -> Diagnosis? {
        guard let error, error.responseCode == nil, !(error.underlyingError is UnexpectedBody) else { return nil }
        var circumstances: TransferCircumstances?
        let type = plan.output.mediaType ?? request.response?.contentType
        if case .noResponse(_, let url)? = error.underlyingError as? OAuth2Error {
            circumstances = TransferCircumstances(plan, tokenEndpoint: url)
        }
        var context = circumstances ?? TransferCircumstances(plan, latest: request.task?.currentRequest)
        context.isEventStream = BodyKind(type) == .eventStream
        context.statusCode = request.response?.statusCode
        context.proxyResponse = request.lastHops.last?.earlierHeads.last { $0.kind == .tunnel }?.response
        return Diagnosis(error, context)
    }

    private func fail(_ diagnosis: Diagnosis) -> ExitStatus {
        messages.error(diagnosis)
        recorder.note(diagnosis)
        return diagnosis.status
    }

    private func showTrailers(_ request: Request) {
        guard plan.output.showsTrailers, let trailers = request.allMetrics.last?.transactionMetrics.last?.trailers,
            !trailers.isEmpty
        else { return }
        printer.showTrailers(trailers)
        printer.flush()
    }

    private func showTimings(_ request: Request) {
        let rows = TimingRow.rows(of: HopRecord.hops(of: request.allMetrics, request.segmentMetrics))
        guard !rows.isEmpty else { return }
        if plan.output.parts.contains(.metadata) {
            let times = RunTimes(request.allMetrics, request.segmentMetrics, ended: cancellation.end)
            let figures = MetaView(rows: rows, elapsed: times?.total ?? 0, palette: plan.output.palette).render()
            printer.showText(figures + (plan.output.isForTerminal ? "\n" : ""))
        }
        if plan.output.showsTiming {
            let picture = Waterfall(
                rows: rows,
                width: environment.errorTerminal?.columns ?? plan.output.width,
                isUTF8: plan.output.isUTF8,
                palette: plan.output.errorPalette
            )
            if let errors = environment.errors as? LineOutput { try? errors.endLine() }
            var text = picture.render()
            text.withUTF8 { try? environment.errors.write(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Creates and shows the request without a network.
    private func showRequest() throws -> ExitStatus {
        if let style = plan.curl {
            let redaction = Redaction(revealsSecrets: recorder.plan.showsSecrets)
            let command = CurlCommand(
                plan.request,
                login: plan.login,
                cookies: plan.persistentState.cookiesOfRequest,
                plan.session,
                totalTime: plan.totalTime,
                CurlCommand.Outcome(
                    download: plan.curlDownload, retry: plan.retry,
                    checksStatus: plan.expectations.statusCheck != .none, missing: plan.missingInCurl),
                redaction,
                variables: environment.variables
            )
            printer.showText(command.text(style) + "\n")
            for warning in command.warnings { messages.warning(warning) }
        } else {
            var request = try plan.request.asURLRequest()
            try authentication.complete(&request, body: plan.request.body.source(plan.waits))
            try view?.showOffline(request)
        }
        printer.flush()
        if plan.curl == nil { try statePersister?.endOffline() }
        guard let failure = printer.failure else { return .success }
        throw failure
    }
}

extension Request {
    /// The metrics of the segments.
    fileprivate var segmentMetrics: [TransferMetrics] {
        (self as? DownloadRequest)?.segments.flatMap(\.allMetrics) ?? []
    }
}

extension ProgressReporter {
    /// The progress of the download, else of a long upload.
    fileprivate convenience init?(
        _ plan: Plan,
        on queue: DispatchQueue,
        _ environment: Environment,
        _ part: BatchPart?
    ) {
        let file = plan.download?.fileName(for: plan.url)
        let isShown = plan.output.parts.contains(.requestBody)
        self.init(
            plan.progress,
            name: file ?? "upload",
            isWorthTelling: file != nil || (plan.request.body.isLarge && !isShown),
            palette: plan.output.errorPalette,
            on: queue,
            environment,
            part: part?.progress
        )
    }
}

extension Plan {
    /// Whether only headers and bodies are shown, so that no dispatch queue is needed.
    fileprivate var isPlain: Bool {
        download == nil && !request.body.isLarge
    }
}

extension RetryRule.NextAttempt {
    /// Returns the reason of a retry.
    fileprivate func reason(of plan: Plan, _ request: Request) -> String {
        let circumstances = TransferCircumstances(plan, latest: request.task?.currentRequest)
        return unmet ?? response?.statusMessage ?? Diagnosis(error, circumstances).message
    }

    fileprivate func intention(of plan: Plan) -> String {
        let limit = plan.retry.limit < .max ? " of \(plan.retry.limit)" : ""
        return "retrying in \(HumanUnits.duration(delay)) (\(number)\(limit))"
    }
}

extension RunRecord.Retry {
    fileprivate init(_ next: RetryRule.NextAttempt, reason: String) {
        self.init(number: next.number, delay: next.delay, reason: reason, status: next.response?.statusCode)
    }
}
