internal import Synchronization

/// A value that comes later, once, for any number of waiters.
///
/// Its continuations are unchecked, as a check costs every request: under the lock each is either kept or answered.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case waiting([UnsafeContinuation<Value, Never>])
        case fulfilled(Value)
    }

    private let state = Mutex(State.waiting([]))

    /// Only the first value counts.
    func fulfil(_ value: Value) {
        let waiters = state.withLock { state -> [UnsafeContinuation<Value, Never>] in
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
                    case .waiting(let waiters):
                        state = .waiting(waiters + [waiter])
                        return nil
                    }
                }
                if let value { waiter.resume(returning: value) }
            }
        }
    }
}
