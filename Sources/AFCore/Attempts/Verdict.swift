internal import Synchronization

/// What somebody is asked to say: it counts once, and stands for itself where whoever was asked dropped the question.
final class Verdict<Value: Sendable>: Sendable {
    private let decide: Mutex<(@Sendable (Value) -> Void)?>
    private let standing: Value

    /// - Parameter standing: What counts where nobody ever says anything.
    init(unlessGiven standing: Value, _ decide: @escaping @Sendable (Value) -> Void) {
        self.standing = standing
        self.decide = Mutex(decide)
    }

    deinit { give(standing) }

    func give(_ value: Value) { decide.withLock({ $0.take() })?(value) }
}
