import Testing

@testable import AFCommand

/// The rate of `--rate`.
struct CurlRateTests {
    @Test(arguments: [
        ("2/s", 500), ("30/m", 2000), ("1", 3_600_000), ("3/15s", 5000), ("1000/s", 1), ("1/2h", 7_200_000),
        ("4/d", 21_600_000), ("1/999999d", 86_399_913_600_000),
    ])
    func `a rate is a time between transfers`(text: String, milliseconds: Int64) throws {
        let rate = try CurlRate(argument: text)
        #expect(rate.interval == .milliseconds(milliseconds))
        let start = ContinuousClock.now
        #expect(rate.pause(after: start, now: start) == rate.interval)
        #expect(rate.pause(after: start, now: start + rate.interval + .seconds(1)) == .zero)
    }

    @Test(arguments: [
        "", "x", "0/s", "-1/s", "1/", "1/w", "1/s2", "1/2", "1.5/s", "1/9999999s", "99999999999999999999/s",
    ])
    func `another text is no rate`(text: String) {
        #expect(throws: UsageError.self) { try CurlRate(argument: text) }
    }
}
