/// The control of transfers of which each starts after the one before it, such as the hops of a redirect chain: they are
/// controlled as if they were one.
///
/// A value without locks. The calls are performed without a lock, one at a time: they reach a transfer in the order of the
/// states, even if threads overtake each other.
package struct ChainControl {
    package enum State { case running, suspended, canceled }

    /// A call of a transfer's control.
    package struct Call: Sendable {
        package enum Method { case resume, suspend, cancel, drain }

        package let method: Method
        fileprivate let control: any TransferControl

        /// Performs the call and those that follow it, which must be done without locks.
        ///
        /// - Parameter next: Returns the result of ``callAfterLast()``.
        package func perform(then next: () -> Call?) {
            var call = Optional(self)
            while let current = call {
                current.perform()
                call = next()
            }
        }

        private func perform() {
            switch method {
            case .resume: control.resume()
            case .suspend: control.suspend()
            case .cancel: control.cancel()
            case .drain: control.drain()
            }
        }
    }

    /// The state that was last asked for; `nil` before the first time.
    package private(set) var desired: State?
    /// The number of the latest transfer.
    package private(set) var number = 0
    /// The control of the latest transfer; `nil` while it starts, and after the last one.
    private var control: (any TransferControl)?
    /// The state of the latest transfer. It starts in the running state.
    private var applied = State.running
    /// Whether a call is being performed.
    private var isCalling = false
    /// Whether ``drain()`` was called while there was no control.
    private var hasPendingDrain = false

    package init(desired: State? = nil) { self.desired = desired }

    /// Changes the desired state; canceling is final.
    ///
    /// - Returns: Whether it has changed.
    package mutating func set(_ state: State) -> Bool {
        guard desired != .canceled, desired != state else { return false }
        desired = state
        return true
    }

    /// Begins the next transfer; returns its number for ``register(_:as:)``.
    package mutating func begin() -> Int {
        number += 1
        (control, applied) = (nil, .running)
        return number
    }

    /// Records the control of a transfer that was started, unless it has ended by now and was followed by another.
    ///
    /// - Returns: The first call.
    package mutating func register(_ control: any TransferControl, as number: Int) -> Call? {
        guard number == self.number else { return nil }
        self.control = control
        return nextCall()
    }

    /// Returns the next call that brings the transfer to the desired state; `nil` if it is there, or if a call is being
    /// performed, after which the next one follows.
    package mutating func nextCall() -> Call? {
        guard !isCalling, let control, let method = nextMethod() else { return nil }
        isCalling = true
        return Call(method: method, control: control)
    }

    /// Returns the next call after one was performed.
    package mutating func callAfterLast() -> Call? {
        isCalling = false
        return nextCall()
    }

    private mutating func nextMethod() -> Call.Method? {
        if hasPendingDrain {
            hasPendingDrain = false
            return .drain
        }
        guard let desired, desired != applied else { return nil }
        applied = desired
        return switch desired {
        case .running: .resume
        case .suspended: .suspend
        case .canceled: .cancel
        }
    }

    /// Releases the last transfer.
    package mutating func end() {
        number += 1
        control = nil
    }

    /// Returns the control of a transfer; `nil` if it is not the latest one, or still starting.
    package func control(of number: Int) -> (any TransferControl)? { number == self.number ? control : nil }

    /// Returns the control to drain; `nil` if that must wait for the next transfer.
    package mutating func drain() -> (any TransferControl)? {
        hasPendingDrain = control == nil
        return control
    }
}
