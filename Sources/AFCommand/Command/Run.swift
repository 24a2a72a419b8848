internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFSigning
internal import Dispatch
internal import Synchronization

/// A run of a plan: one request with its redirects and retries, whose response is shown or saved.
final class Run: Sendable {
    let plan: Plan
    let environment: Environment
    let recorder: Recorder
    let messages: Messages
    /// The connection to the batch; `nil` for a single request.
    let part: BatchItem?
    /// The file of consecutive pages, from which a retry drops the values of an incomplete page; `nil` for other runs.
    let pageFile: PrintedFile?
    /// The queue of the output unless the main thread handles it, for sources that need a dispatch queue.
    let dispatchQueue: DispatchQueue
    private let mainLoop = MainLoop<ExitStatus>()
    let printer: Printer
    /// The view of the traffic; `nil` if only the response is shown.
    let view: TrafficPrinter?
    /// The progress display; `nil` for none.
    let progress: ProgressReporter?
    let cancellation = Cancellation()
    let search: BodySearch
    let bodyPrefix: BodyPrefix
    let rule: RetryRule
    /// The continuation of event streams; `nil` if none is continued.
    let reconnection: EventReconnection?
    private let authentication: ActiveAuthentication
    /// The resumable upload; `nil` for other requests.
    let upload: ResumableUpload?
    let statePersister: StatePersister?
    /// The number of messages that a stream has shown.
    let messageCount = Atomic(0)
    /// The response after redirects and retries.
    let finalResponse = Mutex<HTTPURLResponse?>(nil)

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - tokens: The persistent tokens; by default the session's.
    ///   - part: The connection to the batch.
    ///   - pageFile: The file of consecutive pages, which is marked at the start of the page.
    init(
        _ plan: Plan,
        _ environment: Environment,
        _ recorder: Recorder,
        tokens: (any OAuth2TokenStore)? = nil,
        part: BatchItem? = nil,
        pageFile: PrintedFile? = nil
    ) {
        (self.plan, self.environment, self.recorder, self.part) = (plan, environment, recorder, part)
        self.pageFile = pageFile
        dispatchQueue = part?.smallFiles.queue ?? DispatchQueue(label: "afcli.printer")
        let messages = Messages(
            environment, level: plan.output.messageLevel, subject: part?.subject)
        self.messages = messages
        bodyPrefix = BodyPrefix(recording: recorder.plan.bodyLimit)
        statePersister = StatePersister(plan.persistentState)
        // Other output must not be mixed into a saved body, and its failure does not fail the run.
        let output = plan.storesBody ? OptionalOutput(environment.errors) : plan.printedFile ?? environment.output
        // If only headers and bodies are shown, no dispatch queue is needed.
        let queue =
            plan.download == nil && !plan.request.body.isLarge
            ? mainLoop.queue
            : part == nil ? mainLoop.queue(following: dispatchQueue) : CallbackQueue(dispatchQueue)
        printer = Printer(plan.output, on: queue, output: output, messages: messages)
        authentication = ActiveAuthentication(plan, on: queue, environment, messages, tokens: tokens)
        let showsRequest = !plan.output.parts.isDisjoint(with: [.requestHead, .requestBody])
        view =
            showsRequest || plan.output.showsAll
            ? TrafficPrinter(
                plan.request, plan.output, cookies: plan.persistentState.cookiesOfRequest,
                isConcurrent: max(plan.download?.segments ?? 1, plan.upload?.segments ?? 1) > 1, plan.waits, printer)
            : nil
        let progress = ProgressReporter(plan, on: dispatchQueue, environment, part)
        self.progress = progress
        let search = BodySearch(plan, cancellation)
        self.search = search
        let unmet: @Sendable (HTTPURLResponse) -> UnmetExpectation? = { response in
            search.result(in: search.capture?.text) {
                [expectations = plan.expectations, waits = plan.retry.wait != nil] in
                expectations.unmet(in: response, body: $0, requiresSuccess: waits)
            } ?? nil
        }
        reconnection = plan.messages.isContinued ? EventReconnection() : nil
        let upload = plan.resumableUpload(on: queue, messages, progress)
        self.upload = upload
        recorder.hideUploads(besides: plan.upload?.target(at: plan.url))
        let notes = RetryNotes(plan, messages, recorder, progress)
        rule = RetryRule(
            plan.retry, of: plan.request, on: printer.queue, now: environment.now,
            mayBeFatal: !plan.expectations.fatalValues.isEmpty && plan.download == nil, unmet: unmet,
            mayRepeat: { upload?.isRepeatable == true },
            notify: { [view, printer, plan, cancellation] request, next in
                notes.add(request, next)
                guard let file = plan.restartedFile(after: next.response) else { return }
                printer.queue.async { Run.restart(file, view, printer, request, cancellation) }
            })
    }

    /// Drops what the file of an attempt has received. On the printer's queue.
    private static func restart(
        _ file: PrintedFile,
        _ view: TrafficPrinter?,
        _ printer: Printer,
        _ request: Request,
        _ cancellation: Cancellation
    ) {
        view?.restart()
        printer.flush()
        do throws(OutputFailure) {
            try file.rewind()
        } catch {
            cancellation.end(request, Diagnosis(error))
        }
    }

    /// Blocks the calling thread until the request has ended.
    func execute() throws -> ExitStatus {
        for warning in plan.warnings { messages.warning(warning) }
        for note in plan.notes { messages.note(note) }
        if plan.isDryRun { return recorder.writeReports(try showRequest(), attempts: nil) }
        if Safety.refuses("13-warning", !plan.session.tls.verifiesChain), !plan.isLaterPart,
            plan.url.scheme == .https || plan.session.redirects.isFollowing
        {
            messages.warning("the server's certificate is not verified")
        }
        let session = makeSession()
        statePersister?.begin(in: session)
        if let webSocket = plan.webSocket {
            return perform(try WebSocketRunner(self, webSocket).start(in: session), in: session, endsInOrder: true)
        }
        var device: String?
        if let download = plan.download {
            guard case .device(let path) = download.target else {
                guard let request = try DownloadRunner(self, download).start(in: session) else {
                    // As in curl, -w of a curl command describes a transfer that was not needed.
                    return recorder.writeReports(.success, attempts: environment.messageStyle == .afcli ? nil : [])
                }
                return perform(request, in: session, endsInOrder: true)
            }
            device = path
            recorder.recordDevice(path)
        }
        let request = try StreamRunner(self, writingTo: device).start(in: session)
        // An interruption may end the program immediately if nothing is saved, and if there is nothing to resume.
        return perform(
            request, in: session,
            endsInOrder: recorder.plan.isNeeded || statePersister != nil || plan.printedFile != nil || upload != nil
                || environment.endsInOrder)
    }

    /// Ends the run with a status: the main loop, or the part of a batch. On the printer's queue.
    func complete(with status: ExitStatus) {
        if let part { part.end(status) } else { mainLoop.end(with: status) }
    }

    /// Installs the signal handlers, starts the request and writes its output until it has finished; then saves the
    /// session, the cookies and the records.
    ///
    /// - Parameter endsInOrder: Whether an interruption cancels the request instead of ending the program immediately.
    private func perform(_ request: Request, in session: Session, endsInOrder: Bool) -> ExitStatus {
        var interruption: (any Sendable)?
        if endsInOrder {
            plan.waits.handleSignals()
            interruption = environment.onInterrupt { [cancellation, waits = plan.waits] status in
                waits.interrupt(status)
                cancellation.end(request, .interrupted(status))
            }
        }
        limitWait(of: request)
        request.resume()
        // A signal also ends the waits for locks and readers.
        return withExtendedLifetime((session, interruption)) {
            // A slow response is shown as it arrives; a fast one is written in large chunks.
            var status = mainLoop.run { printer.flush() }
            if let file = plan.printedFile { status = end(file, status, request.response) }
            do {
                try statePersister?.end(in: session)
            } catch {
                let failure = fail(Diagnosis(error))
                if status == .success { status = failure }
            }
            if let upload { recorder.hide(upload.resources) }
            return recorder.writeReports(
                status, attempts: request.allMetrics, segments: segmentMetrics(of: request), ended: cancellation.end)
        }
    }

    /// Ends the file that received the output.
    private func end(_ file: PrintedFile, _ status: ExitStatus, _ response: HTTPURLResponse?) -> ExitStatus {
        // As after a download, an existing file stays after an error response to an upload.
        let isComplete =
            status == .success || upload == nil && [.redirected, .clientError, .serverError].contains(status)
        do throws(OutputFailure) {
            let isHidden = plan.output.hidesErrorBodies && response.map { $0.statusCode >= 400 } == true
            let path = try file.end(isComplete: isComplete, hasContents: !isHidden, after: response)
            guard let path else { return status }
            recorder.recordSaved(to: path)
            return status
        } catch {
            return fail(Diagnosis(error))
        }
    }

    func makeSession() -> Session {
        var configuration = plan.session
        let uploadTarget = plan.upload?.target(at: plan.url)
        let debugLog =
            plan.isDebugging ? DebugLog(printer.queue, environment.errors, uploadTarget: uploadTarget) : nil
        configuration.removedHeaders = plan.request.removedHeaders
        configuration.hstsStore = plan.persistentState.hosts
        if recorder.plan.writeOut?.needsCertificates == true || environment.describesCertificates {
            configuration.tls.describesCertificates = true
        }
        var kinds: Set<TransferEvent.Kind> = []
        if let view { kinds = view.kinds }
        let certificates =
            plan.showsCertificates
            ? CertificatePrinter(printer, environment.errors) { [progress] in progress?.breakLine() } : nil
        if certificates != nil { kinds.insert(.certificates) }
        if debugLog != nil { kinds.insert(.information) }
        let observer = environment.eventHandler
        if let observer { kinds.formUnion(observer.kinds) }
        let (onHeadLine, hidesTunnels) = (environment.onHeadLine, plan.output.hidesTunnelHeads)
        if onHeadLine != nil { kinds.insert(.responseHeadLine) }
        // Metrics contain the sent header only if it is observed.
        if recorder.plan.recordsHops || plan.addsSecrets || plan.login?.challengeCredential?.kind == .negotiate {
            kinds.insert(.requestHead)
        }
        if !kinds.isEmpty {
            configuration.eventHandler = TransferEventHandler(kinds) { [view, queue = printer.queue] event in
                view?.show(event)
                if event.kind == .responseHeadLine, let onHeadLine, !event.isOfTunnel || !hidesTunnels {
                    queue.async { onHeadLine(event.bytes) }
                }
                certificates?.show(event)
                debugLog?.show(event)
                if let observer, observer.kinds.contains(event.kind) { queue.async { observer.handle(event) } }
            }
        }
        return Session(
            configuration: configuration,
            transport: environment.transport,
            startRequestsImmediately: false,
            interceptor: interceptor,
            redirectHandler: statePersister?.guarding(authentication.redirectHandler) ?? authentication.redirectHandler,
            eventMonitors: []
        )
    }

    /// The interceptor; `nil` if none is needed, so that the core skips the step.
    var interceptor: (any RequestInterceptor)? {
        let rule: (any RequestInterceptor)? = plan.retry.limit > 0 ? rule : nil
        let retrier = upload.map { UploadRetrier(upload: $0, queue: printer.queue) }
        let interceptors: [any RequestInterceptor] = [
            statePersister?.restorer as (any RequestInterceptor)?, retrier, reconnection, authentication.interceptor,
            rule,
        ].compactMap(\.self)
        return interceptors.count > 1 ? Interceptor(interceptors: interceptors) : interceptors.first
    }

    /// Whether a retry replaces the response, so that its body is not shown.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        upload?.continues(after: response) == true || authentication.renewal?.replaces(response) == true
            || rule.replaces(response, isUnmet: isUnmet(response))
    }

    /// Whether the header does not meet an expectation.
    func isUnmet(_ response: HTTPURLResponse) -> Bool {
        !plan.expectations.failures(inHeadersOf: response).isEmpty
            || plan.retry.wait != nil && plan.expectations.exitStatus(for: response) != .success
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
        if let upload { return upload }
        // Only the end of a stream of unknown length shows that all of it is sent.
        let progressObserver = plan.request.body.isSingleStream ? progress?.observer : nil
        let upload = try PlannedUpload(
            plan.request, plan.waits, observer: UploadObserver(view?.observer, progressObserver))
        return try upload ?? plan.request.asURLRequest()
    }

    /// Prepares a request of any kind before it starts.
    func prepare(_ request: Request) {
        upload?.attach(to: request)
        if let reply = plan.login?.challengeCredential { request.authenticate(with: reply.credential) }
        // The session of a single run already has it.
        if part != nil, let handler = authentication.redirectHandler { request.redirect(using: handler) }
        // In a batch the limit applies to each download.
        cancellation.end(request, after: part == nil ? plan.waits.remaining : plan.totalTime, of: plan.totalTime)
    }

    /// Shows the header of a response, if it is to be shown. Must be called on the printer's queue.
    func showHead(_ response: HTTPURLResponse?) {
        view?.release()
        if plan.output.parts.contains(.responseHead), let head = response?.rawHead { printer.showHead(head) }
        printer.flush()
    }

    /// Starts showing the body of a response. Must be called on the printer's queue.
    func beginBody(of response: HTTPURLResponse) {
        let type = plan.output.mediaType ?? response.contentType
        if plan.output.filter == nil { bodyPrefix.recordShown() }
        let isOnlyResponse = part == nil && environment.messageSubject == nil && plan.webSocket == nil
        let isSavable = isOnlyResponse && !plan.storesBody && (200..<300).contains(response.statusCode)
        printer.beginBody(of: type, charset: plan.output.charset, filter: plan.output.filter) {
            response.summary(type, isSavable: isSavable)
        }
    }

    /// Returns the metrics of the parallel ranges or parts.
    func segmentMetrics(of request: Request) -> [TransferMetrics] {
        (request as? DownloadRequest)?.segments.flatMap(\.allMetrics) ?? upload?.partMetrics ?? []
    }

    /// Creates and shows the request without a network.
    private func showRequest() throws -> ExitStatus {
        if let style = plan.curl {
            let command = CurlCommand(plan, Redaction(revealsSecrets: recorder.plan.showsSecrets))
            printer.showText(command.text(style) + "\n")
            for warning in command.warnings { messages.warning(warning) }
        } else {
            var request = try plan.request.asURLRequest()
            try authentication.complete(&request, body: plan.request.body.source(plan.waits))
            try view?.showOffline(request, target: plan.session.messages.requestTarget)
        }
        printer.flush()
        if plan.curl == nil { try statePersister?.endOffline() }
        guard let failure = printer.failure else { return .success }
        throw failure
    }
}

extension ActiveAuthentication {
    fileprivate init(
        _ plan: Plan,
        on queue: CallbackQueue,
        _ environment: Environment,
        _ messages: Messages,
        tokens: (any OAuth2TokenStore)?
    ) {
        let sessionTokens = SessionTokens(plan.persistentState.session, plan.login, origin: plan.url.origin) { error in
            // The request has its token nevertheless.
            messages.warning("could not store the token: \(Diagnosis(error).message)")
        }
        self.init(
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
    }
}

extension ProgressReporter {
    /// The progress of the download, else of a long upload. A batch has one display, but events of each download.
    fileprivate convenience init?(
        _ plan: Plan,
        on queue: DispatchQueue,
        _ environment: Environment,
        _ part: BatchItem?
    ) {
        if plan.progress == .never || part != nil && plan.progress != .json { return nil }
        let file = plan.download?.fileName(for: plan.url)
        let isShown = plan.output.parts.contains(.requestBody)
        self.init(
            plan.progress,
            name: file ?? "upload",
            showsAutomatically: file != nil || (plan.request.body.isLarge && !isShown),
            palette: plan.output.errorPalette,
            on: queue,
            environment,
            subject: part?.subject
        )
    }
}
