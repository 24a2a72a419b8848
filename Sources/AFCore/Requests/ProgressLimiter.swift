internal import Dispatch
internal import Synchronization

/// A closure for progress, called with the latest state: fifty times a second at most, and never more often than it returns.
final class ProgressLimiter: Sendable {
    private struct Contents {
        /// What has not been told yet.
        var news: TransferProgress?
        var isDue = false
        var lastCall = ContinuousClock.now - interval
    }

    /// Waking another thread for each piece of a fast body takes longer than the piece.
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

    /// Tells what there is to be told, ahead of whatever else goes to the same queue from now on.
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
