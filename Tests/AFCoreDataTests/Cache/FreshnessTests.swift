import AFCore
import AFHTTP
import FoundationEssentials
import Testing

@testable import AFCache

/// RFC 9111 §4.2, with times that the test sets.
struct FreshnessTests {
    private static let now = TestClock.startText
    private static let hourAgo = "Wed, 31 Dec 2025 23:00:00 GMT"
    private static let inAnHour = "Thu, 01 Jan 2026 01:00:00 GMT"
    private static let dayAgo = "Wed, 31 Dec 2025 00:00:00 GMT"
    private static let yearAgo = "Wed, 01 Jan 2025 00:00:00 GMT"

    private func freshness(
        _ fields: [HTTPHeader],
        status: Int = 200,
        delay: Double = 0
    ) -> Freshness {
        Freshness(
            statusCode: status,
            headers: HTTPHeaders(repeating: fields),
            requestTime: TestClock.start - delay,
            responseTime: TestClock.start
        )
    }

    struct Lifetime: Sendable {
        let name: String
        let fields: [(String, String)]
        var status = 200
        let seconds: Double
    }

    @Test(arguments: [
        Lifetime(name: "nothing is told", fields: [], seconds: 0),
        Lifetime(name: "max-age", fields: [("Cache-Control", "max-age=60")], seconds: 60),
        Lifetime(
            name: "max-age wins over Expires", fields: [("Cache-Control", "max-age=60"), ("Expires", inAnHour)],
            seconds: 60),
        Lifetime(name: "s-maxage is not for a private cache", fields: [("Cache-Control", "s-maxage=60")], seconds: 0),
        Lifetime(name: "Expires after Date", fields: [("Date", now), ("Expires", inAnHour)], seconds: 3600),
        Lifetime(name: "Expires after an old Date", fields: [("Date", hourAgo), ("Expires", inAnHour)], seconds: 7200),
        Lifetime(name: "Expires without Date", fields: [("Expires", inAnHour)], seconds: 3600),
        Lifetime(name: "Expires in the past", fields: [("Expires", hourAgo)], seconds: 0),
        Lifetime(name: "Expires that is no date", fields: [("Expires", "0"), ("Last-Modified", dayAgo)], seconds: 0),
        Lifetime(
            name: "two Expires, one of them no date", fields: [("Expires", inAnHour), ("Expires", "-1")], seconds: 0),
        Lifetime(name: "a tenth of a day", fields: [("Date", now), ("Last-Modified", dayAgo)], seconds: 8640),
        Lifetime(
            name: "a tenth of a year is cut", fields: [("Date", now), ("Last-Modified", yearAgo)], seconds: 86400),
        Lifetime(name: "changed in the future", fields: [("Date", now), ("Last-Modified", inAnHour)], seconds: 0),
        Lifetime(name: "no guess for 302", fields: [("Last-Modified", dayAgo)], status: 302, seconds: 0),
        Lifetime(
            name: "a guess for a public 302", fields: [("Last-Modified", dayAgo), ("Cache-Control", "public")],
            status: 302,
            seconds: 8640),
        Lifetime(name: "a guess for 404", fields: [("Last-Modified", dayAgo)], status: 404, seconds: 8640),
        Lifetime(name: "max-age that is not a number", fields: [("Cache-Control", "max-age=x")], seconds: 0),
    ])
    func `a response is fresh for its stated lifetime`(row: Lifetime) {
        let fields = row.fields.map { HTTPHeader(name: $0.0, value: $0.1) }
        #expect(freshness(fields, status: row.status).lifetime == row.seconds, "\(row.name)")
    }

    struct Age: Sendable {
        let name: String
        let fields: [(String, String)]
        var delay = 0.0
        var later = 0.0
        let seconds: Double
    }

    @Test(arguments: [
        Age(name: "just made", fields: [("Date", now)], seconds: 0),
        Age(name: "time passed here", fields: [("Date", now)], later: 30, seconds: 30),
        Age(name: "made an hour ago", fields: [("Date", hourAgo)], seconds: 3600),
        Age(name: "made an hour ago, by a clock that is fast", fields: [("Date", inAnHour)], seconds: 0),
        Age(name: "without Date", fields: [], later: 5, seconds: 5),
        Age(name: "as old as a cache on the way says", fields: [("Date", now), ("Age", "100")], seconds: 100),
        Age(name: "and as the way took", fields: [("Date", now), ("Age", "100")], delay: 4, later: 1, seconds: 105),
        Age(name: "the greater of the two counts", fields: [("Date", hourAgo), ("Age", "100")], seconds: 3600),
        Age(name: "an Age that is no number", fields: [("Date", now), ("Age", "old")], later: 1, seconds: 1),
        Age(name: "the clock was set back", fields: [("Date", now)], later: -10, seconds: .infinity),
    ])
    func `the age includes clocks, caches and transit time`(row: Age) {
        let fields = row.fields.map { HTTPHeader(name: $0.0, value: $0.1) }
        #expect(freshness(fields, delay: row.delay).age(at: TestClock.start + row.later) == row.seconds, "\(row.name)")
    }
}
