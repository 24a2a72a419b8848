import Testing

@testable import AFTransport

struct SharedRateTests {
    private let second: UInt64 = 1_000_000_000

    @Test func `bytes of several transfers are due one after the other`() throws {
        let rate = try #require(SharedRate(bytesPerSecond: 100))
        #expect(rate.record(100, now: second) == second * 2)
        #expect(rate.record(50, now: second) == second * 5 / 2)
        #expect(rate.record(50, now: second * 2) == second * 3)
    }

    @Test func `a transfer that has waited continues, regardless of others`() throws {
        let rate = try #require(SharedRate(bytesPerSecond: 100))
        _ = rate.record(100, now: second)
        _ = rate.record(100, now: second)
        #expect(rate.record(0, now: second * 2) == nil)
    }

    @Test(arguments: [0, -1])
    func `a rate of zero or less is no limit`(rate: Int64) { #expect(SharedRate(bytesPerSecond: rate) == nil) }
}
