import AFHTTP
import FoundationEssentials
import Testing

struct HTTPCookieTests {
    private func line(expires date: Date?) -> String? {
        HTTPCookie(name: "n", value: "v", domain: "a.example", expiresDate: date).netscapeLine
    }

    @Test(arguments: [
        "a.example\tFALSE\t/\tFALSE\t0\tn\tv", ".a.example\tTRUE\t/x\tTRUE\t1700000000\tn\tv w",
        "#HttpOnly_a.example\tFALSE\t/\tFALSE\t0\tn\t",
        // A dot or an underscore and a combining mark are one character.
        ".\u{31A}a.example\tTRUE\t/\tFALSE\t0\tn\tv", "#HttpOnly_\u{31A}a.example\tFALSE\t/\tFALSE\t0\tn\tv",
    ])
    func `a line of a cookie file is unchanged after reading and writing`(line: String) {
        #expect(HTTPCookie(netscapeLine: line)?.netscapeLine == line)
    }

    @Test(arguments: [
        "", "# comment", "a\tFALSE\t/\tFALSE\t0", "a\tFALSE\t/\tFALSE\t0\t\tv", "a\tFALSE\t/\tFALSE\t0\tn\tv\tw",
        "a\tFALSE\t/\tFALSE\t0\tn\tv\u{0}", "a\tFALSE\t/\tFALSE\tsoon\tn\tv",
        "a\tFALSE\t/\tFALSE\tinf\tn\tv", "a\tFALSE\t/\tFALSE\tnan\tn\tv",
    ])
    func `an invalid line is rejected`(line: String) { #expect(HTTPCookie(netscapeLine: line) == nil) }

    @Test(arguments: [
        ("a\tFALSE\t/\ttrue\t0\tn\tv", "a\tFALSE\t/\tTRUE\t0\tn\tv"),
        (".a\ttRuE\t/\tfalse\t0\tn\tv", ".a\tTRUE\t/\tFALSE\t0\tn\tv"),
        ("a\tFALSE\t/\tFALSE\t\tn\tv", "a\tFALSE\t/\tFALSE\t0\tn\tv"),
        ("a\tFALSE\t/\tFALSE\t0\tn", "a\tFALSE\t/\tFALSE\t0\tn\t"),
        ("#HttpOnly_a\tFALSE\t/\tFALSE\t0\tn", "#HttpOnly_a\tFALSE\t/\tFALSE\t0\tn\t"),
    ])
    func `a line of another tool is read`(line: String, written: String) {
        #expect(HTTPCookie(netscapeLine: line)?.netscapeLine == written)
    }

    @Test(arguments: ["a\tb", "a\nb", "a\0b"])
    func `a value with a tab, line feed or NUL has no line in a cookie file`(value: String) {
        #expect(HTTPCookie(name: "n", value: value, domain: "a.example").netscapeLine == nil)
    }

    @Test func `a domain that would make its line a comment has no line in a cookie file`() {
        #expect(HTTPCookie(name: "n", value: "v", domain: "#a.example").netscapeLine == nil)
    }

    @Test func `an expired cookie is not written as a session cookie`() {
        #expect(line(expires: nil)?.contains("\t0\tn") == true)
        #expect(line(expires: Date(timeIntervalSince1970: 0))?.contains("\t1\tn") == true)
        #expect(line(expires: .distantPast)?.contains("\t1\tn") == true)
    }

    @Test(arguments: ["32517255427200", "9223372036854775807", "1e300", "-5", "1.5"])
    func `a cookie with any expiration date is unchanged after writing and reading`(seconds: String) throws {
        let cookie = try #require(HTTPCookie(netscapeLine: "a.example\tFALSE\t/\tFALSE\t\(seconds)\tn\tv"))
        #expect(HTTPCookie(netscapeLine: try #require(cookie.netscapeLine)) == cookie)
    }

    @Test(arguments: [1e300, .infinity, .nan])
    func `an extreme expiration date is still written as a date`(seconds: Double) throws {
        let written = try #require(line(expires: Date(timeIntervalSince1970: seconds)))
        #expect(HTTPCookie(netscapeLine: written)?.expiresDate != nil)
    }
}
