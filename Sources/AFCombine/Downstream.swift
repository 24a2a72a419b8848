#if Combine
    internal import OpenCombine

    /// A subscriber on its way between threads.
    ///
    /// `@unchecked` because OpenCombine's subscribers are not marked `Sendable`, though the rules of Combine have them called
    /// from any thread, by one caller at a time: whoever calls this sees to that.
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
