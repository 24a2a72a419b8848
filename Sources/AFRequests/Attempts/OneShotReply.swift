internal import Synchronization

/// A one-shot reply that uses its default value if it is dropped without a decision.
final class OneShotReply<Value: Sendable>: Sendable {
    private let decide: Mutex<(@Sendable (Value) -> Void)?>
    private let defaultValue: Value

    /// Creates a reply.
    ///
    /// - Parameter defaultValue: The value if the reply is dropped.
    init(defaultValue: Value, _ decide: @escaping @Sendable (Value) -> Void) {
        self.defaultValue = defaultValue
        self.decide = Mutex(decide)
    }

    deinit { send(defaultValue) }

    /// Passes on a value. Later values are ignored.
    func send(_ value: Value) { decide.withLock({ $0.take() })?(value) }
}
