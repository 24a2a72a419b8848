#if Combine
    public import AFCore
    public import Dispatch
    public import FoundationEssentials
    public import OpenCombine

    /// Publishes the chunks of a response as they arrive, then its completion, then finishes.
    ///
    /// The first demand of a subscriber starts the request, even if adding handlers does not. A subscriber without
    /// demand applies back-pressure to the server. The request ends after every subscriber has received its chunks.
    /// Each subscriber receives the chunks that arrive after its subscription; canceling a subscription cancels the
    /// request.
    public struct DataStreamPublisher<Value: Sendable>: Publisher {
        /// The published event.
        public typealias Output = DataStreamRequest.Stream<Value, AFError>
        /// The failure type: `Never`, as errors are part of the events.
        public typealias Failure = Never

        private let request: DataStreamRequest
        private let queue: DispatchQueue
        private let addHandler: @Sendable (DispatchQueue, @escaping @Sendable (Output) -> Void) -> Void

        /// Creates a publisher of the chunks, serialized by a serializer.
        ///
        /// - Parameter queue: The queue on which subscribers are called. It must not wait for the subscription.
        public init<Serializer: DataStreamSerializer>(
            _ request: DataStreamRequest,
            queue: DispatchQueue,
            serializer: Serializer
        ) where Serializer.SerializedObject == Value {
            self.init(request, queue: queue) { queue, handler in
                request.responseStream(using: serializer, on: queue) { handler($0) }
            }
        }

        /// Creates a publisher.
        ///
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

        /// Returns a publisher of values and serialization errors; the last result is the request's error, if any.
        public func result() -> AnyPublisher<Result<Value, AFError>, Never> {
            compactMap { $0.result ?? $0.completion?.error.map(Result.failure) }.eraseToAnyPublisher()
        }

        /// Returns a publisher of values that fails with the first error, the serializer's or the request's.
        public func value() -> AnyPublisher<Value, AFError> {
            // Unlike `flatMap`, it passes on demand, and a failure cancels the request.
            result().tryMap { try $0.get() }.mapError {
                $0.asAFError(or: .responseSerializationFailed(reason: .customSerializationFailed(error: $0)))
            }.eraseToAnyPublisher()
        }

        /// Connects a subscriber; called by `subscribe`.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Never {
            let subscription = StreamSubscription(subscriber, request, on: queue, addHandler: addHandler)
            subscriber.receive(subscription: subscription)
        }
    }

    /// Publishers for streams. The first demand of a subscriber starts the request.
    extension DataStreamRequest {
        /// Returns a publisher of the chunks, serialized by a serializer.
        public func publishStream<Serializer: DataStreamSerializer>(
            using serializer: Serializer,
            on queue: DispatchQueue = .main
        ) -> DataStreamPublisher<Serializer.SerializedObject> {
            DataStreamPublisher(self, queue: queue, serializer: serializer)
        }

        /// Returns a publisher of the bytes.
        public func publishData(queue: DispatchQueue = .main) -> DataStreamPublisher<Data> {
            publishStream(using: PassthroughStreamSerializer(), on: queue)
        }

        /// Returns a publisher of the text (UTF-8). Characters split across chunks are published complete.
        public func publishString(queue: DispatchQueue = .main) -> DataStreamPublisher<String> {
            DataStreamPublisher(self, queue: queue) { queue, handler in
                self.responseStreamString(on: queue) { handler($0.settingFailureType(to: AFError.self)) }
            }
        }

        /// Returns a publisher of values, one decoded from each chunk.
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
