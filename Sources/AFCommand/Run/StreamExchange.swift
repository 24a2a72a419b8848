internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// An exchange whose response is shown as it comes.
final class StreamExchange: Sendable {
    private let exchange: Exchange
    /// Where the body goes in place of the printer's output.
    private let device: (any ByteOutput)?
    /// Whether the response at hand is the answer, and not one that another try replaces.
    private let isAnswer = Mutex(false)

    init(_ exchange: Exchange, output device: (any ByteOutput)?) {
        self.exchange = exchange
        self.device = device
    }

    private var plan: Plan { exchange.plan }
    private var printer: Printer { exchange.printer }
    private var showsBody: Bool { device == nil && plan.output.parts.contains(.responseBody) }

    func start(in session: Session) throws {
        let request = session.streamRequest(try exchange.convertible())
        exchange.prepare(request)
        if plan.retry.limit > 0 { request.validate { [exchange] _, response in exchange.rule.validate(response) } }
        request.onHTTPResponse(on: printer.queue) { [self] in begin($0) }
        if let progress = exchange.progress {
            request.uploadProgress(queue: exchange.dispatchQueue) { progress.sending($0) }
        }
        request.responseStream(on: printer.queue) { [self] stream in
            switch stream.event {
            case .stream(.success(let data)): show(data, of: request)
            case .complete(let completion): exchange.end(with: end(completion, request))
            }
        }
    }

    // On the printer's queue.

    private func begin(_ response: HTTPURLResponse) {
        let isReplaced = exchange.rule.replaces(response)
        isAnswer.withLock { $0 = !isReplaced }
        if isReplaced { return }
        exchange.progress?.end(isWhole: true)
        exchange.view?.release()
        if plan.output.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
        if showsBody { exchange.beginBody(of: response) }
    }

    private func show(_ data: Data, of request: Request) {
        guard isAnswer.withLock({ $0 }), !data.isEmpty else { return }
        exchange.rule.noteShown()
        data.withUnsafeBytes { bytes in
            if showsBody { printer.showBody(bytes) }
            do throws(OutputFailure) {
                try device?.write(bytes)
                if let failure = printer.failure { throw failure }
            } catch {
                exchange.ending.end(request, Diagnosis(error))
            }
        }
    }

    private func end(_ completion: DataStreamRequest.Completion, _ request: DataStreamRequest) -> ExitStatus {
        exchange.progress?.end(isWhole: completion.error == nil)
        exchange.view?.release()
        if showsBody, isAnswer.withLock({ $0 }) { printer.endBody() }
        printer.flush()
        return exchange.conclude(request, completion.error)
    }
}
