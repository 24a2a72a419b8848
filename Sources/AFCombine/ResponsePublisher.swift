#if Combine
    public import AFCore
    public import Dispatch
    public import FoundationEssentials
    public import OpenCombine

    /// Publishes the response of a request once, including errors, then finishes.
    ///
    /// The first demand of a subscriber starts the request, even if adding handlers does not. All subscribers receive
    /// the response of one request. Canceling a waiting subscription cancels the request for all of them.
    public struct ResponsePublisher<Response: SerializedResponse>: Publisher where Response.Failure == AFError {
        /// The published response.
        public typealias Output = Response
        /// Never fails: errors are part of the response.
        public typealias Failure = Never

        private let request: Request
        private let addHandler: @Sendable (@escaping @Sendable (Response) -> Void) -> Void

        /// Returns a publisher of the result alone.
        public func result() -> AnyPublisher<Result<Response.Success, AFError>, Never> {
            map(\.result).eraseToAnyPublisher()
        }

        /// Returns a publisher of the value that fails with the error.
        public func value() -> AnyPublisher<Response.Success, AFError> {
            // Unlike `flatMap`, it passes on demand.
            tryMap { try $0.result.get() }.mapError {
                $0.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: $0)))
            }.eraseToAnyPublisher()
        }

        /// Connects a subscriber; called by `subscribe`.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Response, Downstream.Failure == Never {
            subscriber.receive(subscription: ResponseSubscription(subscriber, request, addHandler: addHandler))
        }
    }

    /// Publishes the response of a data request or an upload.
    public typealias DataResponsePublisher<Value: Sendable> = ResponsePublisher<AFDataResponse<Value>>

    /// Publishes the response of a download.
    public typealias DownloadResponsePublisher<Value: Sendable> = ResponsePublisher<AFDownloadResponse<Value>>

    extension ResponsePublisher {
        /// Creates a publisher of the response, serialized by a serializer.
        ///
        /// - Parameter queue: The queue on which subscribers are called.
        public init<Serializer: DataResponseSerializerProtocol>(
            _ request: DataRequest,
            queue: DispatchQueue,
            serializer: Serializer
        ) where Response == AFDataResponse<Serializer.SerializedObject> {
            self.request = request
            addHandler = { handler in
                request.response(queue: queue, responseSerializer: serializer, completionHandler: handler)
            }
        }

        /// Creates a publisher of the response without serialization.
        ///
        /// - Parameter queue: The queue on which subscribers are called.
        public init(_ request: DataRequest, queue: DispatchQueue) where Response == AFDataResponse<Data?> {
            self.request = request
            addHandler = { handler in request.response(queue: queue, completionHandler: handler) }
        }

        /// Creates a publisher of the downloaded file, serialized by a serializer.
        ///
        /// - Parameter queue: The queue on which subscribers are called.
        public init<Serializer: DownloadResponseSerializerProtocol>(
            _ request: DownloadRequest,
            queue: DispatchQueue,
            serializer: Serializer
        ) where Response == AFDownloadResponse<Serializer.SerializedObject> {
            self.request = request
            addHandler = { handler in
                request.response(queue: queue, responseSerializer: serializer, completionHandler: handler)
            }
        }

        /// Creates a publisher of the response with the file's URL, without serialization.
        ///
        /// - Parameter queue: The queue on which subscribers are called.
        public init(_ request: DownloadRequest, queue: DispatchQueue) where Response == AFDownloadResponse<URL?> {
            self.request = request
            addHandler = { handler in request.response(queue: queue, completionHandler: handler) }
        }
    }
#endif
