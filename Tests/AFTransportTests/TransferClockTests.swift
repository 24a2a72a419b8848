import Testing

@testable import AFTransport

struct TransferClockTests {
    private let second: UInt64 = 1_000_000_000
    /// The loop's clock at the start.
    private let start: UInt64 = 5_000_000_000

    /// Returns the time a number of seconds after the start.
    private func time(_ seconds: UInt64) -> UInt64 { start + seconds * second }

    private func clock(_ timeouts: Timeouts = Timeouts(connect: 30, idle: 60), elapsed: Double = 0) -> TransferClock {
        TransferClock(timeouts, startedAt: start, elapsed: elapsed)
    }

    private func deadline(_ clock: TransferClock, isPaused: Bool = false, hasEarlyResponse: Bool = false) -> UInt64? {
        clock.deadline(isPaused: isPaused, hasEarlyResponse: hasEarlyResponse)
    }

    // The connect timeout

    @Test func `the connect timeout is watched until libcurl starts`() {
        var clock = clock()
        #expect(deadline(clock) == time(30))
        #expect(clock.overdue(time(29), isPaused: false) == nil)
        #expect(clock.overdue(time(30), isPaused: false)?.kind == .connectTimedOut)
        _ = clock.begin(time(1))
        #expect(deadline(clock) == nil)
        #expect(clock.overdue(time(100), isPaused: false) == nil)
    }

    @Test func `libcurl gets what a lookup has left of the connect timeout, and at least a millisecond`() {
        var direct = clock()
        #expect(direct.begin(start) == nil)
        var waiting = clock()
        #expect(waiting.begin(time(10)) == 20_000)
        #expect(waiting.begin(time(20)) == nil)
        var late = clock()
        #expect(late.begin(time(31)) == 1)
        var unlimited = clock(Timeouts(connect: nil))
        #expect(unlimited.begin(time(10)) == nil)
    }

    // The idle timeout

    @Test func `the idle timeout starts with the connection, and again with each byte`() {
        var clock = clock()
        _ = clock.begin(start)
        clock.recordActivity(time(1))
        #expect(clock.lastActivity == nil)
        clock.connected(time(2))
        #expect(deadline(clock) == time(62))
        clock.recordActivity(time(10))
        #expect(deadline(clock) == time(70))
        #expect(clock.overdue(time(69), isPaused: false) == nil)
        #expect(clock.overdue(time(70), isPaused: false)?.kind == .idleTimedOut)
    }

    @Test func `a paused transfer may be silent, and one that has switched protocols`() {
        var clock = clock()
        _ = clock.begin(start)
        clock.connected(start)
        #expect(deadline(clock, isPaused: true) == nil)
        #expect(clock.overdue(time(100), isPaused: true) == nil)
        clock.endIdleTimeout()
        #expect(deadline(clock) == nil)
        #expect(clock.overdue(time(100), isPaused: false) == nil)
        clock.recordActivity(time(1))
        #expect(clock.lastActivity == nil)
    }

    @Test func `a server that has responded early has a second to read on`() {
        var clock = clock()
        #expect(!clock.serverStoppedReading(time(100)))
        _ = clock.begin(start)
        clock.connected(time(5))
        #expect(deadline(clock, hasEarlyResponse: true) == time(6))
        #expect(!clock.serverStoppedReading(time(5)))
        #expect(clock.serverStoppedReading(time(6)))
        // The transfer itself still has its idle timeout.
        #expect(clock.overdue(time(6), isPaused: false) == nil)
    }

    @Test func `an early response has a second without an idle timeout, too`() {
        var clock = clock(Timeouts(connect: nil, idle: nil))
        _ = clock.begin(start)
        clock.connected(start)
        #expect(deadline(clock) == nil)
        #expect(deadline(clock, hasEarlyResponse: true) == time(1))
    }

    // The total timeout

    @Test func `the total timeout includes waits, pauses and earlier hops`() {
        var clock = clock(Timeouts(connect: nil, idle: nil, total: 10), elapsed: 4)
        #expect(deadline(clock) == time(6))
        _ = clock.begin(time(1))
        #expect(deadline(clock, isPaused: true) == time(6))
        #expect(clock.overdue(time(5), isPaused: true) == nil)
        let failure = clock.overdue(time(6), isPaused: true)
        #expect(failure?.kind == .totalTimedOut)
        #expect(failure?.detail == "the transfer took longer than 10 s")
    }

    @Test func `a total timeout that earlier hops have used up is over immediately`() {
        let clock = clock(Timeouts(connect: nil, idle: nil, total: 1.5), elapsed: 2)
        #expect(clock.overdue(start, isPaused: false)?.detail == "the transfer took longer than 1.5 s")
    }

    @Test func `the earliest timeout applies`() {
        var clock = clock(Timeouts(connect: 5, idle: 3, total: 20))
        #expect(deadline(clock) == time(5))
        _ = clock.begin(time(1))
        #expect(deadline(clock) == time(20))
        clock.connected(time(2))
        #expect(deadline(clock) == time(5))
        clock.recordActivity(time(19))
        #expect(deadline(clock) == time(20))
    }

    // Durations

    @Test func `durations start with libcurl's first start`() {
        var clock = clock()
        #expect(clock.elapsed(time(2)) == 2)
        #expect(clock.secondsBefore(time(2)) == 0)
        _ = clock.begin(time(1))
        _ = clock.begin(time(3))
        #expect(clock.elapsed(time(4)) == 3)
        #expect(clock.secondsBefore(time(4)) == 3)
        #expect(clock.secondsBefore(start) == 0)
        #expect(clock.secondsBefore(nil) == 0)
    }
}
