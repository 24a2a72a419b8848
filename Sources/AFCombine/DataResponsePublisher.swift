#if Combine
    public import AFCore
    public import Dispatch
    public import FoundationEssentials
    public import OpenCombine

    /// Publishes the response of a request once, including errors, then finishes.
    ///
    /// The first demand of a subscriber starts the request, even if adding handlers does not. All subscribers receive
    /// the response of one request. Cancelling a waiting subscription cancels the request for all of them.
    public struct DataResponsePublisher<Value: Sendable>: Publisher {
        /// The published response.
        public typealias Output = AFDataResponse<Value>
        /// Never fails: errors are part of the response.
        public typealias Failure = Never

        private let request: DataRequest
        private let addHandler: @Sendable (@escaping @Sendable (AFDataResponse<Value>) -> Void) -> Void

        /// Creates a publisher of the response, serialized by a serializer.
        ///
        /// - Parameter queue: The queue on which subscribers are called.
        public init<Serializer: DataResponseSerializerProtocol>(
            _ request: DataRequest,
            queue: DispatchQueue,
            serializer: Serializer
        ) where Serializer.SerializedObject == Value {
            self.request = request
            addHandler = { handler in
                request.response(queue: queue, responseSerializer: serializer, completionHandler: handler)
            }
        }

        /// Returns a publisher of the result alone.
        public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
            map(\.result).eraseToAnyPublisher()
        }

        /// Returns a publisher of the value that fails with the error.
        public func value() -> AnyPublisher<Value, AFError> {
            setFailureType(to: AFError.self).flatMap(\.result.publisher).eraseToAnyPublisher()
        }

        /// Connects a subscriber; called by `subscribe`.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            subscriber.receive(subscription: ResponseSubscription(subscriber, request, addHandler: addHandler))
        }
    }

    extension DataResponsePublisher where Value == Data? {
        /// Creates a publisher of the response without serialization.
        public init(_ request: DataRequest, queue: DispatchQueue) {
            self.request = request
            addHandler = { handler in request.response(queue: queue, completionHandler: handler) }
        }
    }
#endif
