import AFCore
import Dispatch
import Synchronization
import Testing

@testable import AFRequests

struct OrderedQueueTests {
    /// The blocks of a queue, which run when the test says so, and the closures that ran.
    private final class Blocks: Sendable {
        private let blocks = Mutex<[@Sendable () -> Void]>([])
        private let journal = Mutex<[String]>([])

        var log: [String] { journal.withLock { $0 } }
        var count: Int { blocks.withLock { $0.count } }

        func queue() -> OrderedQueue {
            OrderedQueue(CallbackQueue { work in self.blocks.withLock { $0.append(work) } })
        }

        func note(_ event: String) { journal.withLock { $0.append(event) } }

        /// Runs the block at an index of the ones that wait.
        func run(_ index: Int = 0) {
            let block = blocks.withLock { $0.remove(at: index) }
            block()
        }
    }

    @Test func `each closure is one block, and blocks run the closures in their order`() {
        let blocks = Blocks()
        let queue = blocks.queue()
        for name in ["a", "b", "c"] { queue.async { blocks.note(name) } }
        #expect(blocks.count == 3)
        #expect(blocks.log == [])
        blocks.run(2)
        #expect(blocks.log == ["a"])
        blocks.run(1)
        blocks.run()
        #expect(blocks.log == ["a", "b", "c"])
    }

    @Test func `a block that starts while a closure runs leaves its own to the running block`() {
        let blocks = Blocks()
        let queue = blocks.queue()
        queue.async {
            blocks.note("a starts")
            // Two other threads of a concurrent queue.
            blocks.run()
            blocks.run()
            blocks.note("a ends")
        }
        for name in ["b", "c", "d"] { queue.async { blocks.note(name) } }
        blocks.run()
        #expect(blocks.log == ["a starts", "a ends", "b", "c"])
        blocks.run()
        #expect(blocks.log == ["a starts", "a ends", "b", "c", "d"])
        queue.async { blocks.note("e") }
        blocks.run()
        #expect(blocks.log.last == "e")
        #expect(blocks.count == 0)
    }

    @Test func `a closure that a closure of an inline queue adds runs after it`() {
        let blocks = Blocks()
        let queue = OrderedQueue(.inline)
        queue.async {
            queue.async {
                queue.async { blocks.note("c") }
                blocks.note("b")
            }
            blocks.note("a")
        }
        #expect(blocks.log == ["a", "b", "c"])
    }

    @Test func `a concurrent queue runs all closures in order, and one at a time`() async {
        let queue = OrderedQueue(CallbackQueue(.global()))
        let numbers = Mutex<[Int]>([])
        let isRunning = Atomic(false)
        await withCheckedContinuation { waiter in
            for number in 0..<1000 {
                queue.async {
                    let isSecond = isRunning.exchange(true, ordering: .relaxed)
                    #expect(!isSecond)
                    numbers.withLock { $0.append(number) }
                    isRunning.store(false, ordering: .relaxed)
                }
            }
            queue.async { waiter.resume() }
        }
        #expect(numbers.withLock { $0 } == Array(0..<1000))
    }
}
