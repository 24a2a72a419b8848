import AFHTTP
import FoundationEssentials
import Testing

struct RateLimitResetTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func delay(_ fields: [(String, String)]) -> Double? {
        var headers = HTTPHeaders()
        for (name, value) in fields { headers.append(name: name, value: value) }
        let response = HTTPURLResponse(url: URL(filePath: "/"), statusCode: 429, headers: headers)
        return response.earliestRetry(now: now)?.delay(from: now)
    }

    @Test(arguments: ["RateLimit-Reset", "X-RateLimit-Reset", "x-ratelimit-reset", "X-Rate-Limit-Reset"])
    func `a reset is in seconds, or a Unix time`(name: String) {
        #expect(delay([(name, "30")]) == 30)
        #expect(delay([(name, " 0 ")]) == 0)
        #expect(delay([(name, "1.2")]) == 2)
        #expect(delay([(name, "5.0")]) == 5)
        #expect(delay([(name, "1000000000")]) == 1_000_000_000)
        #expect(delay([(name, "1800000030")]) == 30)
        #expect(delay([(name, "1799999999")]) == 0)
        #expect(delay([(name, "99999999999999999999999")]) ?? 0 > 1e10)
    }

    @Test(arguments: ["", "soon", "-1", "+1", "1.", "1e3", "0x10", "1.5.2", "Fri, 31 Dec 1999 23:59:59 GMT"])
    func `an invalid value is ignored`(value: String) {
        #expect(delay([("X-RateLimit-Reset", value)]) == nil)
        #expect(delay([("RateLimit", value)]) == nil)
    }

    @Test(
        arguments: [
            ("\"a, b\";r=0;t=8", 8), ("\"a;r=1\";r=0;t=8", 8),
            ("\"default\";r=0;t=30", 30), ("\"default\";r=5;t=30", nil), ("\"a\";r=0", nil), ("\"a\";t=4", 4),
            ("\"a\";r=0;t=3, \"b\";r=0;t=60, \"c\";r=1;t=900", 60), ("default; r=0; t=7", 7), (";;,=,t=;r", nil),
            ("limit=100, remaining=0, reset=9", 9), ("limit=100, remaining=1, reset=9", nil),
            ("limit=100, reset=9", 9),
        ] as [(String, Double?)]
    )
    func `the RateLimit field of the IETF drafts is parsed`(value: String, expected: Double?) {
        #expect(delay([("RateLimit", value)]) == expected)
    }

    @Test func `a limit that is not exhausted is ignored`() {
        #expect(delay([("X-RateLimit-Reset", "30"), ("X-RateLimit-Remaining", "4999")]) == nil)
        #expect(delay([("X-RateLimit-Reset", "30"), ("X-RateLimit-Remaining", "0")]) == 30)
        #expect(delay([("RateLimit-Reset", "30"), ("RateLimit-Remaining", "00")]) == 30)
        #expect(delay([("RateLimit-Reset", "30"), ("RateLimit-Remaining", "?")]) == 30)
    }

    @Test func `Retry-After takes precedence, and of several limits the latest reset counts`() {
        #expect(delay([("X-RateLimit-Reset", "30"), ("Retry-After", "5")]) == 5)
        #expect(delay([("X-RateLimit-Reset", "30"), ("Retry-After", "soon")]) == 30)
        #expect(delay([("X-RateLimit-Reset", "1800000040"), ("RateLimit-Reset", "30")]) == 40)
        #expect(delay([("RateLimit", "\"a\";r=0;t=3"), ("RateLimit", "\"b\";r=0;t=50")]) == 50)
        #expect(delay([]) == nil)
    }
}
