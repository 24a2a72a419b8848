#if Combine
    public import AFCore
    public import Dispatch
    public import FoundationEssentials
    public import OpenCombine

    /// Publishes the pieces of a response as they come, and how it ended as the last one, then finishes.
    ///
    /// The first subscriber that asks for a value starts the request, also where adding handlers does not, and a
    /// subscriber that asks for no more holds the server back. The request ends after every subscriber has taken its chunks.
    /// Each subscriber gets every piece that comes after it has subscribed; cancelling a subscription cancels the request.
    public struct DataStreamPublisher<Value: Sendable>: Publisher {
        /// What is published.
        public typealias Output = DataStreamRequest.Stream<Value, AFError>
        /// Errors are inside of what is published.
        public typealias Failure = Never

        private let request: DataStreamRequest
        private let queue: DispatchQueue
        private let addHandler: @Sendable (DispatchQueue, @escaping @Sendable (Output) -> Void) -> Void

        /// A publisher of what a serializer makes of the pieces.
        ///
        /// - Parameter queue: Where subscribers get them. It must not wait for the subscription.
        public init<Serializer: DataStreamSerializer>(
            _ request: DataStreamRequest,
            queue: DispatchQueue,
            serializer: Serializer
        ) where Serializer.SerializedObject == Value {
            self.init(request, queue: queue) { queue, handler in
                request.responseStream(using: serializer, on: queue) { handler($0) }
            }
        }

        /// - Parameter addHandler: Adds a handler on a queue to the request.
        init(
            _ request: DataStreamRequest,
            queue: DispatchQueue,
            addHandler: @escaping @Sendable (DispatchQueue, @escaping @Sendable (Output) -> Void) -> Void
        ) {
            self.request = request
            self.queue = queue
            self.addHandler = addHandler
        }

        /// Publishes values and the errors of making them; last the request's error, if it ended with one.
        public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
            compactMap { $0.result ?? $0.completion?.error.map(Result.failure) }.eraseToAnyPublisher()
        }

        /// Publishes values, and fails with the first error of making one, or with the request's.
        public func value() -> AnyPublisher<Value, AFError> {
            result().setFailureType(to: AFError.self).flatMap(\.publisher).eraseToAnyPublisher()
        }

        /// Called by `subscribe`.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            let subscription = StreamSubscription(subscriber, request, on: queue, addHandler: addHandler)
            subscriber.receive(subscription: subscription)
        }
    }

    /// The published face of streams. The first subscriber that asks for a value starts the request.
    extension DataStreamRequest {
        /// Publishes what a serializer makes of the pieces.
        public func publishStream<Serializer: DataStreamSerializer>(
            using serializer: Serializer,
            on queue: DispatchQueue = .main
        ) -> DataStreamPublisher<Serializer.SerializedObject> {
            DataStreamPublisher(self, queue: queue, serializer: serializer)
        }

        /// Publishes the bytes.
        public func publishData(queue: DispatchQueue = .main) -> DataStreamPublisher<Data> {
            publishStream(using: PassthroughStreamSerializer(), on: queue)
        }

        /// Publishes the bytes as text (UTF-8). A character that the network cut in two comes whole.
        public func publishString(queue: DispatchQueue = .main) -> DataStreamPublisher<String> {
            DataStreamPublisher(self, queue: queue) { queue, handler in
                self.responseStreamString(on: queue) { handler($0.settingFailureType(to: AFError.self)) }
            }
        }

        /// Publishes a value decoded from each piece.
        public func publishDecodable<Value: Decodable & Sendable>(
            type: Value.Type = Value.self,
            queue: DispatchQueue = .main,
            decoder: any DataDecoder = JSONDecoder(),
            preprocessor: any DataPreprocessor = PassthroughPreprocessor()
        ) -> DataStreamPublisher<Value> {
            publishStream(
                using: DecodableStreamSerializer(decoder: decoder, dataPreprocessor: preprocessor), on: queue)
        }
    }
#endif
