#if Combine
    internal import OpenCombine
    internal import Synchronization

    /// One subscriber's wait for one response.
    final class ResponseSubscription<Response: Sendable>: Subscription, Sendable {
        private struct Contents {
            /// Gone once the wait is over.
            var subscriber: Downstream<Response>?
            var hasStarted = false
        }

        private let contents: Mutex<Contents>
        private let start: @Sendable (@escaping @Sendable (Response) -> Void) -> Void
        private let stop: @Sendable () -> Void

        /// - Parameters:
        ///   - start: Adds a handler to the request, and so starts it.
        ///   - stop: Cancels the request.
        init(
            _ subscriber: some Subscriber<Response, Never>,
            start: @escaping @Sendable (@escaping @Sendable (Response) -> Void) -> Void,
            stop: @escaping @Sendable () -> Void
        ) {
            contents = Mutex(Contents(subscriber: Downstream(subscriber)))
            self.start = start
            self.stop = stop
        }

        /// There is one response to be had: the first demand is enough, and no demand starts nothing.
        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            let isFirst = contents.withLock { contents in
                defer { contents.hasStarted = true }
                return !contents.hasStarted && contents.subscriber != nil
            }
            if isFirst { start(deliver) }
        }

        /// Cancels the request, unless its response has been delivered.
        func cancel() {
            if contents.withLock({ $0.subscriber.take() }) != nil { stop() }
        }

        @Sendable private func deliver(_ response: Response) {
            contents.withLock({ $0.subscriber.take() })?.receiveLast(response)
        }
    }
#endif
