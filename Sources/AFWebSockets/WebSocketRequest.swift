internal import AFHTTP
@_spi(Requests) public import AFRequests
public import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A request that opens a WebSocket connection (RFC 6455).
///
/// Its handlers receive, in this order: the connection, its messages, its closing by the server, and the completion.
/// If the handshake fails, they receive the completion only. Pings of the server get a pong automatically.
///
/// A slow handler applies back-pressure: at most about 1 MiB and the messages of one read from the network wait for it.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public final class WebSocketRequest: Request, @unchecked Sendable {
    struct WebSocketState: OrderedState {
        var connection: WebSocketConnection
        var consumers: [Consumer] = []
        var pings = WebSocketPings()
        var backlog = Backlog()
        var refusalBody: Data?
    }

    /// The value that every attempt's request is created from.
    public let convertible: any URLRequestConvertible
    /// The options of the connection.
    public let configuration: Configuration
    private let webSocket: OrderedMutex<WebSocketState>

    /// The seconds to wait for the end of the connection after the Close frames.
    private static let endTimeout = 2.0

    init(_ convertible: any URLRequestConvertible, _ configuration: Configuration, _ origin: RequestOrigin) {
        self.convertible = convertible
        self.configuration = configuration
        let connection = WebSocketConnection(maximumMessageSize: configuration.maximumMessageSize)
        webSocket = OrderedMutex(WebSocketState(connection: connection))
        super.init(origin)
    }

    /// The body of the response that refused the handshake, at most ``maximumRefusalSize`` bytes; `nil` if there
    /// is none.
    public var refusalBody: Data? { webSocket.withLock { $0.refusalBody } }

    /// The maximum number of bytes of ``refusalBody``: 64 KiB.
    public static let maximumRefusalSize = 64 << 10

    private var connection: WebSocketConnection { webSocket.withLock { $0.connection } }

    // Calls of the program

    /// Sends a message, after the ones before it. Before the connection is open, it waits; messages that were not sent
    /// when an attempt fails are sent by its retry.
    ///
    /// - Parameter completionHandler: Called when the message was passed to the network, so that a sender can wait for a
    ///   slow server, or with an error if it cannot be sent.
    public func send(
        _ message: WebSocketMessage,
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        send(message) { result in queue.async { completionHandler(result) } }
    }

    /// Sends a message; returns when it was passed to the network.
    ///
    /// - Throws: ``WebSocketError/Kind/closed``, or the request's error, if the message cannot be sent.
    public func send(_ message: WebSocketMessage) async throws {
        try await withCheckedThrowingContinuation { waiter in send(message) { waiter.resume(with: $0) } }
    }

    private func send(_ message: WebSocketMessage, completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let outgoing = WebSocketOutput.PendingMessage(message: message, completion: completion)
        // A retry replaces the connection, and sends the earlier messages first.
        while !connection.send(outgoing) {
            guard !isDone else {
                return completion(.failure(error ?? AFError.sessionTaskFailed(error: WebSocketError.isClosed)))
            }
        }
        // Ended before or meanwhile: ``cleanUp()`` has run already.
        if isDone { failUnsentMessages() }
    }

    /// Sends a ping.
    ///
    /// - Parameter onResponse: Called once.
    public func sendPing(
        respondingOn queue: DispatchQueue = .main,
        onResponse: @escaping @Sendable (PingResponse) -> Void
    ) {
        sendPing { response in queue.async { onResponse(response) } }
    }

    private func sendPing(onResponse respond: @escaping @Sendable (PingResponse) -> Void) {
        let (connection, ping) = webSocket.withLock { ($0.connection, $0.pings.add(at: .now, respond: respond)) }
        guard !connection.ping(ping.payload) else { return }
        if webSocket.withLock({ $0.pings.remove(ping) }) { respond(.unsent) }
    }

    /// Closes the connection after the messages that wait, without an error. If it is not open, the request is
    /// canceled.
    ///
    /// - Parameter reason: UTF-8 text, of which at most 123 bytes are sent.
    @discardableResult
    public func close(sending closeCode: WebSocketCloseCode, reason: Data? = nil) -> Self {
        let connection = connection
        guard connection.isOpen else { return cancel() }
        connection.close(closeCode, reason: reason ?? Data(), isImmediate: false)
        endWhenSilent(connection)
        return self
    }

    /// The seconds since a part of a message was sent or received, pings and pongs excluded.
    ///
    /// 0 before the connection is open, and while nothing is received because a handler is slow or the request is
    /// suspended.
    public var silence: TimeInterval {
        let connection = connection
        return connection.isOpen && !isHeldBack ? connection.messageSilence : 0
    }

    /// Fails if no byte is sent or received for the idle timeout after ``close(sending:reason:)``.
    private func endWhenSilent(_ connection: WebSocketConnection) {
        guard let timeout = task?.currentRequest.timeout ?? session?.configuration.timeouts.idle else { return }
        let delay = isHeldBack ? timeout : max(0, timeout - connection.silence)
        DispatchQueue.global().run(after: delay) { [weak self, weak connection] in
            guard let self, let connection, connection === self.connection, let task, task.state != .completed else {
                return
            }
            guard !isHeldBack, connection.silence >= timeout else { return endWhenSilent(connection) }
            connection.fail(WebSocketError(.closeTimedOut, "the server did not answer the Close frame"))
            task.cancel()
        }
    }

    // The attempt

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 { replaceConnection() }
        return convertible is URLRequest ? .none : .queue
    }

    @_spi(Requests) public override func makeURLRequest() throws(AFError) -> URLRequest {
        var request = try convertible.makeURLRequest()
        guard request.method ?? .get == .get else {
            throw .createURLRequestFailed(
                error: WebSocketError(.invalidRequest, "a WebSocket handshake is a GET request"))
        }
        if let url = request.url { request.url = URL(string: url.absoluteString.withHTTPScheme) }
        WebSocketHandshake.addFields(
            to: &request.headers,
            subprotocol: configuration.protocol,
            offersCompression: configuration.offersCompression
        )
        return request
    }

    @_spi(Requests) public override func configure(_ hop: inout Hop) { hop.upgradeStream = connection }

    @_spi(Requests) public override func receive(_ response: HTTPURLResponse) {
        guard let task else { return }
        // The body of a refusal may be endless.
        guard response.statusCode == 101 else { return endTask(after: Self.endTimeout) }
        let connection = connection
        do throws(WebSocketError) {
            let parameters = try WebSocketHandshake.check(response, request: task.currentRequest.headers)
            connection.open(parameters)
            deliver(.connected(protocol: parameters.subprotocol))
            schedulePing(on: connection)
        } catch {
            connection.fail(error)
            task.cancel()
        }
    }

    @_spi(Requests) public override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (connection, hasSpace) = webSocket.withLock { state in
            state.pings.endInterval()
            return (state.connection, state.backlog.hasSpace())
        }
        guard connection.isOpen else {
            storeRefusal(bytes)
            return .proceed
        }
        // Bytes after a violation are ignored.
        guard connection.failure == nil else { return .proceed }
        guard hasSpace else { return .pause }
        for item in connection.receive(bytes) {
            switch item {
            case .message(let message): deliver(.receivedMessage(message), size: message.count)
            case .ping(let payload): connection.pong(payload)
            case .pong(let payload): receivePong(payload)
            case .close(let code, let reason):
                connection.receiveClose(code)
                deliver(.disconnected(closeCode: code, reason: reason.isEmpty ? nil : reason))
                endTask(after: Self.endTimeout)
            }
        }
        if connection.failure != nil { endTask(after: Self.endTimeout) }
        return .proceed
    }

    private func storeRefusal(_ bytes: UnsafeRawBufferPointer) {
        guard let status = response?.statusCode, status != 101 else { return }
        webSocket.withLock { state in
            let space = Self.maximumRefusalSize - (state.refusalBody?.count ?? 0)
            if state.refusalBody == nil { state.refusalBody = Data() }
            state.refusalBody?.append(contentsOf: bytes.prefix(space))
        }
    }

    @_spi(Requests) public override func finishTransfer(_ end: TransferEnd) {
        let connection = connection
        var end = end
        end.localFailure = connection.failure.map { .local($0) }
        // After a Close frame, the end of the connection is no failure.
        if connection.hasReceivedClose { end.failure = nil }
        let isStopped =
            switch end.failure {
            case nil: true
            case .transfer(let failure): failure.kind == .cancelled
            default: false
            }
        if let status = response?.statusCode, status != 101, !isCancelled, isStopped {
            end.failure = .request(.responseValidationFailed(reason: .unacceptableStatusCode(code: status)))
        } else if end.failure == nil, !connection.hasReceivedClose {
            end.failure = .local(WebSocketError(.noCloseFrame, "the connection ended without a Close frame"))
        }
        endTransfer(end)
    }

    private func replaceConnection() {
        let next = WebSocketConnection(maximumMessageSize: configuration.maximumMessageSize)
        // First: they precede messages that are sent from now on.
        for outgoing in connection.takeUnsent() { _ = next.send(outgoing) }
        // The old connection is released outside the lock.
        _ = webSocket.withLock { state in
            defer { state.connection = next }
            state.refusalBody = nil
            state.backlog = Backlog()
            state.pings.endInterval()
            return state.connection
        }
        failPings()
        // Canceled meanwhile: ``cleanUp()`` may have run on the connection before.
        if isDone { failUnsentMessages() }
    }

    @_spi(Requests) public override func cleanUp() {
        // First: no ping is accepted afterwards.
        failUnsentMessages()
        failPings()
        var consumers: [Consumer] = []
        webSocket.withLock { swap(&$0.consumers, &consumers) }
    }

    private func failUnsentMessages() {
        let error: any Error = error ?? AFError.sessionTaskFailed(error: WebSocketError.isClosed)
        for outgoing in connection.takeUnsent() { outgoing.completion(.failure(error)) }
    }

    /// Ends the task if the server does not, after a number of seconds.
    private func endTask(after seconds: Double) {
        guard let task else { return }
        DispatchQueue.global().run(after: seconds) { [weak self, weak task] in
            guard let self, let task, task.state != .completed else { return }
            // The server's Close frame may not have been read.
            if isHeldBack { return endTask(after: seconds) }
            task.cancel()
        }
    }

    /// Whether nothing is received, as a handler is slow or the request is suspended.
    private var isHeldBack: Bool { isSuspended || webSocket.withLock { $0.backlog.isFull } }

    // Pings

    private func receivePong(_ payload: [UInt8]) {
        let now = Date()
        let answered = webSocket.withLock { $0.pings.answered(by: payload) }
        for ping in answered { ping.respond(.pong(PingResponse.Pong(start: ping.start, end: now))) }
    }

    private func failPings() {
        let pings = webSocket.withLock { $0.pings.removeAll() }
        let error: any Error = error ?? AFError.sessionTaskFailed(error: WebSocketError.isClosed)
        for ping in pings { ping.respond(.error(error)) }
    }

    private func schedulePing(on connection: WebSocketConnection) {
        guard let interval = configuration.pingInterval, interval > 0 else { return }
        underlyingQueue.run(after: interval) { [weak self, weak connection] in
            guard let self, let connection, connection === self.connection else { return }
            guard !connection.isClosing else { return }
            let isDelayed = connection.isPingDelayed()
            if !webSocket.withLock({ $0.pings.startInterval() }) {
                sendPing { [weak self] response in
                    if case .unsent = response { self?.webSocket.withLock { $0.pings.endInterval() } }
                }
            } else if !isHeldBack, !isDelayed {
                connection.fail(WebSocketError(.pingTimedOut, "the server did not answer a ping within \(interval) s"))
                task?.cancel()
                return
            }
            schedulePing(on: connection)
        }
    }

    // Delivery

    /// Passes an event to the consumers.
    ///
    /// - Parameter size: The bytes of a message, which apply back-pressure; `nil` for other events.
    private func deliver(_ kind: Event<WebSocketMessage, Never>.Kind, size: Int? = nil) {
        let consumers = webSocket.withLock { state in
            if let size { state.backlog.add(size, consumers: state.consumers.count) }
            return state.consumers
        }
        let event = Event(kind: kind, socket: self)
        for consumer in consumers { consumer.receive(event) { [weak self] in if let size { self?.didConsume(size) } } }
    }

    /// Records that a consumer has processed a message.
    private func didConsume(_ size: Int) {
        let needsDrain = webSocket.withLock { state in
            guard state.backlog.remove(size) else { return false }
            // The silence was this program's.
            state.connection.recordMessageBytes()
            return true
        }
        if needsDrain { task?.drain() }
    }

    /// Adds a consumer, and starts the request if handlers do that.
    func attach(_ consumer: Consumer) {
        webSocket.withLock { $0.consumers.append(consumer) }
        append { [unowned self] in complete(consumer) }
    }

    private func complete(_ consumer: Consumer) {
        serializerDidEnd(nil) { _ in
            consumer.receive(Event(kind: .completed(Completion(of: self)), socket: self)) {}
        }
    }
}

extension WebSocketError {
    fileprivate static var isClosed: Self { Self(.closed, "the connection was closed") }
}
