import AFHTTP
import FoundationEssentials
import Testing

@testable import AFTransport

@Suite struct CookieStoreTests {
    private func take(_ field: String, _ url: String, into store: inout CookieStore, now: Date = .now) throws {
        let url = try HTTPURL(parsing: url)
        store.take(field, from: url, host: url.cookieHost, now: now)
    }

    private func names(_ store: CookieStore) -> [String] { store.all().map(\.name) }

    @Test func `a registrable domain has at most 180 cookies of responses, the newest`() throws {
        var store = CookieStore()
        for number in 0..<100 { try take("a\(number)=1; Domain=example.com", "http://a.example.com/", into: &store) }
        for number in 0..<100 { try take("b\(number)=1", "http://b.example.com/", into: &store) }
        #expect(names(store).count == 180)
        #expect(names(store).first == "a20" && names(store).last == "b99")
    }

    @Test func `names below one public suffix, and addresses, are domains of their own`() throws {
        var store = CookieStore()
        for host in ["a.co.uk", "b.co.uk", "127.0.0.1", "127.0.0.2", "[::1]", "a.github.io", "b.github.io"] {
            for number in 0..<200 { try take("n\(number)=1", "http://\(host)/", into: &store) }
        }
        #expect(store.all().count == 7 * 180)
    }

    @Test func `a response removes no cookies of another domain`() throws {
        var store = CookieStore()
        try take("login=1", "http://other.test/", into: &store)
        for number in 0..<3100 { try take("n=1", "http://d\(number).test/", into: &store) }
        #expect(store.all().count == 3000)
        #expect(names(store).first == "login")
        try take("second=1", "http://other.test/", into: &store)
        #expect(store.all().filter { $0.domain == "other.test" }.map(\.name) == ["second"])
    }

    @Test func `expired cookies make room for those of other domains`() throws {
        var store = CookieStore()
        let start = Date.now
        for number in 0..<3000 { try take("n=1; Max-Age=10", "http://d\(number).test/", into: &store, now: start) }
        try take("late=1", "http://other.test/", into: &store, now: start)
        #expect(!store.all().map(\.name).contains("late"))
        try take("late=1", "http://other.test/", into: &store, now: start.addingTimeInterval(11))
        #expect(names(store) == ["late"])
    }

    @Test func `cookies of the caller are neither counted nor removed`() throws {
        var store = CookieStore()
        store.set((0..<400).map { HTTPCookie(name: "typed\($0)", value: "1", domain: "a.example.com") })
        for number in 0..<200 { try take("n\(number)=1", "http://a.example.com/", into: &store) }
        try take("typed7=changed; Path=/", "http://a.example.com/", into: &store)
        #expect(store.all().filter { !$0.isFromResponse }.count == 400)
        #expect(store.all().filter(\.isFromResponse).count == 180)
        #expect(store.all().first { $0.name == "typed7" }?.value == "changed")
    }

    @Test func `a cookie that is set after its deletion is the newest, an updated one keeps its place`() throws {
        var store = CookieStore()
        for field in ["a=1", "b=1", "c=1", "a=2", "b=; Max-Age=0", "b=3"] {
            try take(field, "http://a.example.com/", into: &store)
        }
        #expect(store.all().map { "\($0.name)=\($0.value)" } == ["a=2", "c=1", "b=3"])
    }

    @Test func `the field has long paths first, then older cookies`() throws {
        var store = CookieStore()
        for field in ["a=1; Path=/", "b=1; Path=/x/y", "c=1; Path=/x", "d=1; Path=/", "e=1; Path=/other"] {
            try take(field, "http://a.example.com/", into: &store)
        }
        let url = try HTTPURL(parsing: "http://a.example.com/x/y/z")
        #expect(store.cookies(for: url, host: url.cookieHost).map(\.name) == ["b", "c", "a", "d"])
    }

    @Test func `a cookie in clear text does not overlay a secure one`() throws {
        var store = CookieStore()
        try take("login=1; Secure; Domain=example.com; Path=/x", "https://a.example.com/", into: &store)
        try take("login=2; Path=/x/y", "http://a.example.com/", into: &store)
        try take("login=3; Path=/", "http://a.example.com/", into: &store)
        #expect(store.all().map(\.value) == ["1", "3"])
        try take("token=1; Secure; Path=/", "https://a.example.com/", into: &store)
        try take("token=2; Domain=example.com; Path=/", "http://example.com/", into: &store)
        try take("other=3; Domain=example.com; Path=/", "http://example.com/", into: &store)
        #expect(store.all().map(\.value) == ["1", "3", "1", "3"])
    }

    @Test func `cookies of paths with and without a slash at the end are two`() throws {
        var store = CookieStore()
        try take("s=1; Path=/app", "http://a.example.com/", into: &store)
        try take("s=2; Path=/app/", "http://a.example.com/", into: &store)
        for (path, values) in [("/app", ["1"]), ("/app/x", ["2", "1"])] {
            let url = try HTTPURL(parsing: "http://a.example.com" + path)
            #expect(store.cookies(for: url, host: url.cookieHost).map(\.value) == values)
        }
    }
}
