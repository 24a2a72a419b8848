internal import Dispatch
internal import Synchronization

/// Calls a progress closure with the latest state, at most fifty times a second, and never concurrently.
final class ProgressLimiter: Sendable {
    private struct State {
        /// The state that was not reported yet.
        var news: TransferProgress?
        var isDue = false
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
            state.news = progress
            if state.isDue { return nil }
            state.isDue = true
            return state.lastCall + Self.interval - .now
        }
        guard let wait else { return }
        if wait <= .zero { return queue.async(execute: call) }
        queue.run(after: wait / .seconds(1), call)
    }

    /// Reports the pending state, before later work on the same queue.
    func flush() {
        if state.withLock({ $0.news != nil }) { queue.async(execute: call) }
    }

    @Sendable private func call() {
        let news = state.withLock { state in
            state.isDue = false
            state.lastCall = .now
            return state.news.take()
        }
        if let news { closure(news) }
    }
}
