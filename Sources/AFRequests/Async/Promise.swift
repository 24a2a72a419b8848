internal import Synchronization

/// A value that is set once, for any number of waiting tasks.
///
/// Its continuations are unchecked, as checking costs every request: under the lock each one is either stored or
/// resumed.
final class Promise<Value: Sendable>: Sendable {
    private typealias Waiter = UnsafeContinuation<Value, Never>

    private enum State {
        case waiting([Waiter])
        case fulfilled(Value)
    }

    private let state = Mutex(State.waiting([]))

    /// Sets the value; later values are ignored.
    func fulfill(_ value: Value) {
        let waiters = state.withLock { state -> [Waiter] in
            guard case .waiting(let waiters) = state else { return [] }
            state = .fulfilled(value)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    var value: Value {
        get async {
            await withUnsafeContinuation { waiter in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .fulfilled(let value): return value
                    case .waiting(let waiters): state = .waiting(waiters + [waiter])
                    }
                    return nil
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }
}
