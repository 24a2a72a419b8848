public import AFHTTP
public import AFRequests
public import Dispatch
public import FoundationEssentials

extension WebSocketRequest {
    /// A closure that receives the events of a connection.
    public typealias Handler<Success: Sendable, Failure: Error> = @Sendable (_ event: Event<Success, Failure>) -> Void

    /// An event of a connection, with ways to respond.
    public struct Event<Success: Sendable, Failure: Error>: Sendable {
        /// The kinds of events.
        public enum Kind: Sendable {
            /// The connection is open. The subprotocol is the server's choice; `nil` for none.
            case connected(protocol: String?)
            /// A message, serialized.
            case receivedMessage(Success)
            /// A message that could not be serialized. The connection stays open.
            case serializerFailed(Failure)
            /// The server closed the connection, or confirmed ``WebSocketRequest/close(sending:reason:)``.
            case disconnected(closeCode: WebSocketCloseCode, reason: Data?)
            /// The last event.
            case completed(Completion)
        }

        /// The kind of event.
        public let kind: Kind
        weak let socket: WebSocketRequest?

        /// The message; `nil` for other events.
        public var message: Success? { if case .receivedMessage(let message) = kind { message } else { nil } }

        /// Closes the connection; see ``WebSocketRequest/close(sending:reason:)``.
        public func close(sending closeCode: WebSocketCloseCode, reason: Data? = nil) {
            socket?.close(sending: closeCode, reason: reason)
        }

        /// Cancels the request immediately, without a Close frame.
        public func cancel() { socket?.cancel() }

        /// Sends a ping; see ``WebSocketRequest/sendPing(respondingOn:onResponse:)``.
        public func sendPing(
            respondingOn queue: DispatchQueue = .main,
            onResponse: @escaping @Sendable (PingResponse) -> Void
        ) {
            guard let socket else { return queue.async { onResponse(.unsent) } }
            socket.sendPing(respondingOn: queue, onResponse: onResponse)
        }
    }

    /// The completion of a request.
    public struct Completion: Sendable {
        /// The last URLRequest; `nil` if none could be created.
        public let request: URLRequest?
        /// The last response header.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: TransferMetrics?
        /// The error; `nil` if the connection was closed by a Close frame, with any code.
        public let error: AFError?

        init(of request: WebSocketRequest) {
            self.request = request.request
            response = request.response
            metrics = request.metrics
            error = request.error
        }
    }

    /// A closure that receives an event, and calls `release` when it no longer applies back-pressure.
    typealias PacedHandler<Success: Sendable, Failure: Error> =
        @Sendable (
            _ event: Event<Success, Failure>, _ release: @escaping @Sendable () -> Void
        ) -> Void

    /// A consumer of the events of a connection.
    struct Consumer: Sendable {
        let receive: PacedHandler<WebSocketMessage, Never>
    }
}

extension WebSocketRequest.Event where Success == WebSocketMessage, Failure == Never {
    func converted<Value: Sendable, ConversionError: Error>(
        by convert: (WebSocketMessage) -> Result<Value, ConversionError>
    ) -> WebSocketRequest.Event<Value, ConversionError> {
        let converted: WebSocketRequest.Event<Value, ConversionError>.Kind =
            switch kind {
            case .connected(let subprotocol): .connected(protocol: subprotocol)
            case .disconnected(let code, let reason): .disconnected(closeCode: code, reason: reason)
            case .completed(let completion): .completed(completion)
            case .receivedMessage(let message):
                switch convert(message) {
                case .success(let value): .receivedMessage(value)
                case .failure(let error): .serializerFailed(error)
                }
            }
        return WebSocketRequest.Event(kind: converted, socket: socket)
    }
}
