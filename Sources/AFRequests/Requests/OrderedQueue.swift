internal import Synchronization

/// Runs closures one at a time and in order, even if the underlying queue is concurrent.
package final class OrderedQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        var work = FIFO<Work>()
        /// Whether a closure is running; on a serial queue never in another block.
        var isBusy = false
        /// The number of blocks that ran meanwhile.
        var pendingCount = 0
    }

    private let queue: CallbackQueue
    private let state = Mutex(State())

    package init(_ queue: CallbackQueue) { self.queue = queue }

    /// Enqueues a closure, as one block of the underlying queue, so that its order relative to other blocks is
    /// preserved.
    package func async(_ work: @escaping Work) {
        state.withLock { $0.work.append(work) }
        queue.async {
            while let work = self.next() {
                work()
                let isOwing = self.state.withLock { state in
                    state.isBusy = false
                    guard state.pendingCount > 0 else { return false }
                    state.pendingCount -= 1
                    return true
                }
                guard isOwing else { return }
            }
        }
    }

    private func next() -> Work? {
        state.withLock { state in
            guard !state.isBusy else {
                state.pendingCount += 1
                return nil
            }
            state.isBusy = true
            return state.work.popFirst()
        }
    }
}
