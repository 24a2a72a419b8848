internal import Synchronization

/// A value that is set once, for any number of waiting tasks.
///
/// Its continuations are unchecked, as checking costs every request: under the lock each one is either stored or
/// resumed.
final class Promise<Value: Sendable>: Sendable {
    private typealias Waiter = UnsafeContinuation<Value, Never>

    private enum State {
        /// The first waiter is outside of the list, which most requests do not need: two allocations a request.
        case waiting(first: Waiter?, others: [Waiter])
        case fulfilled(Value)
    }

    private let state = Mutex(State.waiting(first: nil, others: []))

    /// Sets the value; later values are ignored.
    func fulfill(_ value: Value) {
        let (first, others) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard case .waiting(let first, let others) = state else { return (nil, []) }
            state = .fulfilled(value)
            return (first, others)
        }
        first?.resume(returning: value)
        for waiter in others { waiter.resume(returning: value) }
    }

    var value: Value {
        get async {
            await withUnsafeContinuation { waiter in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .fulfilled(let value): return value
                    case .waiting(nil, _): state = .waiting(first: waiter, others: [])
                    case .waiting(let first, let others): state = .waiting(first: first, others: others + [waiter])
                    }
                    return nil
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }
}
