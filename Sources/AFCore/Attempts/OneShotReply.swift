internal import Synchronization

/// A one-shot reply that uses its default value if it is dropped without a decision.
final class OneShotReply<Value: Sendable>: Sendable {
    private let decide: Mutex<(@Sendable (Value) -> Void)?>
    private let standing: Value

    /// Creates a reply.
    ///
    /// - Parameter standing: The default value.
    init(unlessGiven standing: Value, _ decide: @escaping @Sendable (Value) -> Void) {
        self.standing = standing
        self.decide = Mutex(decide)
    }

    deinit { give(standing) }

    func give(_ value: Value) { decide.withLock({ $0.take() })?(value) }
}
