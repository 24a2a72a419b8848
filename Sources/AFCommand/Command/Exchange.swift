internal import AFCore
internal import AFHTTP
internal import Dispatch

/// Carries out a plan: one request with its redirects and retries, shown or stored as it comes.
struct Exchange: Sendable {
    let plan: Plan
    let environment: Environment
    let printer: Printer
    let messages: Messages
    let rule: RetryRule
    private let login: Login
    let recorder: Recorder
    /// Where the output is worked on, unless the main thread does that: for whatever tells its news to a dispatch queue.
    let dispatchQueue = DispatchQueue(label: "afcli.printer")
    private let mainLoop = MainLoop<ExitStatus>()
    /// `nil` where nothing but the answer is shown.
    let view: WireView?
    /// `nil` where none is told.
    let progress: ProgressReporter?
    let ending = Ending()
    private let memoryKeeper: MemoryKeeper?
    /// `nil` where nobody searches the body.
    let bodyKeeper: BodyKeeper?
    /// `nil` where the run is this exchange.
    let part: BatchPart?

    /// - Parameters:
    ///   - tokens: What an earlier run has left, and what this one leaves; the session's if not given.
    ///   - part: What it has to do with the others of the run.
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
            output: environment.errors,
            quietness: plan.output.quietness,
            subject: part?.progress.subject
        )
        self.messages = messages
        memoryKeeper = MemoryKeeper(plan.memory)
        bodyKeeper =
            plan.expectations.values.isEmpty ? nil : BodyKeeper(limit: plan.output.bodies.holdingLimit)
        // What stands beside a stored body must not stand in it, and is not what the run is for.
        let output = plan.storesBody ? OptionalOutput(environment.errors) : environment.output
        let queue = plan.isPlain ? mainLoop.queue : CallbackQueue(dispatchQueue)
        printer = Printer(plan.output, on: queue, output: output, messages: messages)
        let kept = SessionTokens(plan.memory.session, plan.login, origin: plan.url.origin) { error in
            // The request has its token all the same.
            messages.warning("the token is not kept: \(Diagnosis(error).message)")
        }
        login = Login(
            plan.login,
            for: plan.planned,
            tokenSession: plan.tokenSession,
            trustsOtherOrigins: plan.session.redirects.trustsOtherOrigins,
            on: queue,
            tokens: tokens ?? kept ?? TokenMemory()
        )
        let showsRequest = !plan.output.parts.isDisjoint(with: [.requestHead, .requestBody])
        view =
            showsRequest || plan.output.showsAll
            ? WireView(plan.planned, plan.output, cookies: plan.memory.cookiesOfRequest, plan.waits, printer) : nil
        let progress = ProgressReporter(plan, on: dispatchQueue, environment, part)
        self.progress = progress
        rule = RetryRule(plan.retry, of: plan.request, on: printer.queue, now: environment.now) {
            request, next in
            progress?.breakLine()
            let reason = next.reason(of: plan, request)
            messages.note("\(reason); \(next.intention(of: plan))")
            recorder.note(RunRecord.Retry(next, reason: reason))
        }
    }

    /// Blocks the calling thread until the exchange is over.
    func run() throws -> ExitStatus {
        for warning in plan.warnings { messages.warning(warning) }
        if plan.isDry { return recorder.finish(try showRequest(), attempts: nil) }
        if !plan.session.tls.verifiesChain, plan.url.scheme == .https || plan.session.redirects.isFollowing {
            messages.warning("the server's certificate is not checked")
        }
        let session = makeSession()
        memoryKeeper?.begin(in: session)
        guard let download = plan.download else {
            return finish(session, try StreamExchange(self).start(in: session))
        }
        if case .device(let path) = download.target {
            return finish(session, try StreamExchange(self, writingTo: path).start(in: session))
        }
        return try DownloadExchange(self, download).run(in: session)
    }

    /// The exchange is over. On the printer's queue.
    func end(with status: ExitStatus) {
        if let part { part.end(status) } else { mainLoop.end(with: status) }
    }

    /// Installs the signal handlers, starts the request and writes its output until it has finished; then saves the session,
    /// the cookies and the records.
    ///
    /// - Parameter endsInOrder: Whether an interruption ends the request, and not the program at once.
    func finish(_ session: Session, _ request: Request, endsInOrder: Bool) -> ExitStatus {
        let interruption = endsInOrder ? onInterrupt(of: request) : nil
        request.resume()
        // A signal ends the waits for locks and readers as well.
        return withExtendedLifetime((session, interruption)) {
            var status = mainLoop.run()
            do {
                try memoryKeeper?.end(in: session)
            } catch {
                let failure = fail(Diagnosis(error))
                if status == .success { status = failure }
            }
            return recorder.finish(status, attempts: request.allMetrics, segments: request.segmentMetrics)
        }
    }

    private func onInterrupt(of request: Request) -> any Sendable {
        plan.waits.handleSignals()
        return environment.onInterrupt { [ending, waits = plan.waits] status in
            waits.interrupt(status)
            ending.end(request, .interrupted(status))
        }
    }

    /// The same for a response that is shown: there is nothing to put in order where nothing is kept of it.
    private func finish(_ session: Session, _ request: Request) -> ExitStatus {
        finish(session, request, endsInOrder: recorder.plan.isWanted || memoryKeeper != nil)
    }

    private func makeSession() -> Session {
        var configuration = plan.session
        let remarks = plan.isDebugging ? RemarkView(printer.queue, environment.errors) : nil
        configuration.removedHeaders = plan.request.removedHeaders
        configuration.hstsStore = plan.memory.hosts
        var kinds: Set<TransferEvent.Kind> = []
        if let view { kinds = view.kinds }
        if remarks != nil { kinds.insert(.remark) }
        // Metrics hold what was sent only where somebody listens.
        if recorder.plan.tellsHops { kinds.insert(.requestHead) }
        if !kinds.isEmpty {
            configuration.eventHandler = TransferEventHandler(kinds) { [view] event in
                view?.note(event)
                remarks?.note(event)
            }
        }
        return Session(
            configuration: configuration,
            startRequestsImmediately: false,
            interceptor: interceptor,
            redirectHandler: memoryKeeper?.guarding(login.redirectHandler) ?? login.redirectHandler,
            eventMonitors: []
        )
    }

    /// `nil` where nobody has a say: the core then asks nobody.
    var interceptor: (any RequestInterceptor)? {
        let rule: (any RequestInterceptor)? = plan.retry.limit > 0 ? rule : nil
        let interceptors = [memoryKeeper?.restorer, login.interceptor, rule].compactMap(\.self)
        return interceptors.count > 1 ? Interceptor(interceptors: interceptors) : interceptors.first
    }

    /// Whether another attempt replaces the response, so that its body is not the answer.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        login.renewal?.replaces(response) == true || rule.replaces(response)
    }

    /// Whether answers may be replaced, so that they must be validated.
    var mayReplace: Bool { plan.retry.limit > 0 || login.renewal != nil }

    /// Fails an answer that another attempt replaces.
    func validate(_ response: HTTPURLResponse) -> Result<Void, any Error> {
        if case .failure(let error)? = login.renewal?.validate(response) { return .failure(error) }
        return rule.validate(response)
    }

    /// The request as the core takes it, with its body where it has one.
    func convertible() throws -> any URLRequestConvertible {
        // Nothing but the end of a stream of unknown length tells that all of it is sent.
        let progressTap = plan.request.body.isOneStream ? progress?.tap : nil
        let upload = try PlannedUpload(plan.planned, plan.waits, tap: BodyTap(view?.tap, progressTap))
        return try upload ?? plan.planned.asURLRequest()
    }

    /// What every kind of request needs before it starts.
    func prepare(_ request: Request) {
        if let answer = plan.login?.answer { request.authenticate(with: answer.credential) }
        // A session of its own has it already.
        if part != nil, let handler = login.redirectHandler { request.redirect(using: handler) }
        // Of several downloads each has the time for itself.
        ending.end(request, after: part == nil ? plan.waits.remaining : plan.totalTime, of: plan.totalTime)
    }

    /// Begins to show the body of a response. On the printer's queue.
    func beginBody(of response: HTTPURLResponse) {
        let announced = response.value(forHTTPHeaderField: "Content-Type").flatMap(MediaType.init(parsing:))
        printer.beginBody(of: plan.output.mediaType ?? announced, charset: plan.output.charset)
    }

    /// What the end of a request makes of the run, and a word about it. On the printer's queue.
    ///
    /// - Parameter hint: What to do after a failure, where that is more than its kind tells.
    func conclude(
        _ request: Request,
        _ error: AFError?,
        hint: String? = nil,
        unmet complaint: String? = nil
    ) -> ExitStatus {
        defer { if ending.diagnosis == nil, let reason = rule.refusal { messages.note("not retried: \(reason)") } }
        if request.response != nil { memoryKeeper?.noteAnswer() }
        if let failure = printer.failure { return fail(Diagnosis(failure)) }
        showTimings(request)
        if var diagnosis = ending.diagnosis ?? diagnosis(of: error, in: request) {
            diagnosis.hint = hint ?? diagnosis.hint
            return fail(diagnosis)
        }
        guard let response = request.response else { return .failure }
        let complaints =
            [complaint].compactMap(\.self)
            + plan.expectations.complaints(
                about: response,
                body: bodyKeeper?.body,
                times: RunTimes(request.allMetrics, request.segmentMetrics)
            )
        if !complaints.isEmpty {
            var diagnosis = Diagnosis(unmet: complaints)
            // Which several downloads cannot do.
            if part != nil { diagnosis.hint = nil }
            return fail(diagnosis)
        }
        warnOfUnsentBody(request, response)
        let status = plan.expectations.exitStatus(for: response)
        if status != .success { recorder.note(Diagnosis(response, status: status)) }
        let isRedirect = status == .redirected && response.value(forHTTPHeaderField: "Location") != nil
        if status != .success, !plan.output.parts.contains(.responseHead) || (isRedirect && plan.output.isForTerminal) {
            let diagnosis = Diagnosis(response, status: status, namesOption: isRedirect)
            // What fails one of many is shown by nothing else.
            if part == nil { messages.warning(diagnosis.message) } else { messages.error(diagnosis) }
        }
        return status
    }

    /// A server that answers early may not have wanted the rest, or may have lost it.
    private func warnOfUnsentBody(_ request: Request, _ response: HTTPURLResponse) {
        let progress = request.uploadProgress
        guard response.statusCode < 300, progress.completedUnitCount < progress.totalUnitCount else { return }
        let (sent, all) = (HumanUnits.bytes(progress.completedUnitCount), HumanUnits.bytes(progress.totalUnitCount))
        messages.warning(
            "the server answered \(response.statusWithReason) before it had the body: \(sent) of \(all) were sent")
    }

    /// A status that was worth another try is no error: it is judged like any other once the tries are spent. So is a
    /// body that was refused.
    private func diagnosis(of error: AFError?, in request: Request) -> Diagnosis? {
        guard let error, error.responseCode == nil, !(error.underlyingError is UnexpectedBody) else { return nil }
        return Diagnosis(error, TransferCircumstances(plan, latest: request.task?.currentRequest))
    }

    private func fail(_ diagnosis: Diagnosis) -> ExitStatus {
        messages.error(diagnosis)
        recorder.note(diagnosis)
        return diagnosis.status
    }

    private func showTimings(_ request: Request) {
        let rows = TimingRow.rows(of: request.allMetrics, request.segmentMetrics)
        guard !rows.isEmpty else { return }
        if plan.output.parts.contains(.metadata) {
            let figures = MetaView(rows: rows, palette: plan.output.palette).render()
            printer.showText(figures + (plan.output.isForTerminal ? "\n" : ""))
        }
        if plan.output.showsTiming {
            let picture = Waterfall(
                rows: rows,
                width: environment.errorTerminal?.columns ?? plan.output.width,
                isUTF8: plan.output.isUTF8,
                palette: plan.output.errorPalette
            )
            var text = picture.render()
            text.withUTF8 { try? environment.errors.write(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Builds the request and shows it, without a network.
    private func showRequest() throws -> ExitStatus {
        if let style = plan.curl {
            let redaction = Redaction(revealsSecrets: recorder.plan.showsSecrets)
            let command = CurlCommand(
                plan.planned,
                login: plan.login,
                cookies: plan.memory.cookiesOfRequest,
                plan.session,
                totalTime: plan.totalTime,
                redaction,
                variables: environment.variables
            )
            printer.showText(command.text(style) + "\n")
            for remark in command.remarks { messages.warning(remark) }
        } else {
            var request = try plan.planned.asURLRequest()
            try login.complete(&request, body: plan.request.body.source(plan.waits))
            try view?.showOffline(request)
        }
        printer.flush()
        if plan.curl == nil { try memoryKeeper?.endOffline() }
        guard let failure = printer.failure else { return .success }
        throw failure
    }
}

extension Request {
    /// Of the ranges that were fetched beside it.
    fileprivate var segmentMetrics: [TransferMetrics] {
        (self as? DownloadRequest)?.segments.flatMap(\.allMetrics) ?? []
    }
}

extension ProgressReporter {
    /// Of the download, else of the upload if that is a long one.
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
    /// Whether nothing but heads and bodies has to be told, so that no dispatch queue is needed.
    fileprivate var isPlain: Bool {
        download == nil && !request.body.isLarge
    }
}

extension RetryRule.NextTry {
    /// Why the request is sent again.
    fileprivate func reason(of plan: Plan, _ request: Request) -> String {
        let circumstances = TransferCircumstances(plan, latest: request.task?.currentRequest)
        return response.map { "the server answered \($0.statusWithReason)" } ?? Diagnosis(error, circumstances).message
    }

    fileprivate func intention(of plan: Plan) -> String {
        "trying again in \(HumanUnits.duration(delay)) (\(number) of \(plan.retry.limit))"
    }
}

extension RunRecord.Retry {
    fileprivate init(_ next: RetryRule.NextTry, reason: String) {
        self.init(number: next.number, delay: next.delay, reason: reason, status: next.response?.statusCode)
    }
}

extension HTTPURLResponse {
    /// `404 Not Found`, or the status alone where no reason came with it.
    var statusWithReason: String {
        reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
    }
}
