internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Runs a request whose response is shown as it is received.
final class StreamRunner: Sendable {
    private let run: Run
    /// The device that replaces the printer's output, with its path.
    private let device: (output: any ByteOutput, path: String)?
    /// Whether the current response is shown, and not replaced by a retry.
    private let isAnswer = Mutex(false)
    /// The current response if it is shown only after its end, as a retry may replace it because of its body.
    private let held = Mutex<HTTPURLResponse?>(nil)

    /// Creates a run.
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
        device == nil && (plan.output.parts.contains(.responseBody) || plan.output.filter != nil)
            && !isHidden.withLock(\.self)
    }
    /// Whether the response is an error whose body is not shown.
    private let isHidden = Mutex(false)
    /// Whether the run ends at the header of the current response.
    private var isUnwanted: Bool { isHidden.withLock(\.self) && isAnswer.withLock(\.self) }

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
        request.onHTTPResponse(on: printer.queue) { [self, weak request] response in
            begin(response, afterSending: request?.uploadProgress ?? TransferProgress())
            // The body may be endless.
            if isUnwanted { request?.cancel() }
            guard let request, isAnswer.withLock({ $0 }),
                let failure = run.rangeFailure(response) ?? run.codingFailure(response)
            else { return }
            // Its bytes would be mistaken for those of the range, or for decoded ones.
            isAnswer.withLock { $0 = false }
            run.cancellation.end(request, failure)
        }
        if let progress = run.progress {
            request.uploadProgress(queue: run.dispatchQueue) { progress.sending($0) }
        }
        request.responseStream(on: printer.queue) { [self] stream in
            switch stream.event {
            case .stream(.success(let data)): show(data, of: request)
            case .complete(let completion): run.end(with: end(completion, request))
            }
        }
        return request
    }

    // On the printer's queue

    private func begin(_ response: HTTPURLResponse, afterSending sent: TransferProgress) {
        let isReplaced = run.replaces(response)
        isAnswer.withLock { $0 = !isReplaced }
        isHidden.withLock { $0 = plan.output.hidesErrorBodies && response.statusCode >= 400 }
        held.withLock { $0 = nil }
        if isReplaced { return }
        run.progress?.answered(sent)
        run.search.capture?.begin(plan.output.mediaType ?? response.contentType, charset: plan.output.charset)
        if run.search.capture != nil, run.rule.awaitsBody { held.withLock { $0 = response } } else { show(response) }
    }

    private func show(_ response: HTTPURLResponse) {
        run.view?.release()
        if plan.output.parts.contains(.responseHead) {
            run.rule.noteOutput()
            printer.showHead(response.rawHead)
        }
        if showsBody { run.beginBody(of: response) }
    }

    private func show(_ data: Data, of request: Request) {
        guard isAnswer.withLock({ $0 }) else { return data.withUnsafeBytes { run.view?.passBody($0) } }
        guard !data.isEmpty else { return }
        // What is not captured cannot be shown later.
        if run.search.capture?.isExceeded(by: data.count) == true { showHeld(of: request) }
        data.withUnsafeBytes { bytes in
            run.search.capture?.add(bytes)
            if held.withLock({ $0 == nil }) { show(bytes, of: request) }
        }
    }

    private func show(_ bytes: UnsafeRawBufferPointer, of request: Request) {
        guard !isUnwanted else { return }
        if showsBody || device != nil { run.rule.noteOutput() }
        if showsBody { printer.showBody(bytes) }
        do throws(OutputFailure) {
            try device?.output.write(bytes)
        } catch {
            run.cancellation.end(request, Diagnosis(problem(error)))
        }
        if let failure = printer.failure { run.cancellation.end(request, Diagnosis(failure)) }
        // The rest of the body may be endless.
        if let problem = printer.filterProblem, run.isSuccess(request.response) {
            run.cancellation.end(request, Diagnosis(problem))
        }
    }

    /// Shows the response that waited for its end, if there is one.
    private func showHeld(of request: Request) {
        guard let response = held.withLock({ $0.take() }) else { return }
        show(response)
        guard case .complete(let bytes)? = run.search.capture?.body, !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { show($0, of: request) }
    }

    /// Returns the error of a device; a closed pipe has no message.
    private func problem(_ failure: OutputFailure) -> any Error {
        guard let device else { return failure }
        let cause: WaitFailure
        switch failure {
        case .closed: return failure
        case .failed(let number): cause = .system(errno: number)
        case .wait(let failure): cause = failure
        }
        return FileProblem(path: device.path, cause, argument: "--output", purpose: .writing)
    }

    private func end(_ completion: DataStreamRequest.Completion, _ request: DataStreamRequest) -> ExitStatus {
        run.progress?.end(isComplete: completion.error == nil)
        if request.response == nil {
            // The last attempt failed before its response: an earlier one was rejected.
            held.withLock { $0 = nil }
            isAnswer.withLock { $0 = false }
            run.search.capture?.begin()
        }
        showHeld(of: request)
        run.view?.end()
        if showsBody, isAnswer.withLock({ $0 }) { printer.endBody() }
        printer.flush()
        return run.conclude(request, isUnwanted ? nil : completion.error)
    }
}
