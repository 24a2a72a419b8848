internal import Glibc
internal import Synchronization

/// The limits of a run's waits for anything local: the other end of a pipe, a terminal, a lock.
///
/// The clock starts with the run, before the command line is parsed. Every wait that may block goes through ``LocalWait``.
final class WaitLimits: Sendable {
    private struct State {
        /// Seconds of `--max-time`; `nil` for no limit.
        var total: Double?
        /// Seconds of `--timeout`; `nil` for no limit.
        var idle: Double? = 60
        var handlesSignals = false
        var interruption: (status: ExitStatus, time: ContinuousClock.Instant)?
    }

    /// How long the end of a run may wait after its deadline or its signal: for the lock of a session, for a message.
    private static let grace = Duration.milliseconds(500)

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Sets the limits that the command line asks for, in seconds; `nil` for none.
    func set(total: Double?, idle: Double?) {
        state.withLock { state in
            // A longer time than a Duration can hold would be a trap.
            state.total = total.map { min($0, 1e9) }
            state.idle = idle.map { min($0, 1e9) }
        }
    }

    /// Lifts the limit of `--max-time`: each of several downloads has that time for itself.
    func liftTotal() { state.withLock { $0.total = nil } }

    /// Seconds that `--max-time` leaves; `nil` without it.
    var remaining: Double? {
        state.withLock { $0.total }.map { max(0, $0 - (ContinuousClock.now - start) / .seconds(1)) }
    }

    /// Returns a timeout, or what `--max-time` leaves if that is less.
    func shortened(_ timeout: Duration) -> Duration { remaining.map { min(timeout, .seconds($0)) } ?? timeout }

    /// - Throws: ``WaitFailure`` once the time that `--max-time` allows is over.
    func check() throws(WaitFailure) { _ = try timeLeft(since: start, isIdle: false) }

    /// Whether a wait may have to end before what it waits for: by a deadline or by a signal that does not end the process.
    var areSet: Bool { state.withLock { $0.total != nil || $0.handlesSignals } }

    /// Announces that signals are handled from now on, instead of ending the process.
    func handleSignals() { state.withLock { $0.handlesSignals = true } }

    /// Ends the waits in progress, and nearly all later ones.
    func interrupt(_ status: ExitStatus) {
        state.withLock { $0.interruption = $0.interruption ?? (status, .now) }
    }

    /// How long a wait may last from now on; `nil` for no limit.
    ///
    /// - Parameter isIdle: Whether no process is at the other end, so that `--timeout` counts.
    /// - Throws: ``WaitFailure`` if the wait must end now.
    func timeLeft(
        since begin: ContinuousClock.Instant,
        isIdle: Bool
    ) throws(WaitFailure) -> Duration? {
        let state = state.withLock { $0 }
        let now = ContinuousClock.now
        func left(until limit: ContinuousClock.Instant) -> Duration {
            (begin < limit ? limit : limit + Self.grace) - now
        }
        if let (status, time) = state.interruption, left(until: time) <= .zero { throw .interrupted(status) }
        if let total = state.total {
            let left = left(until: start + .seconds(total))
            guard left > .zero else { throw .timeout(option: "--max-time", seconds: total, isIdle: isIdle) }
            return left
        }
        guard isIdle, let idle = state.idle else { return nil }
        let left = begin + .seconds(idle) - now
        guard left > .zero else { throw .timeout(option: "--timeout", seconds: idle, isIdle: true) }
        return left
    }
}

/// Why a local wait ended without what it waited for.
enum WaitFailure: Error, Hashable, Sendable {
    /// The time that the option allows is over.
    ///
    /// - Parameter isIdle: Whether no process was at the other end.
    case timeout(option: String, seconds: Double, isIdle: Bool)
    /// A signal came, which this exit status indicates.
    case interrupted(ExitStatus)
    /// The system refused.
    case system(errno: Int32)
}
