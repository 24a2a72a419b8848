internal import AFFormatting
internal import Glibc
internal import Synchronization

/// The limits on a run's waits for local events: the other end of a pipe, a terminal, a lock.
///
/// The clock starts with the run, before the command line is parsed, or with ``restart()``. Every wait that may block uses ``LocalWait``.
final class WaitLimits: Sendable {
    private struct State {
        var start = ContinuousClock.now
        /// The seconds of `--max-time`; `nil` for no limit.
        var total: Double?
        /// The seconds of `--timeout`; `nil` for no limit.
        var idle: Double? = 60
        var handlesSignals = false
        var interruption: (status: ExitStatus, time: ContinuousClock.Instant)?
        /// The first wait for standard input.
        var inputStart: ContinuousClock.Instant?
        /// The handler of a silent standard input; `nil` after its call, or after the first byte.
        var onSilentInput: (@Sendable () -> Void)?
    }

    /// The time without a byte after which standard input is reported as silent.
    private static let inputTimeout = Duration.seconds(5)

    /// The maximum wait at the end of a run after its deadline or signal: for the lock of a session, for a message.
    private static let grace = Duration.milliseconds(500)

    private let state = Mutex(State())

    /// Starts the clock again, for the next transfer of several, each of which has the complete time.
    func restart() { state.withLock { $0.start = .now } }

    /// Returns limits whose clock starts now, for a request of several.
    func copy(total: Double?) -> WaitLimits {
        let (idle, handlesSignals) = state.withLock { ($0.idle, $0.handlesSignals) }
        let copy = WaitLimits()
        copy.set(total: total, idle: idle)
        if handlesSignals { copy.handleSignals() }
        return copy
    }

    /// Sets the limits of the command line in seconds; `nil` for none.
    func set(total: Double?, idle: Double?) {
        state.withLock { state in
            // A larger value would overflow a Duration.
            state.total = total.map { min($0, 1e9) }
            state.idle = idle.map { min($0, 1e9) }
        }
    }

    /// Removes the limit of `--max-time`, which applies to each download of a batch separately.
    func removeTotal() { state.withLock { $0.total = nil } }

    /// The remaining seconds of `--max-time`; `nil` without it.
    var remaining: Double? {
        state.withLock { state in
            state.total.map { max(0, $0 - (ContinuousClock.now - state.start) / .seconds(1)) }
        }
    }

    /// Returns the timeout, or the remaining time of `--max-time` if that is shorter.
    func limited(_ timeout: Duration) -> Duration { remaining.map { min(timeout, .seconds($0)) } ?? timeout }

    /// Checks the limit of `--max-time`.
    ///
    /// - Throws: ``WaitFailure`` if it has expired.
    func check() throws(WaitFailure) { _ = try timeLeft(since: state.withLock(\.start), isIdle: false) }

    /// Whether a wait may have to end early: by a deadline, or by a signal that does not end the process.
    var mayInterruptWaits: Bool { state.withLock { $0.total != nil || $0.handlesSignals } }

    /// Declares that signals are handled from now on, instead of ending the process.
    func handleSignals() { state.withLock { $0.handlesSignals = true } }

    /// Whether signals are handled, so that they end waits.
    var handlesSignals: Bool { state.withLock(\.handlesSignals) }

    /// Ends the waits in progress, and nearly all later ones.
    func interrupt(_ status: ExitStatus) {
        state.withLock { $0.interruption = $0.interruption ?? (status, .now) }
    }

    /// Sets a handler that is called once if standard input is read but silent for too long.
    func onSilentInput(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.onSilentInput = handler } }

    /// Must be called repeatedly while a read of standard input waits.
    func recordInputWait() {
        let handler = state.withLock { state -> (@Sendable () -> Void)? in
            let start = state.inputStart ?? .now
            state.inputStart = start
            return .now - start < Self.inputTimeout ? nil : state.onSilentInput.take()
        }
        handler?()
    }

    /// Must be called for the first byte of standard input: later pauses are its producer's.
    func recordInput() { state.withLock { $0.onSilentInput = nil } }

    /// Returns the maximum duration of a wait; `nil` for no limit.
    ///
    /// - Parameter isIdle: Whether no process is at the other end, so that `--timeout` applies.
    /// - Throws: ``WaitFailure`` if the wait must end now.
    func timeLeft(since begin: ContinuousClock.Instant, isIdle: Bool) throws(WaitFailure) -> Duration? {
        let state = state.withLock { $0 }
        let now = ContinuousClock.now
        func left(until limit: ContinuousClock.Instant) -> Duration {
            (begin < limit ? limit : limit + Self.grace) - now
        }
        if let (status, time) = state.interruption, Safety.refuses("27-signals", left(until: time) <= .zero) {
            throw .interrupted(status: status.code)
        }
        if let total = state.total {
            let left = left(until: state.start + .seconds(total))
            guard left > .zero else { throw .timeout(option: "--max-time", seconds: total, isIdle: isIdle) }
            return left
        }
        guard Safety.refuses("27-idle", isIdle), let idle = state.idle else { return nil }
        let left = begin + .seconds(idle) - now
        guard left > .zero else { throw .timeout(option: "--timeout", seconds: idle, isIdle: true) }
        return left
    }
}
