internal import Dispatch
internal import Synchronization

/// Calls a progress closure with the latest state, at most fifty times a second, and never concurrently.
final class ProgressLimiter: Sendable {
    private struct State {
        /// The state that was not reported yet.
        var pending: TransferProgress?
        /// Whether a call is scheduled that reports it.
        var isScheduled = false
        var lastCall = ContinuousClock.now - interval
    }

    /// Waking another thread for each chunk of a fast body takes longer than the chunk.
    private static let interval = Duration.milliseconds(20)

    let queue: DispatchQueue
    let closure: @Sendable (TransferProgress) -> Void
    private let state = Mutex(State())

    init(queue: DispatchQueue, closure: @escaping @Sendable (TransferProgress) -> Void) {
        self.queue = queue
        self.closure = closure
    }

    func report(_ progress: TransferProgress) {
        let wait = state.withLock { state -> Duration? in
            state.pending = progress
            if state.isScheduled { return nil }
            state.isScheduled = true
            return state.lastCall + Self.interval - .now
        }
        guard let wait else { return }
        if wait <= .zero { return queue.async(execute: call) }
        queue.run(after: wait / .seconds(1), call)
    }

    /// Reports the pending state, before later work on the same queue.
    func flush() {
        if state.withLock({ $0.pending != nil }) { queue.async(execute: call) }
    }

    @Sendable private func call() {
        let pending = state.withLock { state in
            state.isScheduled = false
            state.lastCall = .now
            return state.pending.take()
        }
        if let pending { closure(pending) }
    }
}
