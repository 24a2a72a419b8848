package import AFTransport
internal import Synchronization

/// Controls transfers of which each starts after the one before it, such as the hops of a redirect chain, as if they
/// were one.
///
/// Calls reach the running transfer, or the next one if none is running.
package struct TransferSequence: ~Copyable, Sendable {
    /// The state that the caller last asked for.
    enum DesiredState { case running, suspended, cancelled }

    // Not private: the compiler (6.3) crashes for noncopyable types with private stored types.
    struct State {
        /// The control of the latest transfer; `nil` while it starts.
        var control: (any TransferControl)?
        /// The number of started transfers.
        var count = 0
        var desired = DesiredState.running
        /// Whether ``drain()`` was called while there was no control.
        var hasPendingDrain = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The number of the latest transfer.
    var number: Int { state.withLock({ $0.count }) }

    /// Cancels a transfer, unless another one has started or is to start after it.
    func cancel(number: Int) {
        let control = state.withLock { $0.count == number ? $0.control : nil }
        control?.cancel()
    }

    /// Cancels a transfer after a number of seconds, unless it has ended; returns `false` if the transport cannot, or
    /// the transfer is still starting.
    func cancel(number: Int, after seconds: Double) -> Bool {
        let control = state.withLock { $0.count == number ? $0.control : nil }
        return control?.cancel(after: seconds) ?? false
    }

    /// Whether ``cancel()`` was called.
    package var isCancelled: Bool { state.withLock({ $0.desired }) == .cancelled }

    /// Starts the next transfer, and forwards the calls that came before it.
    package func start(_ start: () -> any TransferControl) {
        let count = state.withLock { state in
            state.count += 1
            state.control = nil
            return state.count
        }
        let control = start()
        let (desired, hasPendingDrain) = state.withLock { state in
            // The transfer may have ended already and been followed by another.
            guard state.count == count else { return (DesiredState.running, false) }
            state.control = control
            defer { state.hasPendingDrain = false }
            return (state.desired, state.hasPendingDrain)
        }
        if hasPendingDrain { control.drain() }
        if desired != .running { forward(after: .running) }
    }

    /// Releases the last transfer.
    func end() {
        state.withLock { state in
            state.count += 1
            state.control = nil
        }
    }

    package func cancel() { change(to: .cancelled) }
    package func suspend() { change(to: .suspended) }
    package func resume() { change(to: .running) }

    private func change(to desired: DesiredState) {
        setDesired(desired)
        forward()
    }

    /// Changes the desired state without forwarding it. Canceling is final.
    func setDesired(_ desired: DesiredState) {
        state.withLock { if $0.desired != .cancelled { $0.desired = desired } }
    }

    /// Forwards the desired state to the running transfer, and repeats until the last forwarded state is the current
    /// one: calls of several threads may overtake each other.
    ///
    /// - Parameter known: The state that the transfer is in already.
    func forward(after known: DesiredState? = nil) {
        var known = known
        while true {
            let (desired, control) = state.withLock { ($0.desired, $0.control) }
            guard let control, desired != known else { return }
            switch desired {
            case .running: control.resume()
            case .suspended: control.suspend()
            case .cancelled: control.cancel()
            }
            known = desired
        }
    }

    package func drain() {
        let control = state.withLock { state in
            state.hasPendingDrain = state.control == nil
            return state.control
        }
        control?.drain()
    }
}
