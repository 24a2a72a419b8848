#if Combine
    internal import AFCore
    internal import OpenCombine
    internal import Synchronization

    /// One subscriber's subscription to a response.
    final class ResponseSubscription<Response: Sendable>: Subscription, Sendable {
        private struct State {
            /// `nil` after the response or a cancellation.
            var subscriber: Downstream<Response>?
            var hasStarted = false
        }

        private let state: Mutex<State>
        private let request: Request
        private let addHandler: @Sendable (@escaping @Sendable (Response) -> Void) -> Void

        /// Creates a subscription.
        ///
        /// - Parameter addHandler: Adds a handler to the request.
        init(
            _ subscriber: some Subscriber<Response, Never>,
            _ request: Request,
            addHandler: @escaping @Sendable (@escaping @Sendable (Response) -> Void) -> Void
        ) {
            state = Mutex(State(subscriber: Downstream(subscriber)))
            self.request = request
            self.addHandler = addHandler
        }

        /// Starts the request at the first demand: there is one response to deliver.
        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            let isFirst = state.withLock { state in
                defer { state.hasStarted = true }
                return !state.hasStarted && state.subscriber != nil
            }
            guard isFirst else { return }
            addHandler(deliver)
            request.resume()
        }

        /// Cancels the request, unless its response has been delivered.
        func cancel() {
            if state.withLock({ $0.subscriber.take() }) != nil { request.cancel() }
        }

        @Sendable private func deliver(_ response: Response) {
            state.withLock({ $0.subscriber.take() })?.receiveLast(response)
        }
    }
#endif
