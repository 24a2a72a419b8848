import Testing

@testable import AFTransport

struct ReceivePaceTests {
    private let second: UInt64 = 1_000_000_000

    private func limited(_ rate: Int64?, shared: SharedRate? = nil) -> ReceivePace {
        var options = NetworkOptions()
        options.maximumReceiveRate = rate
        options.sharedReceiveRate = shared
        return ReceivePace(options)
    }

    @Test func `without a limit nothing is counted`() {
        var pace = limited(nil)
        var count = 0
        func received() -> Int64 {
            count += 1
            return 1 << 40
        }
        #expect(pace.dueTime(taken: 0, received: received(), now: second) == nil)
        #expect(count == 0)
    }

    @Test func `received bytes are due at the rate of the limit`() {
        var pace = limited(100)
        #expect(pace.dueTime(taken: 0, received: 100, now: second) == second * 2)
        #expect(pace.dueTime(taken: 0, received: 150, now: second * 2) == second * 5 / 2)
    }

    @Test func `bytes that were due before a pause are not delayed again`() {
        var pace = limited(100)
        #expect(pace.dueTime(taken: 0, received: 100, now: second) == second * 2)
        pace.endPause()
        // libcurl has received more during the pause.
        #expect(pace.dueTime(taken: 0, received: 1000, now: second * 2) == nil)
        #expect(pace.dueTime(taken: 99, received: 1000, now: second * 2) == nil)
        #expect(pace.dueTime(taken: 100, received: 1000, now: second * 2) == second * 11)
    }

    @Test func `a shared limit replaces the transfer's, and counts each byte once`() throws {
        let rate = try #require(SharedRate(bytesPerSecond: 100))
        var (first, other) = (limited(1, shared: rate), limited(1, shared: rate))
        #expect(first.dueTime(taken: 0, received: 100, now: second) == second * 2)
        #expect(other.dueTime(taken: 0, received: 100, now: second) == second * 3)
        #expect(first.dueTime(taken: 0, received: 150, now: second) == second * 7 / 2)
    }
}
