public import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A request whose response body is delivered in chunks and not stored.
///
/// A slow handler applies back-pressure: at most about 1 MiB waits for it.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// A validation with the request and the response header; a failure ends the attempt. The body has been delivered
    /// before.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    private struct Delivery {
        var consumers: [any BodyConsumer] = []
        var backlog = Backlog()
        var received: Int64 = 0
    }

    private struct EarlyValidation {
        let task: Int
        let count: Int
        let failure: AFError?
    }

    /// The value that every attempt's request is created from.
    public let convertible: any URLRequestConvertible
    /// Whether a chunk that cannot be serialized cancels the request.
    public let automaticallyCancelOnStreamError: Bool
    private let delivery = Mutex(Delivery())
    /// The result of validators that ran before the end of the body.
    private let earlyValidation = Mutex<EarlyValidation?>(nil)

    init(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        _ origin: RequestOrigin
    ) {
        self.convertible = convertible
        self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
        super.init(origin)
    }

    /// Adds a validation of the response; validations run in order after the body until one fails.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { request in
            guard let request = request as? DataStreamRequest, let response = request.response else { return nil }
            let urlRequest = request.request
            let result = validation(urlRequest, response)
            request.observers?.notify {
                $0.request(request, didValidateRequest: urlRequest, response: response, withResult: result)
            }
            return result.validationError
        }
        return self
    }

    override var isQuicklyMade: Bool { convertible is URLRequest }

    override var isCacheable: Bool { true }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
        try convertible.makeBody()
    }

    override func validationFailure(of validators: [Validator]) -> AFError? {
        let early = earlyValidation.withLock { $0 }
        if let early, early.task == task?.id, early.count == validators.count { return early.failure }
        return super.validationFailure(of: validators)
    }

    /// Runs the validators on the response header before the end of the body, and passes on whether they accept it.
    func validateEarly(then completion: @escaping @Sendable (_ isAccepted: Bool) -> Void) {
        let validators = mutableState.withLock { $0.validators }
        guard !validators.isEmpty else { return completion(true) }
        underlyingQueue.async { [self] in
            let failure = validationFailure(of: validators)
            if let task {
                let result = EarlyValidation(task: task.id, count: validators.count, failure: failure)
                earlyValidation.withLock { $0 = result }
            }
            completion(failure == nil)
        }
    }

    override var receiveBufferSize: Int { 128 * 1024 }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (consumers, received) = delivery.withLock { delivery in
            guard delivery.backlog.hasSpace() else { return (nil as [any BodyConsumer]?, delivery.received) }
            delivery.backlog.add(bytes.count, consumers: delivery.consumers.count)
            delivery.received += Int64(bytes.count)
            return (delivery.consumers, delivery.received)
        }
        guard let consumers else { return .pause }
        if !consumers.isEmpty {
            let chunk = BodyChunk(data: Data(bytes), request: self)
            for consumer in consumers { consumer.receive(chunk) }
        }
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: expectedLength))
        return .proceed
    }

    override func resetForRetry() {
        let consumers = delivery.withLock { delivery in
            delivery.received = 0
            return delivery.consumers
        }
        for consumer in consumers { consumer.restart() }
    }

    /// Informs the consumers of the end and releases them.
    override func cleanUp() {
        var consumers: [any BodyConsumer] = []
        delivery.withLock { swap(&$0.consumers, &consumers) }
    }

    /// Adds a consumer of the body, and starts the request if handlers do that.
    ///
    /// - Parameter limit: The maximum of undelivered bytes; the lowest of all consumers applies.
    func attach(_ consumer: some BodyConsumer, limit: Int = .max) {
        delivery.withLock { delivery in
            delivery.consumers.append(consumer)
            delivery.backlog.lowerLimit(to: limit)
        }
        // Added as a serializer, so that completions are created only after all consumers have drained, and contain
        // the error of any consumer.
        append { request in
            guard let request = request as? DataStreamRequest else { return }
            consumer.drain(request) {
                request.serializerDidEnd(nil) { _ in consumer.complete(Completion(of: request)) }
            }
        }
    }

    /// Records that a consumer has processed bytes.
    func didConsume(_ count: Int) {
        if delivery.withLock({ $0.backlog.remove(count) }) { task?.drain() }
    }

    /// Ends the request with the error of a handler.
    func end(with error: any Error) {
        let error = error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        change({ $0.cancel() }, because: error, event: { $0.requestDidCancel($1) })
    }
}
