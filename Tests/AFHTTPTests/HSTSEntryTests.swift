import AFHTTP
import FoundationEssentials
import Testing

@Suite struct HSTSEntryTests {
    private let now = Date(timeIntervalSince1970: 1_000_000_000)

    private func parsed(_ value: String) -> HSTSEntry? { HSTSEntry(header: value, of: "Example.org", now: now) }

    @Test(arguments: [
        ("max-age=100", 100, false), (" MAX-AGE = \"100\" ;; includeSubDomains; preload=x ", 100, true),
        ("includeSubDomains;max-age=1", 1, true),
        // A quoted semicolon separates nothing, unless the quote is not closed.
        ("max-age=1; x=\"; includeSubDomains; \"", 1, false), ("x=\"; max-age=1; includeSubDomains", 1, true),
    ])
    func `max-age and includeSubDomains are parsed`(value: String, seconds: Double, below: Bool) throws {
        let entry = try #require(parsed(value))
        #expect(entry.host == "example.org")
        #expect(entry.expiresDate == now.addingTimeInterval(seconds))
        #expect(entry.includesSubdomains == below)
    }

    @Test func `a max-age of zero has already expired`() throws {
        #expect(try #require(parsed("max-age=0")).expiresDate < now)
    }

    @Test(arguments: ["", "includeSubDomains", "max-age", "max-age=", "max-age=-1", "max-age=1;max-age=1", "max-age=x"])
    func `a field without a valid max-age is rejected`(value: String) {
        #expect(parsed(value) == nil)
    }

    @Test func `a huge max-age is accepted`() throws {
        let entry = try #require(parsed("max-age=" + String(repeating: "9", count: 400)))
        #expect(entry.expiresDate > now)
    }

    @Test func `an entry covers its host, and subdomains only if it includes them`() {
        let alone = HSTSEntry(host: "example.org.", expiresDate: now)
        #expect(alone.covers("EXAMPLE.org") && alone.covers("example.org."))
        #expect(!alone.covers("a.example.org"))
        let all = HSTSEntry(host: "example.org", includesSubdomains: true, expiresDate: now)
        #expect(all.covers("a.b.example.org"))
        #expect(!all.covers("badexample.org") && !all.covers("org"))
    }

    @Test(arguments: [
        ("http://u:p@h/x?y", "https://h/x?y"), ("http://h:80/", "https://h/"), ("http://h:8080/", "https://h:8080/"),
        ("https://h:80/", "https://h:80/"),
    ])
    func `an http URL is converted to https with the same host, path and user`(url: String, secured: String) throws {
        let result = try HTTPURL(parsing: url).secured
        #expect(result.text == secured)
        #expect(try result.user == HTTPURL(parsing: url).user)
    }
}
