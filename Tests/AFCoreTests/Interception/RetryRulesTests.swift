import AFCore
import FoundationEssentials
import Testing

struct RetryRulesTests {
    private struct Passing: Error {}
    private struct Lasting: Error {}

    private let rules = RetryRules { $0 is Passing }

    @Test(arguments: [(0, 0.5), (1, 1), (2, 2), (10, 512)])
    func `delays double, starting at half a second`(retryCount: Int, delay: Double) {
        #expect(rules.delay(forRetry: retryCount, random: 0.9) == delay)
    }

    @Test func `base and scale can be chosen`() {
        let rules = RetryRules(exponentialBackoffBase: 3, exponentialBackoffScale: 2) { _ in true }
        #expect((0...2).map { rules.delay(forRetry: $0, random: 0) } == [2, 6, 18])
    }

    @Test func `jitter randomizes its part of the delay`() {
        let half = RetryRules(jitter: 0.5) { _ in true }
        #expect(half.delay(forRetry: 1, random: 0) == 1)
        #expect(half.delay(forRetry: 1, random: 0.5) == 0.75)
        let full = RetryRules(jitter: 1) { _ in true }
        #expect(full.delay(forRetry: 1, random: 0.75) == 0.25)
    }

    @Test func `no delay exceeds its limit after any number of retries`() {
        let rules = RetryRules(maximumDelay: 30) { _ in true }
        #expect(rules.delay(forRetry: 10, random: 0) == 30)
        #expect(rules.delay(forRetry: 100_000, random: 0) == 30)
    }

    @Test(arguments: [(3, 3.0), (0, 0.5), (60, 60), (3600, 60), (.max, 60)] as [(Int, Double)])
    func `Retry-After is respected up to a limit, but never shortens a delay`(seconds: Int, delay: Double) {
        let wish = RetryAfter.seconds(seconds)
        #expect(rules.delay(forRetry: 0, random: 0, retryAfter: wish, now: Date()) == delay)
    }

    @Test func `the delay lasts until the date in Retry-After`() {
        let now = Date(timeIntervalSince1970: 1000)
        let later = RetryAfter.date(HTTPDate(secondsSince1970: 1010))
        #expect(rules.delay(forRetry: 0, random: 0, retryAfter: later, now: now) == 10)
        #expect(rules.delay(forRetry: 0, random: 0, retryAfter: .date(HTTPDate(secondsSince1970: 1)), now: now) == 0.5)
    }

    @Test func `with a limit of zero Retry-After is ignored`() {
        let deaf = RetryRules(maximumRetryAfter: 0) { _ in true }
        #expect(deaf.delay(forRetry: 0, random: 0, retryAfter: .seconds(5), now: Date()) == 0.5)
    }

    @Test(arguments: [HTTPMethod.delete, .get, .head, .options, .put, .trace])
    func `requests with idempotent methods are retried`(method: HTTPMethod) {
        #expect(rules.shouldRetry(method: method, status: nil, failure: Passing()))
    }

    @Test(arguments: [HTTPMethod.post, .patch, .query, .connect, HTTPMethod(rawValue: "get"), nil])
    func `requests with other methods are not retried`(method: HTTPMethod?) {
        #expect(!rules.shouldRetry(method: method, status: 503, failure: Passing()))
    }

    @Test(arguments: [408, 500, 502, 503, 504])
    func `a temporary status is retried for any failure`(status: Int) {
        #expect(rules.shouldRetry(method: .get, status: status, failure: Lasting()))
    }

    @Test(arguments: [200, 400, 404, 429, 501, nil])
    func `with any other status the failure decides`(status: Int?) {
        #expect(!rules.shouldRetry(method: .get, status: status, failure: Lasting()))
        #expect(rules.shouldRetry(method: .get, status: status, failure: Passing()))
        #expect(rules.shouldRetry(method: .get, status: status, failure: AFError.sessionTaskFailed(error: Passing())))
        #expect(!rules.shouldRetry(method: .get, status: status, failure: AFError.sessionTaskFailed(error: Lasting())))
    }
}
