import Testing

@testable import AFTransport

struct RateLimitTests {
    private let second: UInt64 = 1_000_000_000

    @Test func `bytes are delayed until the rate allows them`() throws {
        var limit = try #require(RateLimit(bytesPerSecond: 100))
        #expect(limit.record(50, now: second) == second * 3 / 2)
        #expect(limit.record(50, now: second * 3 / 2) == nil)
        #expect(limit.record(150, now: second * 3 / 2) == second * 5 / 2)
    }

    @Test func `unused rate accumulates for half a second at most`() throws {
        var limit = try #require(RateLimit(bytesPerSecond: 100))
        _ = limit.record(100, now: 0)
        #expect(limit.record(150, now: 10 * second) == nil)
        #expect(limit.record(151, now: 10 * second) == 10 * second + second / 100)
    }

    @Test(arguments: [0, -1])
    func `a rate of zero or less is no limit`(rate: Int64) { #expect(RateLimit(bytesPerSecond: rate) == nil) }

    @Test func `a huge byte count at a low rate does not overflow the wait`() throws {
        var limit = try #require(RateLimit(bytesPerSecond: 1))
        let due = limit.record(.max, now: second)
        #expect(try #require(due) > second)
    }
}
