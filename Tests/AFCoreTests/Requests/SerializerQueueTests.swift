import AFCore
import TestSupport
import Testing

@testable import AFRequests

struct SerializerQueueTests {
    private let journal = Journal()

    /// Returns a queue with serializers that report their names.
    private func queue(_ names: String...) -> SerializerQueue {
        var queue = SerializerQueue()
        for name in names { queue.append { [journal] in journal.note(name) } }
        return queue
    }

    /// Runs the next serializer, whose handler reports the name.
    private func run(_ queue: inout SerializerQueue, handler name: String) {
        queue.popNext()?.run()
        queue.didEnd(handler(name))
    }

    private func handler(_ name: String) -> SerializerQueue.Delivery {
        { [journal] error in journal.note(error.map { "\(name) fails: \($0.isExplicitlyCancelledError)" } ?? name) }
    }

    private func callHandlers(_ queue: inout SerializerQueue) {
        for entry in queue.takeFinished().entries { entry.deliver?(nil) }
    }

    @Test func `serializers run in order, and their handlers are called afterwards`() {
        var queue = queue("first", "second")
        run(&queue, handler: "first handler")
        run(&queue, handler: "second handler")
        #expect(queue.popNext() == nil)
        #expect(journal.all == ["first", "second"])
        callHandlers(&queue)
        #expect(journal.all == ["first", "second", "first handler", "second handler"])
    }

    @Test func `handlers are called once, and a serializer added later runs alone`() {
        var queue = queue("first")
        run(&queue, handler: "first handler")
        callHandlers(&queue)
        queue.append { [journal] in journal.note("late") }
        run(&queue, handler: "late handler")
        callHandlers(&queue)
        #expect(journal.all == ["first", "first handler", "late", "late handler"])
    }

    @Test func `the results of a failed attempt are returned, to be released without a lock`() {
        var queue = queue("first", "second")
        let journal = journal
        queue.popNext()?.run()
        queue.didEnd { [result = OnDeinit { journal.note("result") }] _ in result.run() }
        queue.popNext()?.run()
        queue.didFail(.explicitlyCancelled) { [failure = OnDeinit { journal.note("failure") }] _ in failure.run() }
        do {
            let results = queue.startOver()
            withExtendedLifetime(results) { #expect(journal.all == ["first", "second"]) }
        }
        #expect(Set(journal.all) == ["first", "second", "result", "failure"])
    }

    @Test func `after another attempt every serializer runs again, and only its last handler is called`() {
        var queue = queue("first", "second")
        run(&queue, handler: "old")
        queue.startOver()
        run(&queue, handler: "first handler")
        run(&queue, handler: "second handler")
        callHandlers(&queue)
        #expect(journal.all == ["first", "first", "second", "first handler", "second handler"])
    }

    @Test func `a serializer's failure waits for the retriers`() {
        var queue = queue("first")
        queue.popNext()?.run()
        queue.didFail(.explicitlyCancelled, handler("handler"))
        #expect(queue.undecidedError?.isExplicitlyCancelledError == true)
        callHandlers(&queue)
        #expect(journal.all == ["first"])
    }

    @Test func `the retriers' decision completes a serializer's failure once`() {
        var queue = queue("first")
        queue.popNext()?.run()
        queue.didFail(.explicitlyCancelled, handler("handler"))
        #expect(queue.finishPending(.doNotRetry) == true)
        #expect(queue.finishPending(.doNotRetry) == false)
        #expect(queue.undecidedError == nil)
        callHandlers(&queue)
        #expect(journal.all == ["first", "handler fails: true"])
    }

    @Test func `another attempt discards a serializer's failure`() {
        var queue = queue("first")
        queue.popNext()?.run()
        queue.didFail(.explicitlyCancelled, handler("handler"))
        queue.startOver()
        #expect(queue.finishPending(.doNotRetry) == false)
    }

    @Test func `one of several calls runs the serializers of all`() {
        var queue = SerializerQueue()
        #expect(queue.beginRun() == true)
        #expect(queue.beginRun() == false)
        #expect(queue.endRun() == true)
        #expect(queue.endRun() == false)
        #expect(queue.beginRun() == true)
    }

    @Test func `a call to run serializers outlasts the handlers`() {
        var queue = queue("first")
        #expect(queue.beginRun() == true)
        run(&queue, handler: "handler")
        callHandlers(&queue)
        #expect(queue.beginRun() == false)
    }
}
