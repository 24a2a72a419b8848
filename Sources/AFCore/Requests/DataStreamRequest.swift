public import AFHTTP
internal import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request whose response body is handed over as it comes, and not kept.
///
/// A slow handler slows the server down: no more than about a mebibyte waits for it.
public final class DataStreamRequest: Request, @unchecked Sendable {
    public typealias Handler<Success, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// A piece of the response, and the means to stop.
    public struct Stream<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        public let event: Event<Success, Failure>
        public let token: CancellationToken

        public func cancel() { token.cancel() }
    }

    public enum Event<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        case stream(Result<Success, Failure>)
        /// The last event.
        case complete(Completion)
    }

    public struct Completion: Sendable {
        public let request: URLRequest?
        public let response: HTTPURLResponse?
        public let metrics: TransferMetrics?
        public let error: AFError?
    }

    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        public func cancel() { request?.cancel() }
    }

    private struct Backlog {
        var handlers: [@Sendable (Data) -> Void] = []
        var heads: [@Sendable (HTTPURLResponse) -> Void] = []
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

    /// Called with the final response's head, before any of its body. Starts nothing.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        backlog.withLock { $0.heads = [{ response in queue.async { handler(response) } }] }
        return self
    }

    /// Calls back with the pieces of the body as they come. A handler that throws ends the request.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue = .main,
        stream: @escaping Handler<Data, Never>
    ) -> Self {
        let token = CancellationToken(request: self)
        backlog.withLock {
            $0.handlers.append { data in
                queue.async {
                    do {
                        try stream(Stream(event: .stream(.success(data)), token: token))
                    } catch {
                        self.end(with: error)
                    }
                    self.handlerTook(data.count)
                }
            }
        }
        appendFinishHandler { [self] in
            let completion = Completion(request: request, response: response, metrics: metrics, error: error)
            queue.async { try? stream(Stream(event: .complete(completion), token: token)) }
        }
        if shouldAutomaticallyResume ?? session?.startRequestsImmediately ?? true { resume() }
        return self
    }

    override var isQuicklyMade: Bool { convertible is URLRequest }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func makeBody(for request: URLRequest) throws -> BodySource? {
        try (convertible as? any UploadableConvertible)?.createUploadable().source
    }

    override func adjusted(_ configuration: SessionConfiguration) -> SessionConfiguration {
        var configuration = configuration
        configuration.receiveBufferSize = max(configuration.receiveBufferSize, 128 * 1024)
        return configuration
    }

    override func receive(_ response: HTTPURLResponse) {
        for handler in backlog.withLock(\.heads) { handler(response) }
    }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (handlers, received) = backlog.withLock { backlog in
            guard backlog.waiting < Self.capacity.full else {
                backlog.isFull = true
                return (nil as [@Sendable (Data) -> Void]?, backlog.received)
            }
            backlog.waiting += bytes.count * backlog.handlers.count
            backlog.received += Int64(bytes.count)
            return (backlog.handlers, backlog.received)
        }
        guard let handlers else { return .pause }
        let data = Data(bytes)
        for handler in handlers { handler(data) }
        didReceive(TransferProgress(completedUnitCount: received, totalUnitCount: expectedLength))
        return .proceed
    }

    private func handlerTook(_ count: Int) {
        let wantsMore = backlog.withLock { backlog in
            backlog.waiting -= count
            guard backlog.isFull, backlog.waiting <= Self.capacity.low else { return false }
            backlog.isFull = false
            return true
        }
        if wantsMore { task?.drain() }
    }

    private func end(with error: any Error) {
        let error = error.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: error)))
        contents.withLock { $0.error = $0.error ?? error }
        cancel()
    }
}

extension Session {
    /// Streams the response to a request, which may carry a body of any size (``UploadConvertible``).
    public func streamRequest(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataStreamRequest {
        begin(
            DataStreamRequest(
                convertible,
                RequestOrigin(
                    session: self,
                    interceptor: interceptor,
                    shouldAutomaticallyResume: shouldAutomaticallyResume
                )
            )
        )
    }
}
