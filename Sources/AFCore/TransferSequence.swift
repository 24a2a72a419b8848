internal import AFTransport
internal import Synchronization

/// Controls transfers of which each starts after the one before it, such as the hops of a redirect chain, as if they
/// were one.
///
/// Calls reach the running transfer, or the next one if none is running.
struct TransferSequence: ~Copyable, Sendable {
    /// The state that the transfers are to be in.
    enum Order { case running, suspended, cancelled }

    // Not private: the compiler (6.3) crashes for noncopyable types with private stored types.
    struct State {
        /// The control of the latest transfer; `nil` while it starts.
        var control: (any TransferControl)?
        /// The number of started transfers.
        var count = 0
        var order = Order.running
        /// Whether the sink requested more while there was no control.
        var owesDrain = false
    }

    private let state = Mutex(State())

    /// The number of the latest transfer.
    var number: Int { state.withLock({ $0.count }) }

    /// Cancels a transfer, unless another one has started or is to start after it.
    func cancel(number: Int) {
        let control = state.withLock { $0.count == number ? $0.control : nil }
        control?.cancel()
    }

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { state.withLock({ $0.order }) == .cancelled }

    /// Starts the next transfer, and forwards the calls that came before it.
    func start(_ start: () -> any TransferControl) {
        let count = state.withLock { state in
            state.count += 1
            state.control = nil
            return state.count
        }
        let control = start()
        let (order, owesDrain) = state.withLock { state in
            // The transfer may have ended already and been followed by another.
            guard state.count == count else { return (Order.running, false) }
            state.control = control
            defer { state.owesDrain = false }
            return (state.order, state.owesDrain)
        }
        if owesDrain { control.drain() }
        if order != .running { forward(after: .running) }
    }

    /// Releases the last transfer.
    func end() {
        state.withLock { state in
            state.count += 1
            state.control = nil
        }
    }

    func cancel() { change(to: .cancelled) }
    func suspend() { change(to: .suspended) }
    func resume() { change(to: .running) }

    private func change(to order: Order) {
        record(order)
        forward()
    }

    /// Changes the order, which ``forward(after:)`` forwards. Cancelling is final.
    func record(_ order: Order) {
        state.withLock { if $0.order != .cancelled { $0.order = order } }
    }

    /// Forwards the order to the running transfer, and repeats until the last forwarded order is the current one: calls
    /// of several threads may overtake each other.
    ///
    /// - Parameter known: The order that the transfer follows already.
    func forward(after known: Order? = nil) {
        var known = known
        while true {
            let (order, control) = state.withLock { ($0.order, $0.control) }
            guard let control, order != known else { return }
            switch order {
            case .running: control.resume()
            case .suspended: control.suspend()
            case .cancelled: control.cancel()
            }
            known = order
        }
    }

    func drain() {
        let control = state.withLock { state in
            state.owesDrain = state.control == nil
            return state.control
        }
        control?.drain()
    }
}
