import AFCore
import Synchronization
import Testing

@testable import AFRequests

@Suite(.timeLimit(.minutes(1))) struct StreamBufferTests {
    /// The numbers of the events that were released, and -1 for the end of the reader.
    private final class Releases: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    private let releases = Releases()

    private func buffer(_ policy: StreamOf<Int>.BufferingPolicy = .unbounded) -> StreamBuffer<Int> {
        let releases = releases
        return StreamBuffer(policy) { releases.add(-1) }
    }

    private func yield(_ numbers: ClosedRange<Int>, to buffer: StreamBuffer<Int>) {
        let releases = releases
        for number in numbers { buffer.yield(number) { releases.add(number) } }
    }

    @Test func `events are read in order, and released when they are read`() async {
        let buffer = buffer()
        yield(1...2, to: buffer)
        #expect(releases.all == [])
        #expect(await buffer.next() == 1)
        #expect(releases.all == [1])
        #expect(await buffer.next() == 2)
        #expect(releases.all == [1, 2])
    }

    @Test func `an event that is dropped is released without the lock`() async {
        let buffer = StreamBuffer<OnDeinit>(.bufferingNewest(1))
        buffer.yield(OnDeinit { buffer.finish() })
        buffer.yield(OnDeinit {})
        #expect(await buffer.next() != nil)
        #expect(await buffer.next() == nil)
    }

    @Test func `a reader waits for the next event, which is released immediately`() async {
        let buffer = buffer()
        async let next = buffer.next()
        await Task.yield()
        yield(1...1, to: buffer)
        #expect(await next == 1)
        #expect(releases.all == [1])
    }

    @Test func `buffered events can be read after the end`() async {
        let buffer = buffer()
        yield(1...2, to: buffer)
        buffer.finish()
        yield(3...3, to: buffer)
        #expect(releases.all == [3])
        #expect(await buffer.next() == 1)
        #expect(await buffer.next() == 2)
        #expect(await buffer.next() == nil)
        #expect(await buffer.next() == nil)
    }

    @Test func `the end of the producer ends all waiting reads`() async {
        let buffer = buffer()
        async let first = buffer.next()
        async let second = buffer.next()
        await Task.yield()
        buffer.finish()
        #expect(await first == nil)
        #expect(await second == nil)
        buffer.removeReader()
        #expect(releases.all == [])
    }

    @Test func `events are released when the reader is removed, once`() async {
        let buffer = buffer()
        yield(1...2, to: buffer)
        buffer.removeReader()
        #expect(releases.all == [1, 2, -1])
        buffer.removeReader()
        yield(3...3, to: buffer)
        #expect(releases.all == [1, 2, -1, 3])
        #expect(await buffer.next() == nil)
    }

    @Test func `a canceled task removes the reader`() async {
        let buffer = buffer()
        let reading = Task { await buffer.next() }
        reading.cancel()
        #expect(await reading.value == nil)
        #expect(releases.all == [-1])
    }

    @Test func `a full buffer drops the events that its policy names`() async {
        let oldest = buffer(.bufferingOldest(2))
        yield(1...3, to: oldest)
        #expect(releases.all == [3])
        #expect(await oldest.next() == 1)
        let newest = buffer(.bufferingNewest(2))
        yield(11...14, to: newest)
        #expect(releases.all == [3, 1, 11, 12])
        #expect(await newest.next() == 13)
        let none = buffer(.bufferingNewest(0))
        yield(21...21, to: none)
        #expect(releases.all == [3, 1, 11, 12, 13, 21])
    }
}
