import AFCore
import Testing

@testable import AFRequests

struct BacklogTests {
    /// The bytes that an item uses beside its own.
    private let overhead = 128

    @Test func `1 MiB may wait, and the last item may exceed it`() {
        var backlog = Backlog()
        #expect(backlog.hasSpace() == true)
        backlog.add((1 << 20) - overhead - 1, consumers: 1)
        #expect(backlog.hasSpace() == true)
        backlog.add(1000, consumers: 1)
        #expect(!backlog.isFull)
        #expect(backlog.hasSpace() == false)
        #expect(backlog.isFull)
    }

    @Test func `the transfer continues when three quarters are free, once`() {
        var backlog = Backlog()
        for _ in 0..<8 { backlog.add((1 << 17) - overhead, consumers: 1) }
        #expect(backlog.hasSpace() == false)
        for _ in 0..<5 { #expect(backlog.remove((1 << 17) - overhead) == false) }
        #expect(backlog.remove((1 << 17) - overhead) == true)
        #expect(!backlog.isFull)
        #expect(backlog.remove((1 << 17) - overhead) == false)
        #expect(backlog.hasSpace() == true)
    }

    @Test func `removing from a backlog that was never full continues nothing`() {
        var backlog = Backlog()
        backlog.add(1000, consumers: 1)
        #expect(backlog.remove(1000) == false)
    }

    @Test func `each consumer has its own bytes`() {
        var backlog = Backlog()
        backlog.add(1 << 19, consumers: 2)
        #expect(backlog.hasSpace() == false)
        #expect(backlog.remove(1 << 19) == false)
        #expect(backlog.remove(1 << 19) == true)
    }

    @Test func `without consumers nothing waits`() {
        var backlog = Backlog()
        backlog.add(1 << 30, consumers: 0)
        #expect(backlog.hasSpace() == true)
    }

    @Test func `empty items count too`() {
        var backlog = Backlog()
        for _ in 0..<(1 << 20) / overhead { backlog.add(0, consumers: 1) }
        #expect(backlog.hasSpace() == false)
    }

    @Test func `the lowest limit applies, and at least one byte may wait`() {
        var backlog = Backlog()
        backlog.lowerLimit(to: 1000)
        backlog.lowerLimit(to: 5000)
        backlog.add(1000, consumers: 1)
        #expect(backlog.hasSpace() == false)
        #expect(backlog.remove(1000) == true)
        backlog.lowerLimit(to: -1)
        #expect(backlog.hasSpace() == true)
    }

    @Test func `items of an earlier attempt do not make room for later ones`() {
        var backlog = Backlog()
        #expect(backlog.remove(1 << 20) == false)
        backlog.add(1 << 20, consumers: 1)
        #expect(backlog.hasSpace() == false)
    }
}
