internal import Synchronization

/// A value that is set once, for any number of waiting tasks.
///
/// `@unchecked`: the value is set before the gate opens, and read after that.
final class Promise<Value: Sendable>: Gate, @unchecked Sendable {
    private var result: Value?

    /// Sets the value; later values are ignored.
    func fulfill(_ value: Value) { open { result = value } }

    var value: Value {
        get async {
            await wait()
            // The gate opens with a value.
            return result.unsafelyUnwrapped
        }
    }
}

/// A gate that opens once, for any number of waiting tasks.
///
/// Not generic: the code of another module, in which a value's type is known, would call it unspecialized, and look up the
/// metadata of its mutex, its state and its continuations.
///
/// `@unchecked` because it is subclassed; its own state is in a `Mutex`.
class Gate: @unchecked Sendable {
    private typealias Waiter = UnsafeContinuation<Void, Never>

    private struct State {
        var isOpen = false
        /// The first waiter is outside of the list, which most requests do not need: two allocations a request.
        var first: Waiter?
        var others: [Waiter] = []
    }

    /// The continuations are unchecked, as checking costs every request: under the lock each one is either stored or resumed.
    private let state = Mutex(State())

    /// Opens the gate, unless it is open.
    ///
    /// - Parameter prepare: Called before, with the lock held.
    final func open(_ prepare: () -> Void) {
        let (first, others) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard !state.isOpen else { return (nil, []) }
            prepare()
            defer { state = State(isOpen: true) }
            return (state.first, state.others)
        }
        first?.resume()
        for waiter in others { waiter.resume() }
    }

    /// Returns when the gate is open.
    final func wait() async {
        await withUnsafeContinuation { waiter in
            let isOpen = state.withLock { state in
                if state.isOpen { return true }
                if state.first == nil { state.first = waiter } else { state.others.append(waiter) }
                return false
            }
            if isOpen { waiter.resume() }
        }
    }
}
