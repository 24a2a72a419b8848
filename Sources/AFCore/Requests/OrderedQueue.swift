internal import Synchronization

/// Runs closures one at a time and in order, even if the underlying queue is concurrent.
final class OrderedQueue: Sendable {
    typealias Work = @Sendable () -> Void

    private struct Contents {
        var work = FIFO<Work>()
        /// Whether a closure is running; on a serial queue never in another block.
        var isBusy = false
        /// The number of blocks that ran meanwhile.
        var owed = 0
    }

    private let queue: CallbackQueue
    private let contents = Mutex(Contents())

    init(_ queue: CallbackQueue) { self.queue = queue }

    /// Enqueues a closure, as one block of the underlying queue, so that its order relative to other blocks is
    /// preserved.
    func async(_ work: @escaping Work) {
        contents.withLock { $0.work.append(work) }
        queue.async {
            while let work = self.next() {
                work()
                let isOwing = self.contents.withLock { contents in
                    contents.isBusy = false
                    guard contents.owed > 0 else { return false }
                    contents.owed -= 1
                    return true
                }
                guard isOwing else { return }
            }
        }
    }

    private func next() -> Work? {
        contents.withLock { contents in
            guard !contents.isBusy else {
                contents.owed += 1
                return nil
            }
            contents.isBusy = true
            return contents.work.popFirst()
        }
    }
}
