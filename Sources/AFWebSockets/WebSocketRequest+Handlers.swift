public import AFRequests
public import Dispatch
public import FoundationEssentials

extension WebSocketRequest {
    /// Calls the handler with the events of the connection, and each message serialized. Starts the request.
    @discardableResult
    public func streamSerializer<Serializer: WebSocketMessageSerializer>(
        _ serializer: Serializer,
        on queue: DispatchQueue = .main,
        handler: @escaping Handler<Serializer.Output, any Error>
    ) -> Self {
        handle(
            on: CallbackQueue(queue), converting: CallbackQueue(serializationQueue),
            by: { message in Result { try serializer.decode(message) } },
            releasing(handler))
    }

    /// Calls the handler with the events of the connection. Starts the request.
    @discardableResult
    public func streamMessageEvents(
        on queue: DispatchQueue = .main,
        handler: @escaping Handler<WebSocketMessage, Never>
    ) -> Self {
        handle(on: CallbackQueue(queue), converting: .inline, by: { .success($0) }, releasing(handler))
    }

    /// Calls the handler with each message. Starts the request.
    @discardableResult
    public func streamMessages(
        on queue: DispatchQueue = .main,
        handler: @escaping @Sendable (WebSocketMessage) -> Void
    ) -> Self {
        streamMessageEvents(on: queue) { if let message = $0.message { handler(message) } }
    }

    /// Calls the handler with the events of the connection, on any executor. Starts the request.
    @discardableResult
    public func streamMessageEvents(
        on queue: CallbackQueue,
        handler: @escaping Handler<WebSocketMessage, Never>
    ) -> Self {
        handle(on: queue, converting: .inline, by: { .success($0) }, releasing(handler))
    }

    /// Calls the handler with the converted events, one at a time and in order, even on concurrent queues. Starts the
    /// request.
    @discardableResult
    func handle<Success: Sendable, Failure: Error>(
        on queue: CallbackQueue,
        converting conversionQueue: CallbackQueue,
        by convert: @escaping @Sendable (WebSocketMessage) -> Result<Success, Failure>,
        _ handler: @escaping PacedHandler<Success, Failure>
    ) -> Self {
        let conversions = OrderedQueue(conversionQueue)
        let calls = OrderedQueue(queue)
        let consumer = Consumer { event, release in
            conversions.async {
                let converted = event.converted(by: convert)
                calls.async { handler(converted, release) }
            }
        }
        attach(consumer)
        return self
    }

    /// Returns a handler that releases a message when it returns.
    private func releasing<Success, Failure>(
        _ handler: @escaping Handler<Success, Failure>
    ) -> PacedHandler<Success, Failure> {
        { event, release in
            handler(event)
            release()
        }
    }

    /// Calls the handler with the events of the connection, and each message decoded, by default from JSON. Starts the
    /// request.
    @discardableResult
    public func streamDecodableEvents<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        handler: @escaping Handler<Value, any Error>
    ) -> Self {
        streamSerializer(DecodableWebSocketMessageDecoder<Value>(decoder: decoder), on: queue, handler: handler)
    }

    /// Calls the handler with each decoded message; others are ignored. Starts the request.
    @discardableResult
    public func streamDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        on queue: DispatchQueue = .main,
        using decoder: any DataDecoder = JSONDecoder(),
        handler: @escaping @Sendable (Value) -> Void
    ) -> Self {
        streamDecodableEvents(type, on: queue, using: decoder) { if let value = $0.message { handler(value) } }
    }
}

/// A type that converts messages to values.
public protocol WebSocketMessageSerializer<Output, Failure>: Sendable {
    /// The type of value.
    associatedtype Output: Sendable
    /// The type of error.
    associatedtype Failure: Error = any Error

    /// Returns the value of a message.
    ///
    /// - Throws: Any error; the handler receives it as ``WebSocketRequest/Event/Kind/serializerFailed(_:)``.
    func decode(_ message: WebSocketMessage) throws -> Output
}

extension WebSocketMessageSerializer {
    /// Returns a serializer that decodes JSON.
    public static func json<Value: Decodable & Sendable>(
        decoding type: Value.Type = Value.self,
        using decoder: JSONDecoder = JSONDecoder()
    ) -> DecodableWebSocketMessageDecoder<Value> where Self == DecodableWebSocketMessageDecoder<Value> {
        DecodableWebSocketMessageDecoder(decoder: decoder)
    }
}

/// A serializer that decodes the data or the UTF-8 text of each message.
public struct DecodableWebSocketMessageDecoder<Value: Decodable & Sendable>: WebSocketMessageSerializer {
    /// The decoder.
    public let decoder: any DataDecoder

    /// Creates a serializer.
    public init(decoder: any DataDecoder) { self.decoder = decoder }

    /// Returns the decoded value.
    ///
    /// - Throws: The decoder's error.
    public func decode(_ message: WebSocketMessage) throws -> Value {
        switch message {
        case .data(let data): try decoder.decode(Value.self, fromReceived: data)
        case .string(let text): try decoder.decode(Value.self, fromReceived: Data(text.utf8))
        }
    }
}
