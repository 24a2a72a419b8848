internal import Dispatch
internal import Synchronization

/// Calls a progress closure with the latest state, at most fifty times a second, and never concurrently.
final class ProgressLimiter: Sendable {
    private struct Contents {
        /// The state that was not reported yet.
        var news: TransferProgress?
        var isDue = false
        var lastCall = ContinuousClock.now - interval
    }

    /// Waking another thread for each chunk of a fast body takes longer than the chunk.
    private static let interval = Duration.milliseconds(20)

    let queue: DispatchQueue
    let closure: @Sendable (TransferProgress) -> Void
    private let contents = Mutex(Contents())

    init(queue: DispatchQueue, closure: @escaping @Sendable (TransferProgress) -> Void) {
        self.queue = queue
        self.closure = closure
    }

    func tell(_ progress: TransferProgress) {
        let wait = contents.withLock { contents -> Duration? in
            contents.news = progress
            if contents.isDue { return nil }
            contents.isDue = true
            return contents.lastCall + Self.interval - .now
        }
        guard let wait else { return }
        if wait <= .zero { return queue.async(execute: call) }
        queue.run(after: wait / .seconds(1), call)
    }

    /// Reports the pending state, before later work on the same queue.
    func flush() {
        if contents.withLock({ $0.news != nil }) { queue.async(execute: call) }
    }

    @Sendable private func call() {
        let news = contents.withLock { contents in
            contents.isDue = false
            contents.lastCall = .now
            return contents.news.take()
        }
        if let news { closure(news) }
    }
}
