import AFHTTP
import FoundationEssentials
import Testing

struct RetryAfterTests {
    @Test(arguments: [("120", 120), ("0", 0), (" 7 ", 7), ("007", 7), ("99999999999999999999999", Int.max)])
    func `digits are seconds`(text: String, seconds: Int) {
        #expect(RetryAfter(parsing: text) == .seconds(seconds))
    }

    @Test(arguments: ["", " ", "-1", "+1", "1.5", "1 2", "soon", "١"])
    func `what is neither seconds nor a date says nothing`(text: String) {
        #expect(RetryAfter(parsing: text) == nil)
    }

    @Test func `a date is waited for, but not when it has passed`() throws {
        let retryAfter = try #require(RetryAfter(parsing: "Fri, 31 Dec 1999 23:59:59 GMT"))
        #expect(retryAfter.delay(from: Date(timeIntervalSince1970: 946_684_799 - 30)) == 30)
        #expect(retryAfter.delay(from: Date(timeIntervalSince1970: 946_684_799 + 30)) == 0)
    }

    @Test func `seconds are counted from now`() {
        #expect(RetryAfter.seconds(3).delay(from: Date()) == 3)
        #expect(RetryAfter.seconds(-3).delay(from: Date()) == 0)
    }

    @Test func `a response's field is read in any case`() {
        let url = URL(filePath: "/")
        #expect(HTTPURLResponse(url: url, statusCode: 503, headers: ["retry-after": "5"]).retryAfter == .seconds(5))
        #expect(HTTPURLResponse(url: url, statusCode: 503).retryAfter == nil)
    }
}
