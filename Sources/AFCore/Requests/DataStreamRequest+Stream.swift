public import AFHTTP
public import AFTransport

extension DataStreamRequest {
    /// Called with everything that happens to the response. What it throws ends the request.
    public typealias Handler<Success, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// A piece of the response, and the means to stop.
    public struct Stream<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        /// What happened.
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
        /// The latest URLRequest; `nil` where none could be made.
        public let request: URLRequest?
        /// The latest response head.
        public let response: HTTPURLResponse?
        /// Of the last attempt.
        public let metrics: TransferMetrics?
        /// The error of the transfer, of a validator, or of any of the request's handlers; `nil` if there was none.
        public let error: AFError?

        init(of request: DataStreamRequest) {
            self.request = request.request
            response = request.response
            metrics = request.metrics
            error = request.error
        }
    }

    /// Ends the request it belongs to, without keeping it alive.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request, if it is still there.
        public func cancel() { request?.cancel() }
    }
}

extension DataStreamRequest.Stream {
    /// The piece or its failure; `nil` at the end.
    public var result: Result<Success, Failure>? { if case .stream(let result) = event { result } else { nil } }

    /// The piece; `nil` where it could not be made into a value, and at the end.
    public var value: Success? { try? result?.get() }

    /// Why the piece could not be made into a value. What ended the request is in the ``completion``.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    /// How the request ended; `nil` before.
    public var completion: DataStreamRequest.Completion? {
        if case .complete(let completion) = event { completion } else { nil }
    }
}

extension DataStreamRequest.Stream where Failure == Never {
    /// The same, for those who have to be ready for failures.
    package func settingFailureType<Other: Error>(to type: Other.Type) -> DataStreamRequest.Stream<Success, Other> {
        switch event {
        case .stream(.success(let value)): DataStreamRequest.Stream(event: .stream(.success(value)), token: token)
        case .complete(let completion): DataStreamRequest.Stream(event: .complete(completion), token: token)
        }
    }
}
