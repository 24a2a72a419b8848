public import AFHTTP
internal import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request whose response body is handed over as it comes, and not kept.
///
/// A slow handler slows the server down: no more than about a mebibyte waits for it.
///
/// `@unchecked` as its superclass is; every property added here is immutable or a `Mutex`.
public final class DataStreamRequest: Request, @unchecked Sendable {
    /// Called with everything that happens to the response. What it throws ends the request.
    public typealias Handler<Success, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// A piece of the response, and the means to stop.
    public struct Stream<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        public let event: Event<Success, Failure>
        /// For whoever wants to cancel later.
        public let token: CancellationToken

        /// Cancels the request.
        public func cancel() { token.cancel() }
    }

    /// What a handler is told.
    public enum Event<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        /// A piece of the body, or why it could not be made into a value.
        case stream(Result<Success, Failure>)
        /// The last event.
        case complete(Completion)
    }

    /// How the request ended.
    public struct Completion: Sendable {
        public let request: URLRequest?
        public let response: HTTPURLResponse?
        public let metrics: TransferMetrics?
        /// `nil` where it ended well.
        public let error: AFError?
    }

    /// Ends the request it belongs to, without keeping it alive.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request, if it is still there.
        public func cancel() { request?.cancel() }
    }

    /// `URLRequest?` and head in; a failure ends the attempt. The body has been handed over by then.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse) -> ValidationResult

    private struct Backlog {
        var handlers: [StreamHandler] = []
        /// Bytes on their way to handlers, counted once for each.
        var waiting = 0
        var isFull = false
        var received: Int64 = 0
    }

    public let convertible: any URLRequestConvertible
    private let backlog = Mutex(Backlog())
    /// Bytes that may wait for handlers, and how few must be left before more are taken.
    private static let capacity = (full: 1 << 20, low: 1 << 18)

    init(_ convertible: any URLRequestConvertible, _ origin: RequestOrigin) {
        self.convertible = convertible
        super.init(origin)
    }

    /// Calls back with the pieces of the body as they come. A handler that throws ends the request, and is told of
    /// nothing but the end from then on.
    ///
    /// Its events come one at a time and in order, on any queue.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        responseStream(on: CallbackQueue(queue), stream: stream)
    }

    /// The same on a queue that need not be Dispatch's.
    @discardableResult
    public func responseStream(on queue: CallbackQueue, stream: @escaping Handler<Data, Never>) -> Self {
        let handler = StreamHandler(queue, token: CancellationToken(request: self), stream)
        backlog.withLock { $0.handlers.append(handler) }
        whenFinished { request in
            let completion = Completion(
                request: request.request,
                response: request.response,
                metrics: request.metrics,
                error: request.error
            )
            handler.complete(completion)
        }
        startIfAutomatic()
        return self
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
        guard !(convertible is URLRequest) else { return nil }
        do {
            return try (convertible as? any UploadableConvertible)?.createUploadable().source
        } catch {
            throw error.asAFError(or: .createUploadableFailed(error: error))
        }
    }

    override var receiveBufferSize: Int { 128 * 1024 }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (handlers, received) = backlog.withLock { backlog in
            guard backlog.waiting < Self.capacity.full else {
                backlog.isFull = true
                return (nil as [StreamHandler]?, backlog.received)
            }
            backlog.waiting += bytes.count * backlog.handlers.count
            backlog.received += Int64(bytes.count)
            return (backlog.handlers, backlog.received)
        }
        guard let handlers else { return .pause }
        if !handlers.isEmpty {
            let data = Data(bytes)
            for handler in handlers { handler.take(data, for: self) }
        }
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: expectedLength))
        return .proceed
    }

    override func resetForRetry() { backlog.withLock { $0.received = 0 } }

    fileprivate func handlerTook(_ count: Int) {
        let wantsMore = backlog.withLock { backlog in
            backlog.waiting -= count
            guard backlog.isFull, backlog.waiting <= Self.capacity.low else { return false }
            backlog.isFull = false
            return true
        }
        if wantsMore { task?.drain() }
    }

    fileprivate func end(with error: any Error) {
        let error = error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        change({ $0.cancel() }, because: error, told: { $0.requestDidCancel(self) })
    }
}

/// One handler of a stream: its events come one at a time and in order, be the caller's queue serial or not.
private final class StreamHandler: Sendable {
    private struct Contents {
        var events: [Event] = []
        /// Whether the handler is being called; on a serial queue never by another block.
        var isBusy = false
        /// Blocks that ran while it was.
        var owed = 0
        var hasThrown = false
    }

    private enum Event {
        case piece(Data, DataStreamRequest)
        case complete(DataStreamRequest.Completion)
    }

    private let queue: CallbackQueue
    private let token: DataStreamRequest.CancellationToken
    private let handler: DataStreamRequest.Handler<Data, Never>
    private let contents = Mutex(Contents())

    init(
        _ queue: CallbackQueue,
        token: DataStreamRequest.CancellationToken,
        _ handler: @escaping DataStreamRequest.Handler<Data, Never>
    ) {
        self.queue = queue
        self.token = token
        self.handler = handler
    }

    func take(_ data: Data, for request: DataStreamRequest) { append(.piece(data, request)) }

    /// The last event. What the handler throws then has nothing left to end.
    func complete(_ completion: DataStreamRequest.Completion) { append(.complete(completion)) }

    private func append(_ event: Event) {
        contents.withLock { $0.events.append(event) }
        // One block for each event: what else is on the caller's queue, such as heads, keeps its place among them.
        queue.async {
            while let event = self.next() {
                self.handle(event)
                let isOwing = self.contents.withLock { contents in
                    contents.isBusy = false
                    guard contents.owed > 0 else { return false }
                    contents.owed -= 1
                    return true
                }
                guard isOwing else { return }
            }
        }
    }

    private func next() -> Event? {
        contents.withLock { contents in
            guard !contents.isBusy else {
                contents.owed += 1
                return nil
            }
            contents.isBusy = true
            return contents.events.removeFirst()
        }
    }

    private func handle(_ event: Event) {
        switch event {
        case .complete(let completion): try? handler(.init(event: .complete(completion), token: token))
        case .piece(let data, let request):
            defer { request.handlerTook(data.count) }
            guard !contents.withLock({ $0.hasThrown }) else { return }
            do {
                try handler(.init(event: .stream(.success(data)), token: token))
            } catch {
                contents.withLock { $0.hasThrown = true }
                request.end(with: error)
            }
        }
    }
}
