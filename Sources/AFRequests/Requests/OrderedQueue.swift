internal import AFHTTP
internal import Synchronization

/// Runs closures one at a time and in order, even if the underlying queue is concurrent.
package final class OrderedQueue: Sendable {
    package typealias Work = @Sendable () -> Void

    /// A structure around the closure: Swift 6.3 converts a closure in a generic list, with an allocation, when it is added.
    private struct Block {
        let work: Work
    }

    /// The closures that wait: always as many as there are blocks that did not start, or started while another ran.
    private struct State {
        var blocks = FIFO<Block>()
        /// Whether a closure is running; on a serial queue never in another block.
        var isBusy = false
        /// The number of blocks that started meanwhile, and left their closures to the running block.
        var skippedCount = 0

        /// Returns the closure for a block that starts; `nil` if the running block runs it later.
        mutating func start() -> Work? {
            guard !isBusy else {
                skippedCount += 1
                return nil
            }
            return next()
        }

        /// Returns the closure of a skipped block after another closure; `nil` if no block was skipped.
        mutating func proceed() -> Work? {
            guard skippedCount > 0 else {
                isBusy = false
                return nil
            }
            skippedCount -= 1
            return next()
        }

        private mutating func next() -> Work? {
            let block = blocks.popFirst()
            isBusy = block != nil
            return block?.work
        }
    }

    private let queue: CallbackQueue
    private let state = Mutex(State())

    package init(_ queue: CallbackQueue) { self.queue = queue }

    /// Enqueues a closure, as one block of the underlying queue, so that its order relative to other blocks is
    /// preserved.
    package func async(_ work: @escaping Work) {
        state.withLock { $0.blocks.append(Block(work: work)) }
        queue.async {
            var next = self.state.withLock { $0.start() }
            while let work = next {
                work()
                next = self.state.withLock { $0.proceed() }
            }
        }
    }
}
