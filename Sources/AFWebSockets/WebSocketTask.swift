public import AFRequests
public import FoundationEssentials

/// Asynchronous access to a WebSocket connection.
///
/// Each method returns a separate stream of the events from then on, and starts the request. An unread message applies
/// back-pressure to the server: a stream that is stored but not read blocks the others, too. A buffering policy other
/// than `unbounded` drops messages instead.
public struct WebSocketTask: Sendable {
    /// The events in order; the last one is the completion of the request.
    public typealias EventStreamOf<Success: Sendable, Failure: Error> = StreamOf<
        WebSocketRequest.Event<Success, Failure>
    >

    private let request: WebSocketRequest

    fileprivate init(_ request: WebSocketRequest) { self.request = request }

    /// Returns a stream of the events.
    ///
    /// - Parameter automaticallyCancelling: Cancels the request when its reader ends: its task is canceled, or it
    ///   leaves the loop before the end.
    public func streamingMessageEvents(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: EventStreamOf<WebSocketMessage, Never>.BufferingPolicy = .unbounded
    ) -> EventStreamOf<WebSocketMessage, Never> {
        stream(automaticallyCancelling, bufferingPolicy, on: .inline, by: { .success($0) }, select: { $0 })
    }

    /// Returns a stream of the messages.
    public func streamingMessages(
        automaticallyCancelling: Bool = true,
        bufferingPolicy: StreamOf<WebSocketMessage>.BufferingPolicy = .unbounded
    ) -> StreamOf<WebSocketMessage> {
        stream(
            automaticallyCancelling, bufferingPolicy, on: .inline, by: { Result<_, Never>.success($0) },
            select: \.message)
    }

    /// Returns a stream of the events, with each message decoded, by default from JSON.
    public func streamingDecodableEvents<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling: Bool = true,
        using decoder: any DataDecoder = JSONDecoder(),
        bufferingPolicy: EventStreamOf<Value, any Error>.BufferingPolicy = .unbounded
    ) -> EventStreamOf<Value, any Error> {
        stream(
            automaticallyCancelling, bufferingPolicy, on: CallbackQueue(request.serializationQueue),
            by: { message in Result { try DecodableWebSocketMessageDecoder(decoder: decoder).decode(message) } },
            select: { $0 })
    }

    /// Returns a stream of the decoded messages; others are ignored.
    public func streamingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        automaticallyCancelling: Bool = true,
        using decoder: any DataDecoder = JSONDecoder(),
        bufferingPolicy: StreamOf<Value>.BufferingPolicy = .unbounded
    ) -> StreamOf<Value> {
        stream(
            automaticallyCancelling, bufferingPolicy, on: CallbackQueue(request.serializationQueue),
            by: { message in
                Result<Value, any Error> {
                    try DecodableWebSocketMessageDecoder(decoder: decoder).decode(message)
                }
            },
            select: \.message)
    }

    /// Sends a message; see ``WebSocketRequest/send(_:)``.
    ///
    /// - Throws: ``WebSocketError/Kind/closed``, or the request's error, if the message cannot be sent.
    public func send(_ message: WebSocketMessage) async throws { try await request.send(message) }

    /// Closes the connection; see ``WebSocketRequest/close(sending:reason:)``.
    public func close(sending closeCode: WebSocketCloseCode, reason: Data? = nil) {
        request.close(sending: closeCode, reason: reason)
    }

    /// Cancels the request; the streams end with its completion.
    public func cancel() { request.cancel() }

    /// Starts or resumes the request.
    public func resume() { request.resume() }

    /// Suspends the connection until ``resume()``.
    public func suspend() { request.suspend() }

    private func stream<Success: Sendable, Failure: Error, Element: Sendable>(
        _ isCancelling: Bool,
        _ policy: StreamOf<Element>.BufferingPolicy,
        on queue: CallbackQueue,
        by convert: @escaping @Sendable (WebSocketMessage) -> Result<Success, Failure>,
        select: @escaping @Sendable (WebSocketRequest.Event<Success, Failure>) -> Element?
    ) -> StreamOf<Element> {
        // A canceled task would not read the messages, so no request is sent.
        if isCancelling, Task.isCancelled { request.cancel() }
        let buffer = StreamBuffer<Element>(policy) { [weak request] in
            if isCancelling { request?.cancel() }
        }
        let end = OnDeinit { buffer.finish() }
        request.handle(on: .inline, converting: queue, by: convert) { event, release in
            if let element = select(event) { buffer.yield(element, release: release) } else { release() }
            if case .completed = event.kind { end.run() }
        }
        return StreamOf(buffer)
    }
}

extension WebSocketRequest {
    /// Returns the asynchronous access to the connection. Does not start the request.
    public func webSocketTask() -> WebSocketTask { WebSocketTask(self) }
}
