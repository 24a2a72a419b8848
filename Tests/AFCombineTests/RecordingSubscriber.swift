#if Combine
    import OpenCombine
    import Synchronization

    /// A subscriber that adds demand on request, and records its values.
    ///
    /// OpenCombine does not mark its subscriptions `Sendable`, though by its rules they may be called from any thread.
    final class RecordingSubscriber<Input: Sendable, Failure: Error>: Subscriber, Sendable {
        private struct State {
            nonisolated(unsafe) var subscription: (any Subscription)?
            var inputs: [Input] = []
            var completion: Subscribers.Completion<Failure>?
        }

        private let state = Mutex(State())
        private let further: Int

        /// - Parameter further: How many more values each value makes it ask for.
        init(asking further: Int = 0) { self.further = further }

        var inputs: [Input] { state.withLock(\.inputs) }
        var isFinished: Bool { state.withLock { if case .finished? = $0.completion { true } else { false } } }
        var failure: Failure? {
            state.withLock { if case .failure(let failure)? = $0.completion { failure } else { nil } }
        }

        func ask(for count: Int) { subscription?.request(.max(count)) }
        func cancel() { subscription?.cancel() }

        private var subscription: (any Subscription)? {
            state.withLock { state in
                nonisolated(unsafe) let subscription = state.subscription
                return subscription
            }
        }

        func receive(subscription: any Subscription) {
            nonisolated(unsafe) let subscription = subscription
            state.withLock { $0.subscription = subscription }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            state.withLock { $0.inputs.append(input) }
            return .max(further)
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            state.withLock { $0.completion = completion }
        }
    }
#endif
