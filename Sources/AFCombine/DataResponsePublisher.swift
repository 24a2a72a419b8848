#if Combine
    public import AFCore
    public import Dispatch
    public import FoundationEssentials
    public import OpenCombine

    /// Publishes the response of a request once, errors inside, then finishes.
    ///
    /// The first subscriber that asks for a value starts the request, also where adding handlers does not. Every subscriber gets the response; the request is sent once.
    /// Cancelling a subscription that still waits cancels the request, for all of them.
    public struct DataResponsePublisher<Value: Sendable>: Publisher {
        /// What is published.
        public typealias Output = AFDataResponse<Value>
        /// Errors are inside of what is published.
        public typealias Failure = Never

        private let request: DataRequest
        private let addHandler: @Sendable (@escaping @Sendable (AFDataResponse<Value>) -> Void) -> Void

        /// A publisher of what a serializer makes of the response.
        ///
        /// - Parameter queue: Where subscribers get it.
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

        /// Publishes the result alone.
        public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
            map(\.result).eraseToAnyPublisher()
        }

        /// Publishes the value, or fails with the error.
        public func value() -> AnyPublisher<Value, AFError> {
            setFailureType(to: AFError.self).flatMap(\.result.publisher).eraseToAnyPublisher()
        }

        /// Called by `subscribe`.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            subscriber.receive(subscription: ResponseSubscription(subscriber, request, addHandler: addHandler))
        }
    }

    extension DataResponsePublisher where Value == Data? {
        /// A publisher of the response as it came.
        public init(_ request: DataRequest, queue: DispatchQueue) {
            self.request = request
            addHandler = { handler in request.response(queue: queue, completionHandler: handler) }
        }
    }
#endif
