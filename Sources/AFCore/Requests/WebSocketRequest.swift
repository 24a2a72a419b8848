internal import AFHTTP
internal import AFTransport
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
    /// The options of a connection.
    public struct Configuration: Sendable {
        /// The default options.
        public static var `default`: Self { Self() }

        /// Returns the default options with a subprotocol.
        public static func `protocol`(_ protocol: String) -> Self { Self(protocol: `protocol`) }
        /// Returns the default options with a limit on messages, in bytes.
        public static func maximumMessageSize(_ maximumMessageSize: Int) -> Self {
            Self(maximumMessageSize: maximumMessageSize)
        }
        /// Returns the default options with automatic pings.
        public static func pingInterval(_ pingInterval: TimeInterval) -> Self { Self(pingInterval: pingInterval) }

        /// The subprotocols to offer, separated by commas (`Sec-WebSocket-Protocol`); `nil` for none.
        public let `protocol`: String?
        /// The limit on a received message in bytes, after decompression. A larger one closes the connection with
        /// ``WebSocketCloseCode/messageTooBig``.
        public let maximumMessageSize: Int
        /// The seconds between automatic pings; `nil` for none. The request fails if nothing was received after a ping
        /// when the next one is due.
        public let pingInterval: TimeInterval?
        /// Whether to offer compression (permessage-deflate, RFC 7692). Do not combine secrets with untrusted
        /// input in one compressed message: its length reveals whether they are similar.
        public let offersCompression: Bool

        /// Creates options; by default messages are limited to 1 MiB, and compression is offered.
        public init(
            protocol: String? = nil,
            maximumMessageSize: Int = 1_048_576,
            pingInterval: TimeInterval? = nil,
            offersCompression: Bool = true
        ) {
            self.protocol = `protocol`
            self.maximumMessageSize = maximumMessageSize
            self.pingInterval = pingInterval
            self.offersCompression = offersCompression
        }
    }

    /// The result of a ping.
    public enum PingResponse: Sendable {
        /// The server's response.
        public struct Pong: Sendable {
            /// The time at which the ping was enqueued.
            public let start: Date
            /// The time at which the pong was received.
            public let end: Date
            /// The seconds between them.
            public var latency: TimeInterval { end.timeIntervalSince(start) }
        }

        /// The server responded.
        case pong(Pong)
        /// The connection ended before the response.
        case error(any Error)
        /// The connection is not open.
        case unsent
    }

    private struct Ping {
        let payload: [UInt8]
        let start: Date
        let respond: @Sendable (PingResponse) -> Void
    }

    private struct WebSocketState {
        var connection: WebSocketConnection
        var consumers: [any WebSocketConsumer] = []
        var pings = FIFO<Ping>()
        var pingCount: UInt64 = 0
        var isPingUnanswered = false
        /// The undelivered bytes, counted once per consumer, with an overhead for each message.
        var waiting = 0
        var isFull = false
        var refusalBody: Data?
    }

    /// The value that every attempt's request is created from.
    public let convertible: any URLRequestConvertible
    /// The options of the connection.
    public let configuration: Configuration
    private let webSocket: Mutex<WebSocketState>

    /// The maximum of undelivered bytes, except for the last messages.
    private static let backlogLimit = 1 << 20
    private static let overhead = 128
    /// The seconds to wait for the end of the connection after the Close frames.
    private static let endTimeout = 2.0

    init(_ convertible: any URLRequestConvertible, _ configuration: Configuration, _ origin: RequestOrigin) {
        self.convertible = convertible
        self.configuration = configuration
        let connection = WebSocketConnection(maximumMessageSize: configuration.maximumMessageSize)
        webSocket = Mutex(WebSocketState(connection: connection))
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
        let outgoing = WebSocketConnection.PendingMessage(message: message, completion: completion)
        // A retry replaces the connection, and sends the earlier messages first.
        while !connection.send(outgoing) {
            guard mutableState.withLock({ !$0.lifecycle.isDone }) else {
                return completion(.failure(error ?? AFError.sessionTaskFailed(error: WebSocketError.isClosed)))
            }
        }
        // Ended before or meanwhile: ``cleanUp()`` has run already.
        if mutableState.withLock({ $0.lifecycle.isDone }) { failUnsentMessages() }
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
        let isSent = webSocket.withLock { state in
            state.pingCount += 1
            let payload = withUnsafeBytes(of: state.pingCount.bigEndian) { Array($0) }
            guard state.connection.ping(payload) else { return false }
            state.pings.append(Ping(payload: payload, start: .now, respond: respond))
            return true
        }
        if !isSent { respond(.unsent) }
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

    override var isQuicklyMade: Bool { convertible is URLRequest }

    override func makeURLRequest() throws -> URLRequest {
        var request = try convertible.asURLRequest()
        guard request.method ?? .get == .get else {
            throw WebSocketError(.invalidRequest, "a WebSocket handshake is a GET request")
        }
        if let url = request.url { request.url = URL(string: url.absoluteString.withHTTPScheme) }
        WebSocketHandshake.addFields(
            to: &request.headers,
            subprotocol: configuration.protocol,
            offersCompression: configuration.offersCompression
        )
        return request
    }

    override var upgradeStream: (any BodyStream)? { connection }

    override func receive(_ response: HTTPURLResponse) {
        guard let task else { return }
        // The body of a refusal may be endless.
        guard response.statusCode == 101 else { return endTask(after: Self.endTimeout) }
        let connection = connection
        do throws(WebSocketError) {
            let parameters = try WebSocketHandshake.check(response, request: task.currentRequest.headers)
            connection.open(parameters, on: serializationQueue)
            deliver(.connected(protocol: parameters.subprotocol))
            schedulePing(on: connection)
        } catch {
            connection.fail(error)
            task.cancel()
        }
    }

    override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (connection, isFull) = webSocket.withLock { state in
            state.isFull = state.waiting >= Self.backlogLimit
            state.isPingUnanswered = false
            return (state.connection, state.isFull)
        }
        guard connection.isOpen else {
            storeRefusal(bytes)
            return .proceed
        }
        // Bytes after a violation are ignored.
        guard connection.failure == nil else { return .proceed }
        guard !isFull else { return .pause }
        for item in connection.receive(bytes) {
            switch item {
            case .message(let message): deliver(.receivedMessage(message), size: message.count + Self.overhead)
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

    override var localFailure: AFError? { connection.failure.map { .sessionTaskFailed(error: $0) } }

    override var isHeaderSufficient: Bool { connection.hasReceivedClose }

    override var hasConclusion: Bool { true }

    override func concludeTransfer(
        after failure: (any Error)?,
        then completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let connection = connection
        if let status = response?.statusCode, status != 101, !isCancelled {
            let kind = (failure as? TransferFailure)?.kind
            if failure == nil || kind == .cancelled {
                return completion(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: status)))
            }
        }
        guard failure == nil, !connection.hasReceivedClose else { return completion(failure) }
        completion(WebSocketError(.noCloseFrame, "the connection ended without a Close frame"))
    }

    override func resetForRetry() {
        let next = WebSocketConnection(maximumMessageSize: configuration.maximumMessageSize)
        // First: they precede messages that are sent from now on.
        for outgoing in connection.takeUnsent() { _ = next.send(outgoing) }
        webSocket.withLock { state in
            state.connection = next
            state.refusalBody = nil
            (state.waiting, state.isFull, state.isPingUnanswered) = (0, false, false)
        }
        failPings()
    }

    override func cleanUp() {
        // First: no ping is accepted afterwards.
        failUnsentMessages()
        failPings()
        var consumers: [any WebSocketConsumer] = []
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
    private var isHeldBack: Bool { isSuspended || webSocket.withLock { $0.isFull } }

    // Pings

    private func receivePong(_ payload: [UInt8]) {
        let now = Date()
        let answered = webSocket.withLock { state -> [Ping] in
            // Servers may answer the latest of several pings only; others send pongs that nothing asked for.
            guard state.pings.contains(where: { $0.payload == payload }) else { return [] }
            var answered: [Ping] = []
            while let ping = state.pings.popFirst() {
                answered.append(ping)
                if ping.payload == payload { break }
            }
            return answered
        }
        for ping in answered { ping.respond(.pong(PingResponse.Pong(start: ping.start, end: now))) }
    }

    private func failPings() {
        var pings = FIFO<Ping>()
        webSocket.withLock { swap(&$0.pings, &pings) }
        let error: any Error = error ?? AFError.sessionTaskFailed(error: WebSocketError.isClosed)
        for ping in pings { ping.respond(.error(error)) }
    }

    private func schedulePing(on connection: WebSocketConnection) {
        guard let interval = configuration.pingInterval, interval > 0 else { return }
        underlyingQueue.run(after: interval) { [weak self, weak connection] in
            guard let self, let connection, connection === self.connection else { return }
            guard !connection.isClosing else { return }
            let isDelayed = connection.isPingDelayed()
            let isUnanswered = webSocket.withLock { state in
                defer { state.isPingUnanswered = true }
                return state.isPingUnanswered
            }
            if !isUnanswered {
                sendPing { [weak self] response in
                    if case .unsent = response { self?.webSocket.withLock { $0.isPingUnanswered = false } }
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

    private func deliver(_ event: IncomingEvent, size: Int = 0) {
        let consumers = webSocket.withLock { state in
            state.waiting += size * state.consumers.count
            return state.consumers
        }
        for consumer in consumers { consumer.receive(event, of: self) { [weak self] in self?.release(size) } }
    }

    /// Records that a consumer has processed a message.
    private func release(_ size: Int) {
        guard size > 0 else { return }
        let needsDrain = webSocket.withLock { state in
            state.waiting = max(0, state.waiting - size)
            guard state.isFull, state.waiting <= Self.backlogLimit / 4 else { return false }
            state.isFull = false
            // The silence was this program's.
            state.connection.noteMessageBytes()
            return true
        }
        if needsDrain { task?.drain() }
    }

    /// Adds a consumer, and starts the request if handlers do that.
    func attach(_ consumer: some WebSocketConsumer) {
        webSocket.withLock { $0.consumers.append(consumer) }
        append { request in
            guard let request = request as? WebSocketRequest else { return }
            request.serializerDidEnd(nil) { _ in
                consumer.receive(.completed(Completion(of: request)), of: request) {}
            }
        }
    }
}

extension WebSocketError {
    fileprivate static var isClosed: Self { Self(.closed, "the connection was closed") }
}
