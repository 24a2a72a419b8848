internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Runs a WebSocket connection: standard input becomes messages, and messages become lines of the output.
final class WebSocketRunner: Sendable {
    private struct State {
        var messageCount = 0
        var matchCount = 0
        /// The first failure of a message or of the end.
        var failure: Diagnosis?
        /// Whether a failed expectation or the last message has closed the connection.
        var isDone = false
        var warnings: Set<String> = []
        /// The number of messages before the last line was sent.
        var countBeforeLastLine = 0
        /// Whether the end of the input has closed the connection.
        var hasLingered = false
    }

    private let run: Run
    private let webSocket: WebSocketPlan
    private let state = Mutex(State())

    init(_ run: Run, _ webSocket: WebSocketPlan) {
        self.run = run
        self.webSocket = webSocket
    }

    private var plan: Plan { run.plan }
    private var printer: Printer { run.printer }

    /// Creates the request.
    ///
    /// - Returns: The request, which is not started.
    func start(in session: Session) throws -> Request {
        let request = session.webSocketRequest(
            performing: try plan.request.asURLRequest(),
            configuration: WebSocketRequest.Configuration(
                maximumMessageSize: webSocket.maximumMessageSize, pingInterval: webSocket.pingInterval))
        run.prepare(request)
        request.streamMessageEvents(on: printer.queue) { [self] event in
            switch event.kind {
            case .connected:
                // A second connection would share standard input with the first.
                run.rule.recordOutput()
                run.environment.pager?.release()
                run.showHead(request.response)
                if webSocket.readsInput { startInput(of: request) }
            case .receivedMessage(let message): receive(message, on: request)
            case .serializerFailed: break
            case .disconnected(let code, let reason): disconnected(code, reason)
            case .completed(let completion): run.complete(with: end(completion, request))
            }
        }
        return request
    }

    /// Sends standard input on a thread of its own: reading blocks.
    private func startInput(of request: WebSocketRequest) {
        let input = MessageInput(descriptor: STDIN_FILENO, isBinary: webSocket.isBinary)
        DispatchQueue(label: "afcli.input").async { [self] in
            do throws(FileProblem) {
                // Counted before: the response may arrive before the next line is read.
                let hasEnded = try input.send(over: request) {
                    state.withLock { $0.countBeforeLastLine = $0.messageCount }
                }
                if hasEnded, let linger = webSocket.linger { close(request, afterSilenceOf: linger) }
            } catch {
                run.cancellation.end(request, Diagnosis(error))
            }
        }
    }

    private func close(_ request: WebSocketRequest, afterSilenceOf seconds: Double) {
        while case let left = seconds - request.silence, left > 0 {
            if request.isFinished { return }
            usleep(useconds_t(min(left, 0.1) * 1e6))
        }
        state.withLock { $0.hasLingered = true }
        request.close(sending: .normalClosure)
    }

    // On the printer's queue

    /// Shows the body of the response that refused the handshake.
    private func showRefusal(of request: WebSocketRequest) {
        guard let response = request.response, let body = request.refusalBody else { return }
        body.withUnsafeBytes { bytes in
            run.search.capture?.begin()
            run.search.capture?.add(bytes)
        }
        body.withUnsafeBytes { run.bodyPrefix.add($0) }
        guard plan.output.parts.contains(.responseBody) else { return }
        if body.count == WebSocketRequest.maximumRefusalSize {
            run.messages.warning("only the first \(HumanUnits.limit(Int64(body.count))) of the body are shown")
        }
        run.beginBody(of: response)
        body.withUnsafeBytes { printer.showBody($0) }
        printer.endBody()
    }

    private func receive(_ message: WebSocketMessage, on request: WebSocketRequest) {
        guard !state.withLock({ $0.isDone }) else { return }
        let isText = if case .string = message { true } else { false }
        message.withBytes { bytes in
            run.search.capture?.begin()
            run.search.capture?.add(bytes)
            show(bytes, isText: isText)
        }
        let failures = run.search.result(in: run.search.capture?.body) { [plan] body in
            body.map(plan.expectations.failures(in:)) ?? []
        }
        let isFailed = failures?.isEmpty != true
        let isDone = state.withLock { state in
            state.messageCount += 1
            state.isDone = isFailed || state.messageCount == webSocket.maximumMessages
            return state.isDone
        }
        if isDone { request.close(sending: .normalClosure) }
        if let failure = printer.failure { run.cancellation.end(request, Diagnosis(failure)) }
    }

    private func show(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
        if isText || webSocket.isBinary {
            let result = printer.showMessage(bytes, isLine: !webSocket.isBinary, filter: plan.output.filter)
            state.withLock { $0.matchCount += result?.matchCount ?? 0 }
            if result?.problem != nil { warnOnce("a message is not JSON: --filter selects nothing from it") }
        } else {
            warnOnce("binary messages are not shown; --binary writes them")
        }
    }

    private func warnOnce(_ sentence: String) {
        let isFirst = state.withLock { $0.warnings.insert(sentence).inserted }
        if isFirst { run.messages.warning(sentence) }
    }

    private func disconnected(_ code: WebSocketCloseCode, _ reason: Data?) {
        let text = reason.map { ": \(String(decoding: $0, as: UTF8.self))" } ?? ""
        if plan.output.parts.contains(.requestHead) {
            run.messages.note("the server closed the connection with the code \(code.rawValue)\(text)")
        }
        guard code != .normalClosure, code != .noStatusReceived, !state.withLock({ $0.isDone }) else { return }
        let message = "\(plan.typedHost):\(plan.url.port) closed the connection with the code \(code.rawValue)\(text)"
        state.withLock { $0.failure = $0.failure ?? Diagnosis(message, status: .broken) }
    }

    private func end(_ completion: WebSocketRequest.Completion, _ request: WebSocketRequest) -> ExitStatus {
        let refusal = completion.error?.responseCode
        if refusal != nil { run.showHead(request.response) }
        run.view?.end()
        printer.flush()
        if let status = refusal {
            showRefusal(of: request)
            if status >= 300 { return run.reportOutcome(of: request, nil) }
            let message = "\(plan.typedHost):\(plan.url.port) did not open a WebSocket: it responded with \(status)"
            run.cancellation.record(
                Diagnosis(message, hint: "check that the server accepts WebSockets at this URL", status: .broken))
            return run.reportOutcome(of: request, nil)
        }
        let state = state.withLock { $0 }
        // A close code is the cause of an incomplete message. After the last message of interest it is irrelevant.
        let isCut = (completion.error?.underlyingError as? WebSocketError)?.kind == .incompleteMessage
        let error = isCut && state.isDone ? nil : completion.error
        if let failure = state.failure, error == nil || isCut { run.cancellation.record(failure) }
        if error == nil, state.hasLingered, !state.isDone, state.messageCount == state.countBeforeLastLine {
            run.messages.note(
                "no message was received after the end of standard input; a longer --linger waits for it")
        }
        var unmet: String?
        if error == nil, let filter = plan.output.filter, state.matchCount == 0 {
            unmet = "the filter \(filter.description) selected nothing"
        }
        return run.reportOutcome(of: request, error, unmet: unmet)
    }
}

extension WebSocketMessage {
    fileprivate func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch self {
        case .data(let data): data.withUnsafeBytes(body)
        case .string(var text): text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }
}
