public import AFHTTP
public import AFTransport

extension DataStreamRequest {
    /// A closure that receives the events of a stream. An error that it throws ends the request.
    public typealias Handler<Success, Failure: Error> = @Sendable (Stream<Success, Failure>) throws -> Void

    /// An event of a stream, with a way to cancel.
    public struct Stream<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        /// The event.
        public let event: Event<Success, Failure>
        /// A token for canceling later.
        public let token: CancellationToken

        /// Cancels the request.
        public func cancel() { token.cancel() }
    }

    /// The events of a stream.
    public enum Event<Success, Failure: Error>: Sendable where Success: Sendable, Failure: Sendable {
        /// A chunk of the body, or the error of serializing it.
        case stream(Result<Success, Failure>)
        /// The last event.
        case complete(Completion)
    }

    /// The completion of a stream.
    public struct Completion: Sendable {
        /// The last URLRequest; `nil` if none could be created.
        public let request: URLRequest?
        /// The last response header.
        public let response: HTTPURLResponse?
        /// The metrics of the last attempt.
        public let metrics: TransferMetrics?
        /// The error of the transfer, a validator or a handler; `nil` if the stream succeeded.
        public let error: AFError?
        /// The trailer fields, received after the body (RFC 9110 §6.5).
        public var trailers: HTTPHeaders { metrics?.trailers ?? HTTPHeaders() }

        init(of request: DataStreamRequest) {
            self.request = request.request
            response = request.response
            metrics = request.metrics
            error = request.error
        }
    }

    /// Cancels a request without retaining it.
    public struct CancellationToken: Sendable {
        weak let request: DataStreamRequest?

        /// Cancels the request, if it still exists.
        public func cancel() { request?.cancel() }
    }
}

extension DataStreamRequest.Stream {
    /// The chunk or its error; `nil` at the end.
    public var result: Result<Success, Failure>? { if case .stream(let result) = event { result } else { nil } }

    /// The value; `nil` if the chunk could not be serialized, and at the end.
    public var value: Success? { try? result?.get() }

    /// The error of serializing the chunk. The ``completion`` has the request's error.
    public var error: Failure? { if case .failure(let error) = result { error } else { nil } }

    /// The completion; `nil` before the end.
    public var completion: DataStreamRequest.Completion? {
        if case .complete(let completion) = event { completion } else { nil }
    }
}

extension DataStreamRequest.Stream where Failure == Never {
    /// Returns the stream with another failure type, for code that handles failures.
    package func settingFailureType<Other: Error>(to type: Other.Type) -> DataStreamRequest.Stream<Success, Other> {
        switch event {
        case .stream(.success(let value)): DataStreamRequest.Stream(event: .stream(.success(value)), token: token)
        case .complete(let completion): DataStreamRequest.Stream(event: .complete(completion), token: token)
        }
    }
}
