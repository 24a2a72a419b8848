internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// An exchange whose response is shown as it is received.
final class StreamExchange: Sendable {
    private let exchange: Exchange
    /// The device that replaces the printer's output, with its path.
    private let device: (output: any ByteOutput, path: String)?
    /// Whether the current response is shown, and not replaced by a retry.
    private let isAnswer = Mutex(false)

    /// Creates an exchange.
    ///
    /// - Parameter path: The path of a device that replaces the printer's output.
    init(_ exchange: Exchange, writingTo path: String? = nil) throws {
        self.exchange = exchange
        let waits = exchange.environment.files.waits
        device = try path.map { (try DescriptorOutput(writingTo: $0, waits: waits, option: "--output"), $0) }
    }

    private var plan: Plan { exchange.plan }
    private var printer: Printer { exchange.printer }
    private var showsBody: Bool { device == nil && plan.output.parts.contains(.responseBody) }

    /// Creates the request.
    ///
    /// - Returns: The request, which is not started.
    func start(in session: Session) throws -> Request {
        let request = session.streamRequest(try exchange.convertible())
        exchange.prepare(request)
        if exchange.mayReplace { request.validate { [exchange] _, response in exchange.validate(response) } }
        request.onHTTPResponse(on: printer.queue) { [self, weak request] response in
            begin(response, afterSending: request?.uploadProgress ?? TransferProgress())
        }
        if let progress = exchange.progress {
            request.uploadProgress(queue: exchange.dispatchQueue) { progress.sending($0) }
        }
        request.responseStream(on: printer.queue) { [self] stream in
            switch stream.event {
            case .stream(.success(let data)): show(data, of: request)
            case .complete(let completion): exchange.end(with: end(completion, request))
            }
        }
        return request
    }

    // On the printer's queue

    private func begin(_ response: HTTPURLResponse, afterSending sent: TransferProgress) {
        let isReplaced = exchange.replaces(response)
        isAnswer.withLock { $0 = !isReplaced }
        if isReplaced { return }
        exchange.progress?.answered(sent)
        exchange.view?.release()
        exchange.bodyKeeper?.begin()
        if plan.output.parts.contains(.responseHead) {
            exchange.rule.noteShown()
            printer.showHead(response.rawHead)
        }
        if showsBody { exchange.beginBody(of: response) }
    }

    private func show(_ data: Data, of request: Request) {
        guard isAnswer.withLock({ $0 }) else { return data.withUnsafeBytes { exchange.view?.passBody($0) } }
        guard !data.isEmpty else { return }
        exchange.rule.noteShown()
        data.withUnsafeBytes { bytes in
            exchange.bodyKeeper?.add(bytes)
            if showsBody { printer.showBody(bytes) }
            do throws(OutputFailure) {
                try device?.output.write(bytes)
            } catch {
                exchange.ending.end(request, Diagnosis(problem(error)))
            }
            if let failure = printer.failure { exchange.ending.end(request, Diagnosis(failure)) }
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
        exchange.progress?.end(isWhole: completion.error == nil)
        exchange.view?.end()
        if showsBody, isAnswer.withLock({ $0 }) { printer.endBody() }
        printer.flush()
        return exchange.conclude(request, completion.error)
    }
}
