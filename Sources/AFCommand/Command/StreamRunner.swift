internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Runs a request whose response is shown as it is received.
final class StreamRunner: Sendable {
    private let runner: RequestRunner
    /// The device that replaces the printer's output, with its path.
    private let device: (output: any ByteOutput, path: String)?
    /// Whether the current response is shown, and not replaced by a retry.
    private let isAnswer = Mutex(false)

    /// Creates a runner.
    ///
    /// - Parameter path: The path of a device that replaces the printer's output.
    init(_ runner: RequestRunner, writingTo path: String? = nil) throws {
        self.runner = runner
        let waits = runner.environment.files.waits
        device = try path.map { (try DescriptorOutput(writingTo: $0, waits: waits, option: "--output"), $0) }
    }

    private var plan: Plan { runner.plan }
    private var printer: Printer { runner.printer }
    /// Whether the body is shown, or searched by a filter.
    private var showsBody: Bool {
        device == nil && (plan.output.parts.contains(.responseBody) || plan.output.filter != nil)
            && !isHidden.withLock(\.self)
    }
    /// Whether the response is an error whose body is not shown.
    private let isHidden = Mutex(false)

    /// Creates the request.
    ///
    /// - Returns: The request, which is not started.
    func start(in session: Session) throws -> Request {
        let request = session.streamRequest(try runner.convertible())
        runner.prepare(request)
        if runner.mayReplace { request.validate { [runner] _, response in runner.validate(response) } }
        request.onHTTPResponse(on: printer.queue) { [self, weak request] response in
            begin(response, afterSending: request?.uploadProgress ?? TransferProgress())
        }
        if let progress = runner.progress {
            request.uploadProgress(queue: runner.dispatchQueue) { progress.sending($0) }
        }
        request.responseStream(on: printer.queue) { [self] stream in
            switch stream.event {
            case .stream(.success(let data)): show(data, of: request)
            case .complete(let completion): runner.end(with: end(completion, request))
            }
        }
        return request
    }

    // On the printer's queue

    private func begin(_ response: HTTPURLResponse, afterSending sent: TransferProgress) {
        let isReplaced = runner.replaces(response)
        isAnswer.withLock { $0 = !isReplaced }
        isHidden.withLock { $0 = plan.output.hidesErrorBodies && response.statusCode >= 400 }
        if isReplaced { return }
        runner.progress?.answered(sent)
        runner.view?.release()
        runner.bodyCapture?.begin()
        if plan.output.parts.contains(.responseHead) {
            runner.rule.noteOutput()
            printer.showHead(response.rawHead)
        }
        if showsBody { runner.beginBody(of: response) }
    }

    private func show(_ data: Data, of request: Request) {
        guard isAnswer.withLock({ $0 }) else { return data.withUnsafeBytes { runner.view?.passBody($0) } }
        guard !data.isEmpty else { return }
        runner.rule.noteOutput()
        data.withUnsafeBytes { bytes in
            runner.bodyCapture?.add(bytes)
            if showsBody { printer.showBody(bytes) }
            do throws(OutputFailure) {
                try device?.output.write(bytes)
            } catch {
                runner.cancellation.end(request, Diagnosis(problem(error)))
            }
            if let failure = printer.failure { runner.cancellation.end(request, Diagnosis(failure)) }
            // The rest of the body may be endless.
            if let problem = printer.filterProblem, runner.isSuccess(request.response) {
                runner.cancellation.end(request, Diagnosis(problem))
            }
        }
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
        runner.progress?.end(isWhole: completion.error == nil)
        runner.view?.end()
        if showsBody, isAnswer.withLock({ $0 }) { printer.endBody() }
        printer.flush()
        return runner.conclude(request, completion.error)
    }
}
