public import AFRequests
public import Dispatch
public import FoundationEssentials

extension WebSocketRequest {
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
