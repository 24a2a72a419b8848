#if Combine
    internal import OpenCombine

    /// A subscriber that moves between threads.
    ///
    /// `@unchecked` because OpenCombine's subscribers are not marked `Sendable`, although Combine calls them from any
    /// thread, one call at a time. The subscriptions here guarantee the latter.
    struct Downstream<Input: Sendable>: @unchecked Sendable {
        private let subscriber: AnySubscriber<Input, Never>

        init(_ subscriber: some Subscriber<Input, Never>) { self.subscriber = AnySubscriber(subscriber) }

        func receive(_ input: Input) -> Subscribers.Demand { subscriber.receive(input) }

        func receiveLast(_ input: Input) {
            _ = subscriber.receive(input)
            finish()
        }

        func finish() { subscriber.receive(completion: .finished) }
    }
#endif
