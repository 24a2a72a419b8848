import AFHTTP
import FoundationEssentials
import Testing

struct RetryAfterTests {
    @Test(arguments: [("120", 120), ("0", 0), (" 7 ", 7), ("007", 7), ("1.5", 2), ("99999999999999999999999", Int.max)])
    func `digits are seconds`(text: String, seconds: Int) {
        #expect(RetryAfter(parsing: text) == .seconds(seconds))
    }

    @Test(arguments: [
        ("4s", 4), ("4 S", 4), ("30 seconds", 30), ("\"7\"", 7), ("500ms", 1), ("1m6.5s", 67), ("2 min", 120),
        ("1h 1m 1s", 3661), ("1 day", 86400), ("99999999999999999999999s", 1_000_000_000_000_000),
    ])
    func `a duration with units is read as it is meant`(text: String, seconds: Int) {
        #expect(RetryAfter(parsing: text) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "-1", "+1", "1.", "1 2", "soon", "١", "4x", "4 s s", "s", "4s5", "\"", "\"\"", "1,2", "4.s",
    ])
    func `a value that is neither seconds nor a date is rejected`(text: String) {
        #expect(RetryAfter(parsing: text) == nil)
    }

    @Test func `the delay lasts until the date, and is zero if the date has passed`() throws {
        let retryAfter = try #require(RetryAfter(parsing: "Fri, 31 Dec 1999 23:59:59 GMT"))
        #expect(retryAfter.delay(from: Date(timeIntervalSince1970: 946_684_799 - 30)) == 30)
        #expect(retryAfter.delay(from: Date(timeIntervalSince1970: 946_684_799 + 30)) == 0)
    }

    @Test(arguments: [
        "1000000060", "1000000060000", "1000000059001", "Sun, 09 Sep 2001 01:47:40 -0000",
        "Sun, 09 Sep 2001 03:47:40 +0200",
    ])
    func `a Unix time, and a date with a zone, are dates`(text: String) throws {
        let retryAfter = try #require(RetryAfter(parsing: text))
        #expect(retryAfter.delay(from: Date(timeIntervalSince1970: 1_000_000_000)) == 60)
    }

    @Test func `the delay in seconds is counted from now and never negative`() {
        #expect(RetryAfter.seconds(3).delay(from: Date()) == 3)
        #expect(RetryAfter.seconds(-3).delay(from: Date()) == 0)
    }

    @Test func `the field of a response is found regardless of case`() {
        let url = URL(filePath: "/")
        #expect(HTTPURLResponse(url: url, statusCode: 503, headers: ["retry-after": "5"]).retryAfter == .seconds(5))
        #expect(HTTPURLResponse(url: url, statusCode: 503).retryAfter == nil)
    }
}
