public import AFHTTP
public import AFTransport
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

    /// The value that every attempt's request is created from.
    public let convertible: any URLRequestConvertible
    /// Whether a chunk that cannot be serialized cancels the request.
    public let automaticallyCancelOnStreamError: Bool
    private let delivery = Mutex(Delivery())

    init(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        _ origin: RequestOrigin
    ) {
        self.convertible = convertible
        self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
        super.init(origin, isCacheable: true)
    }

    /// Adds a validation of the response; validations run in order after the body until one fails.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { [unowned self] response in failure(of: validation, response) }
        return self
    }

    private func failure(of validation: Validation, _ response: HTTPURLResponse) -> AFError? {
        let request = request
        let result = validation(request, response)
        observers?.notify {
            $0.request(self, didValidateRequest: request, response: response, withResult: result)
        }
        return result.validationError
    }

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 { restart() }
        return convertible is URLRequest ? .none : .queue
    }

    @_spi(Requests) public override func makeURLRequest() throws(AFError) -> URLRequest {
        try convertible.makeURLRequest()
    }

    @_spi(Requests) public override func makeBody(for request: URLRequest) throws(AFError) -> BodySource? {
        try convertible.makeBody()
    }

    @_spi(Requests) public override func configure(_ hop: inout Hop) {
        hop.receiveBufferSize = max(hop.receiveBufferSize, 128 << 10)
    }

    @_spi(Requests) public override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
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

    private func restart() {
        let consumers = delivery.withLock { delivery in
            delivery.received = 0
            return delivery.consumers
        }
        for consumer in consumers { consumer.restart() }
    }

    /// Releases the consumers.
    @_spi(Requests) public override func cleanUp() {
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
        append { [unowned self] in drain(consumer) }
    }

    private func drain(_ consumer: some BodyConsumer) {
        consumer.drain(self) {
            self.serializerDidEnd(nil) { _ in consumer.complete(Completion(of: self)) }
        }
    }

    /// Records that a consumer has processed bytes.
    func didConsume(_ count: Int) {
        if delivery.withLock({ $0.backlog.remove(count) }) { task?.drain() }
    }

    /// Ends the request with the error of a handler.
    func end(with error: any Error) {
        let error = error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        cancel(because: error)
    }
}
