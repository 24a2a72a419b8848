#if Combine
    internal import AFCore
    internal import Dispatch
    internal import OpenCombine
    internal import Synchronization

    /// One subscriber's subscription to a stream; applies back-pressure while there is no demand.
    final class StreamSubscription<Value: Sendable>: Subscription, Sendable {
        typealias Element = DataStreamRequest.Stream<Value, AFError>

        private struct State {
            /// `nil` after the end of the stream or a cancellation.
            var subscriber: Downstream<Element>?
            var demand = Subscribers.Demand.none
            var hasStarted = false
            /// Whether an element waits for demand.
            var isWaiting = false
        }

        private let state: Mutex<State>
        private let request: DataStreamRequest
        private let queue: DispatchQueue
        private let addHandler: @Sendable (DispatchQueue, @escaping @Sendable (Element) -> Void) -> Void
        /// The queue on which elements, and so the request, wait for demand.
        private let waitingQueue = DispatchQueue(label: "org.afcli.streamSubscription")
        private let hasDemand = DispatchSemaphore(value: 0)

        /// Creates a subscription.
        ///
        /// - Parameters:
        ///   - queue: The queue on which the subscriber is called.
        ///   - addHandler: Adds a handler on a queue to the request.
        init(
            _ subscriber: some Subscriber<Element, Never>,
            _ request: DataStreamRequest,
            on queue: DispatchQueue,
            addHandler: @escaping @Sendable (DispatchQueue, @escaping @Sendable (Element) -> Void) -> Void
        ) {
            state = Mutex(State(subscriber: Downstream(subscriber)))
            self.request = request
            self.queue = queue
            self.addHandler = addHandler
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            let (isFirst, wakes) = state.withLock { state in
                state.demand += demand
                defer { (state.hasStarted, state.isWaiting) = (true, false) }
                return (!state.hasStarted && state.subscriber != nil, state.isWaiting)
            }
            if wakes { hasDemand.signal() }
            guard isFirst else { return }
            addHandler(waitingQueue, deliver)
            request.resume()
        }

        /// Cancels the request, unless the stream has ended.
        func cancel() {
            let (hadSubscriber, wakes) = state.withLock { state in
                defer { state.isWaiting = false }
                return (state.subscriber.take() != nil, state.isWaiting)
            }
            if hadSubscriber { request.cancel() }
            if wakes { hasDemand.signal() }
        }

        @Sendable private func deliver(_ element: Element) {
            guard let subscriber = subscriberWithDemand() else { return }
            // Synchronous, so that the next element sees the demand that this one creates.
            queue.sync {
                let further = subscriber.receive(element)
                request(further)
                guard case .complete = element.event else { return }
                if state.withLock({ $0.subscriber.take() }) != nil { subscriber.finish() }
            }
        }

        /// Waits until the subscriber has demand and returns it; `nil` after a cancellation.
        private func subscriberWithDemand() -> Downstream<Element>? {
            while true {
                let (subscriber, waits) = state.withLock { state -> (Downstream<Element>?, Bool) in
                    guard let subscriber = state.subscriber else { return (nil, false) }
                    guard state.demand > .none else {
                        state.isWaiting = true
                        return (nil, true)
                    }
                    state.demand -= 1
                    return (subscriber, false)
                }
                guard waits else { return subscriber }
                hasDemand.wait()
            }
        }
    }
#endif
