internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Runs a request whose response is shown as it is received.
final class StreamRunner: Sendable {
    /// The use of the current response.
    private enum Display: Equatable, Sendable {
        /// There is no response, or a retry replaces it.
        case none
        /// It is shown as it is received.
        case complete
        /// It is an error whose body is not shown: the run ends at its header.
        case header
        /// It is shown after its end, as a retry may replace it because of its body.
        case withheld(HTTPURLResponse)
    }

    private let run: Run
    /// The device that replaces the printer's output, with its path.
    private let device: (output: DescriptorOutput, path: String)?
    private let current = Mutex(Display.none)
    /// The gate of the messages of a stream; `nil` for other bodies.
    private let gate = Mutex<MessageGate?>(nil)
    /// The judge of the messages of a stream about which there are expectations; `nil` for other bodies.
    private let judge = Mutex<MessageJudge?>(nil)
    /// Whether a stream was ended before its end, as it is judged.
    private let isStopped = Atomic(false)
    /// Whether the last message that is to be received has ended the run.
    private var isDone: Bool { isStopped.load(ordering: .relaxed) || gate.withLock { $0?.isDone ?? false } }

    /// Creates a runner.
    ///
    /// - Parameter path: The path of a device that replaces the printer's output.
    init(_ run: Run, writingTo path: String? = nil) throws {
        self.run = run
        let waits = run.environment.files.waits
        device = try path.map { (try DescriptorOutput(writingTo: $0, waits: waits, option: "--output"), $0) }
    }

    private var plan: Plan { run.plan }
    private var printer: Printer { run.printer }
    /// Whether the body is shown, or searched by a filter.
    private var showsBody: Bool {
        device == nil && display != .header
            && (plan.output.parts.contains(.responseBody) || plan.output.filter != nil)
    }
    private var display: Display {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }

    /// Creates the request.
    ///
    /// - Returns: The request, which is not started.
    func start(in session: Session) throws -> Request {
        let request = session.streamRequest(try run.convertible())
        run.prepare(request)
        if run.mayReplace { request.validate { [run] _, response in run.validate(response) } }
        // The body may not have been captured completely: the retry rule decides, on the printer's queue.
        if run.search.capture != nil {
            request.validate { [run] _, _ in
                run.rule.awaitsBody ? .failure(UnexpectedBody()) : .success(())
            }
        }
        if plan.messages.isContinued {
            request.validate { [self] _, response in
                // The retry rule decides, on the printer's queue.
                isEventStream(response) ? .failure(EndedEventStream()) : .success(())
            }
        }
        request.onHTTPResponse(on: printer.queue) { [self, weak request] response in
            begin(response, of: request)
            // The body may be endless.
            if display == .header { request?.cancel() }
            limitStream(of: request)
            guard let request, display != .none,
                let failure = run.rangeFailure(response) ?? run.codingFailure(response)
            else { return }
            // Its bytes would be mistaken for those of the range, or for decoded ones.
            if case .withheld = display { showWithheldResponse(of: request) }
            display = .none
            run.cancellation.end(request, failure)
        }
        if let progress = run.progress {
            request.uploadProgress(queue: run.dispatchQueue) { progress.sending($0) }
        }
        request.responseStream(on: printer.queue) { [self] stream in
            switch stream.event {
            case .stream(.success(let data)): show(data, of: request)
            case .complete(let completion): run.complete(with: end(completion, request))
            }
        }
        return request
    }

    // On the printer's queue

    private func begin(_ response: HTTPURLResponse, of request: Request?) {
        display = .none
        if run.replaces(response) { return }
        rewindPage(of: request)
        run.progress?.responseBegan(run.upload?.progress ?? request?.uploadProgress ?? TransferProgress())
        let capture = run.search.capture
        if plan.output.hidesErrorBodies && response.statusCode >= 400 || run.hasNoRest(response) {
            display = .header
        } else {
            display = capture != nil && run.rule.awaitsBody ? .withheld(response) : .complete
        }
        isStopped.store(false, ordering: .relaxed)
        if continueStream(with: response, of: request) { return }
        run.bodyPrefix.begin()
        capture?.begin(plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        judge.withLock { $0 = messageJudge(of: response) }
        if display != .withheld(response) { show(response) }
    }

    /// Drops the values of an incomplete page before those of another attempt.
    private func rewindPage(of request: Request?) {
        guard let file = run.pageFile, let request, request.retryCount > 0 else { return }
        printer.flush()
        do throws(OutputFailure) {
            try file.rewind()
        } catch {
            run.cancellation.end(request, Diagnosis(error))
        }
    }

    private func isEventStream(_ response: HTTPURLResponse) -> Bool {
        response.statusCode == 200 && kind(of: response) == .eventStream
    }

    private func kind(of response: HTTPURLResponse) -> BodyKind {
        BodyKind(plan.output.mediaType ?? response.contentType)
    }

    /// Continues the output of an event stream with another connection's events.
    ///
    /// - Returns: Whether the response is such a stream.
    private func continueStream(with response: HTTPURLResponse, of request: Request?) -> Bool {
        guard let earlier = gate.withLock({ $0?.kind }) else { return false }
        // With 204, the server has no further events (HTML standard).
        let isContinued = isEventStream(response) || response.statusCode == 204
        if isContinued, run.view == nil, display == .complete {
            gate.withLock { $0?.reset() }
            judge.withLock { $0?.reset() }
            return true
        }
        if showsBody { printer.endBody() }
        gate.withLock { $0 = nil }
        run.rule.recordEndOfEvents()
        guard earlier == .events, plan.messages.isContinued, !isContinued, let request else { return false }
        // Another response is no part of the stream (HTML standard §9.2.3).
        display = .header
        if run.isSuccess(response) {
            let type = response.contentType.map { "'\($0)'" } ?? "a response without a type"
            run.cancellation.end(
                request, Diagnosis("the server continued the event stream with \(type)", status: .broken))
        }
        return false
    }

    private func streamKind(of response: HTTPURLResponse) -> MessageGate.Kind? {
        switch kind(of: response) {
        case .eventStream: .events
        case .ndjson: .lines
        default: nil
        }
    }

    private func selection(of kind: MessageGate.Kind) -> MessageSelection {
        kind == .events ? plan.messages : MessageSelection(maximum: plan.messages.maximum)
    }

    /// Returns the judge of a stream; `nil` if there is nothing to judge.
    private func messageJudge(of response: HTTPURLResponse) -> MessageJudge? {
        guard display != .header, plan.expectations.requireBody, let kind = streamKind(of: response) else { return nil }
        return MessageJudge(kind, selection(of: kind), plan.expectations, limit: plan.output.bodies.holdingLimit)
    }

    /// Ends a stream that meets no expectation in the time of `--wait`.
    private func limitStream(of request: Request?) {
        guard judge.withLock({ $0 != nil }), let seconds = run.rule.remainingWait else { return }
        Cancellation.perform(after: seconds) { [self, weak request] in
            guard let request else { return }
            printer.queue.async { [self] in
                // Between two attempts, the retry rule knows the time.
                if request.task?.state == .running, judge.withLock({ $0 != nil }) { stop(request) }
            }
        }
    }

    /// Ends a stream before its end, and judges it.
    private func stop(_ request: Request) {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        guard case .withheld = display else { return end(request) }
        run.rule.recordStop()
        request.task?.cancel()
    }

    /// Ends the run with the messages so far: the server may have ended the stream, too.
    private func end(_ request: Request) {
        run.rule.recordEnd()
        request.cancel()
    }

    /// Returns the bytes of a chunk that count, and whether the stream ends with them.
    private func judged(_ bytes: UnsafeRawBufferPointer) -> (bytes: [UInt8], isLast: Bool)? {
        judge.withLock { judge in
            guard let counted = judge?.consume(bytes), let judge else { return nil }
            let endsEarly = judge.endsEarly || display != .complete
            return (counted, judge.isComplete || judge.isDecided && endsEarly)
        }
    }

    /// Splits the body into messages if it is a stream of which some are selected, or which is continued.
    private func openGate(for response: HTTPURLResponse) {
        guard plan.messages.isNeeded, display != .header, run.isSuccess(response) else { return }
        var kind = streamKind(of: response)
        if kind == .lines, plan.messages.maximum == nil { kind = nil }
        if let option = plan.messages.optionWithoutEffect(on: kind) {
            let remedy =
                option.name == "--max-messages" && self.kind(of: response) == .json
                ? "; --response-mime application/x-ndjson takes it for JSON lines" : ""
            run.messages.warning("\(option.name) has no effect: the response is \(option.reason)\(remedy)")
        }
        guard let kind else { return }
        gate.withLock { $0 = MessageGate(kind, selection(of: kind), limit: plan.output.bodies.holdingLimit) }
        if isEventStream(response), plan.messages.isContinued {
            run.rule.recordEventStream(mayReconnect: false, time: nil)
        }
    }

    /// Shows the selected messages that are complete with these bytes.
    private func pass(_ bytes: UnsafeRawBufferPointer, of request: Request) {
        let (selected, state) = gate.withLock { gate in (gate?.consume(bytes) ?? [], gate) }
        if let state, plan.messages.isContinued, request.response.map(isEventStream) == true {
            run.rule.recordEventStream(
                mayReconnect: state.mayReconnect, time: state.reconnectionTime.map { Double($0) / 1000 })
            run.reconnection?.record(lastEventID: String(decoding: state.lastEventID, as: UTF8.self))
        }
        if !selected.isEmpty { selected.withUnsafeBytes { write($0, of: request) } }
        guard let state, state.isDone else { return }
        if state.isExceeded {
            let limit = HumanUnits.limit(Int64(plan.output.bodies.holdingLimit))
            let message = "a message of the stream is longer than \(limit)"
            run.cancellation.end(
                request, Diagnosis(message, hint: "increase --max-formatted", status: .broken))
        } else {
            end(request)
        }
    }

    private func show(_ response: HTTPURLResponse) {
        run.view?.release()
        if [.eventStream, .ndjson].contains(kind(of: response)) { run.environment.pager?.release() }
        openGate(for: response)
        if plan.output.parts.contains(.responseHead) {
            if plan.restartedFile == nil { run.rule.recordOutput() }
            printer.showHead(response.rawHead)
        }
        if showsBody { run.beginBody(of: response) }
    }

    private func show(_ data: Data, of request: Request) {
        guard display != .none else { return data.withUnsafeBytes { run.view?.passBody($0) } }
        guard !data.isEmpty else { return }
        guard !isStopped.load(ordering: .relaxed) else { return }
        data.withUnsafeBytes { run.bodyPrefix.add($0) }
        guard let (bytes, isLast) = data.withUnsafeBytes(judged) else {
            return data.withUnsafeBytes { add($0, of: request) }
        }
        bytes.withUnsafeBytes { add($0, of: request) }
        if isLast { stop(request) }
    }

    /// Adds bytes to those that are searched, and shows them unless they wait for the end.
    private func add(_ bytes: UnsafeRawBufferPointer, of request: Request) {
        // What is not captured cannot be shown later.
        if run.search.capture?.isExceeded(by: bytes.count) == true { showWithheldResponse(of: request) }
        run.search.capture?.add(bytes)
        if case .withheld = display { return }
        show(bytes, of: request)
    }

    private func show(_ bytes: UnsafeRawBufferPointer, of request: Request) {
        guard display != .header else { return }
        if gate.withLock({ $0 == nil }) { write(bytes, of: request) } else { pass(bytes, of: request) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, of request: Request) {
        let isRestarted = run.pageFile != nil || plan.restartedFile != nil
        if showsBody && !isRestarted || device != nil { run.rule.recordOutput() }
        if showsBody { printer.showBody(bytes) }
        do throws(OutputFailure) {
            try device?.output.write(bytes)
        } catch {
            run.cancellation.end(request, Diagnosis(problem(error)))
        }
        if let failure = printer.failure { run.cancellation.end(request, Diagnosis(failure)) }
        // The rest of the body may be endless.
        if let problem = printer.filterProblem, run.isSuccess(request.response) {
            run.cancellation.end(request, Diagnosis(problem, filter: plan.output.filter))
        }
    }

    /// Shows the response that waited for its end, if there is one.
    private func showWithheldResponse(of request: Request) {
        guard case .withheld(let response) = display else { return }
        display = .complete
        show(response)
        guard case .complete(let bytes, _)? = run.search.capture?.body, !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { show($0, of: request) }
    }

    /// Returns the error of a device or a file; a closed pipe has no message.
    private func problem(_ failure: OutputFailure) -> any Error {
        guard let path = device?.path ?? (run.pageFile ?? run.plan.printedFile)?.path else { return failure }
        let cause: WaitFailure
        switch failure {
        case .closed: return failure
        case .failed(let number): cause = .system(errno: number)
        case .wait(let failure): cause = failure
        }
        return FileProblem(path: path, cause, argument: "--output", purpose: .writing)
    }

    /// Whether a silent stream has failed at the time at which it would have been judged.
    private func isAtEndOfWait(_ error: AFError?) -> Bool {
        judge.withLock { $0 != nil } && run.rule.remainingWait == 0
            && (error?.underlyingError as? TransferFailure)?.kind == .idleTimedOut
    }

    private func end(_ completion: DataStreamRequest.Completion, _ request: DataStreamRequest) -> ExitStatus {
        run.progress?.breakLine()
        if request.response == nil {
            // The last attempt failed before its response: an earlier one was rejected.
            display = .none
            isStopped.store(false, ordering: .relaxed)
            run.search.capture?.begin()
        }
        showWithheldResponse(of: request)
        let isDone = isDone || isAtEndOfWait(completion.error)
        if let rest = gate.withLock({ $0?.finish() }), !rest.isEmpty { rest.withUnsafeBytes { write($0, of: request) } }
        run.messageCount.store(gate.withLock { $0?.count ?? 0 }, ordering: .relaxed)
        run.view?.end()
        if showsBody, display != .none || gate.withLock({ $0 != nil }) { printer.endBody() }
        // What is missing was an incomplete character.
        try? device?.output.finish()
        printer.flush()
        // After an early response the total follows the body, which may be in the same file.
        run.progress?.end(isComplete: completion.error == nil)
        return run.reportOutcome(of: request, display == .header || isDone ? nil : completion.error)
    }
}
