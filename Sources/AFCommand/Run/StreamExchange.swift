internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// An exchange whose response is shown as it comes.
struct StreamExchange: Sendable {
    private let exchange: Exchange
    private let view: RequestView?
    /// Where the body goes in place of the printer's output.
    private let device: (any ByteOutput)?
    private let progress: ProgressReporter?

    init(_ exchange: Exchange, _ view: RequestView?, output device: (any ByteOutput)?) {
        self.exchange = exchange
        self.view = view
        self.device = device
        progress = ProgressReporter(
            exchange.plan.progress,
            name: "upload",
            isTransferToFile: exchange.plan.request.body.isLarge,
            exchange.environment
        )
    }

    func run(in session: Session) async throws -> ExitStatus {
        let state = StreamState()
        let request = try makeRequest(in: session)
        configure(request, state)
        let completion = await withCheckedContinuation { waiter in
            request.responseStream(on: exchange.printer.queue) { stream in
                switch stream.event {
                case .stream(.success(let data)): show(data, state, request)
                case .complete(let completion): waiter.resume(returning: completion)
                }
            }
        }
        return exchange.printer.queue.sync { end(completion, state, request) }
    }

    private func makeRequest(in session: Session) throws -> DataStreamRequest {
        if let upload = try PlannedUpload(exchange.plan) { return session.streamRequest(upload) }
        return session.streamRequest(PlannedRequest(plan: exchange.plan))
    }

    private func configure(_ request: DataStreamRequest, _ state: StreamState) {
        let (plan, printer, rule) = (exchange.plan, exchange.printer, exchange.rule)
        if case .digest(let credential) = plan.request.authentication { request.authenticate(with: credential) }
        request.validate { _, response in
            guard plan.retry.limit > 0, plan.retry.conditions.statuses.contains(response.statusCode) else {
                return .success(())
            }
            return .failure(
                AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode)))
        }
        request.onHTTPResponse(on: printer.queue) { [weak request] response in
            let isReplaced = rule.replaces(response, after: request?.retryCount ?? 0)
            state.begin(isDiscarded: isReplaced)
            if isReplaced, !plan.output.showsAll { return }
            view?.release()
            if plan.output.parts.contains(.responseHead) { printer.showHead(response.rawHead) }
            if plan.output.parts.contains(.responseBody), !isReplaced, device == nil {
                let type =
                    plan.output.mediaType
                    ?? response.value(forHTTPHeaderField: "Content-Type").flatMap(MediaType.init(parsing:))
                printer.beginBody(of: type)
            }
        }
        if let progress { request.uploadProgress(queue: printer.queue) { progress.sending($0) } }
    }

    private func show(_ data: Data, _ state: StreamState, _ request: DataStreamRequest) {
        guard !state.isDiscarded else { return }
        if !data.isEmpty { exchange.rule.noteShown() }
        data.withUnsafeBytes { bytes in
            if let device {
                do throws(OutputFailure) { try device.write(bytes) } catch { state.fail(error) }
            } else if exchange.plan.output.parts.contains(.responseBody) {
                exchange.printer.showBody(bytes)
            }
        }
        if exchange.printer.failure != nil || state.failure != nil { request.cancel() }
    }

    /// On the printer's queue.
    private func end(
        _ completion: DataStreamRequest.Completion,
        _ state: StreamState,
        _ request: DataStreamRequest
    ) -> ExitStatus {
        progress?.end(isWhole: completion.error == nil)
        view?.release()
        if state.hasBody, exchange.plan.output.parts.contains(.responseBody), device == nil {
            exchange.printer.endBody()
        }
        exchange.printer.flush()
        if let failure = state.failure {
            let diagnosis = Diagnosis(failure)
            exchange.messages.error(diagnosis)
            return diagnosis.status
        }
        return exchange.conclude(completion.response, completion.error, metrics: request.allMetrics)
    }
}

/// What must be remembered between the pieces of a streamed response.
private final class StreamState: Sendable {
    private struct Contents {
        var isDiscarded = false
        var hasBody = false
        var failure: OutputFailure?
    }

    private let contents = Mutex(Contents())

    /// Whether the body belongs to an answer that another try replaces.
    var isDiscarded: Bool { contents.withLock(\.isDiscarded) }
    var hasBody: Bool { contents.withLock(\.hasBody) }
    var failure: OutputFailure? { contents.withLock(\.failure) }

    func begin(isDiscarded: Bool) {
        contents.withLock { ($0.isDiscarded, $0.hasBody) = (isDiscarded, !isDiscarded) }
    }

    func fail(_ failure: OutputFailure) { contents.withLock { $0.failure = $0.failure ?? failure } }
}

extension BodyPlan {
    /// Whether sending the body may take long enough to tell how far it is.
    var isLarge: Bool {
        switch self {
        case .none, .bytes: false
        case .file(_, let size), .standardInput(let size): size.map { $0 > 1 << 20 } ?? true
        case .multipart(let parts, _):
            parts.contains { part in
                switch part.content {
                case .bytes: false
                case .file(_, let size), .standardInput(let size): size.map { $0 > 1 << 20 } ?? true
                }
            }
        }
    }
}
