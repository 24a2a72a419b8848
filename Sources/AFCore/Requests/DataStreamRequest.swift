public import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// A request whose response body is handed over as it comes, and not kept.
///
/// A slow handler slows the server down: no more than about a mebibyte waits for it.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// `URLRequest?` and head in; a failure ends the attempt. The body has been handed over by then.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    private struct Backlog {
        var consumers: [any BodyConsumer] = []
        /// Bytes on their way to consumers, counted once for each, with what each piece takes besides.
        var waiting = 0
        /// How many may wait.
        var limit = 1 << 20
        var isFull = false
        var received: Int64 = 0
    }

    /// What the request of every attempt is made of.
    public let convertible: any URLRequestConvertible
    /// Whether a piece that no serializer can make a value of cancels the request.
    public let automaticallyCancelOnStreamError: Bool
    private let backlog = Mutex(Backlog())
    /// What a piece takes besides its bytes: a body in crumbs weighs more than its length.
    private static let overhead = 128

    init(
        _ convertible: any URLRequestConvertible,
        automaticallyCancelOnStreamError: Bool = false,
        _ origin: RequestOrigin
    ) {
        self.convertible = convertible
        self.automaticallyCancelOnStreamError = automaticallyCancelOnStreamError
        super.init(origin)
    }

    /// Adds a check of the response; checks run in order until one fails, once the body is through.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { request in
            guard let request = request as? DataStreamRequest, let response = request.response else { return nil }
            let result = validation(request.request, response)
            request.tell {
                $0.request(request, didValidateRequest: request.request, response: response, withResult: result)
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

    override var receiveBufferSize: Int { 128 * 1024 }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (consumers, received) = backlog.withLock { backlog in
            guard backlog.waiting < backlog.limit else {
                backlog.isFull = true
                return (nil as [any BodyConsumer]?, backlog.received)
            }
            backlog.waiting += (bytes.count + Self.overhead) * backlog.consumers.count
            backlog.received += Int64(bytes.count)
            return (backlog.consumers, backlog.received)
        }
        guard let consumers else { return .pause }
        if !consumers.isEmpty {
            let piece = BodyPiece(data: Data(bytes), request: self)
            for consumer in consumers { consumer.take(piece) }
        }
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: expectedLength))
        return .proceed
    }

    override func resetForRetry() {
        let consumers = backlog.withLock { backlog in
            backlog.received = 0
            return backlog.consumers
        }
        for consumer in consumers { consumer.startOver() }
    }

    /// Whoever took the body is told of its end, and may hold anybody.
    override func cleanUp() {
        var consumers: [any BodyConsumer] = []
        backlog.withLock { swap(&$0.consumers, &consumers) }
    }

    /// Adds somebody who takes the body, and starts the request where handlers do that.
    ///
    /// - Parameter limit: How many bytes may wait for everybody, should that be fewer than anybody else said.
    func attach(_ consumer: some BodyConsumer, limit: Int = .max) {
        backlog.withLock { backlog in
            backlog.consumers.append(consumer)
            backlog.limit = min(backlog.limit, max(1, limit))
        }
        // As a serializer: no completion exists before every consumer has drained, so an error that any of them meets
        // is in all completions, on whatever queues they are.
        append { request in
            guard let request = request as? DataStreamRequest else { return }
            consumer.drain(request) {
                request.serializerDidEnd(nil) { _ in consumer.complete(Completion(of: request)) }
            }
        }
    }

    /// A consumer is through with a piece of so many bytes.
    func didConsume(_ count: Int) {
        let wantsMore = backlog.withLock { backlog in
            backlog.waiting -= count + Self.overhead
            guard backlog.isFull, backlog.waiting <= backlog.limit / 4 else { return false }
            backlog.isFull = false
            return true
        }
        if wantsMore { task?.drain() }
    }

    /// A handler threw.
    func end(with error: any Error) {
        let error = error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        change({ $0.cancel() }, because: error, told: { $0.requestDidCancel(self) })
    }
}
