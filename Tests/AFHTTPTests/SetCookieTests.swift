import FoundationEssentials
import Testing

@testable import AFHTTP

@Suite struct SetCookieTests {
    private func cookie(_ field: String, from url: String = "https://a.example.com/x/y") throws -> HTTPCookie? {
        let url = try HTTPURL(parsing: url)
        return HTTPCookie(setCookie: field, from: url, host: url.cookieHost) {
            ["com", "github.io", "co.uk"].contains($0)
        }
    }

    @Test(arguments: [
        "a=1; Secure", "a=1; secure=true", "a=1; SECURE =0", "a=1;secure=\"false\"", "a=1; HttpOnly; Secure;",
    ])
    func `the name of a flag sets it, with any value`(field: String) throws {
        #expect(try cookie(field)?.isSecure == true)
        #expect(try cookie(field, from: "http://a.example.com/") == nil)
        #expect(try cookie(field, from: "http://localhost/")?.isSecure == true)
    }

    @Test(arguments: ["a=1; xSecure", "a=1; x=Secure", "a=Secure", "a=1, Secure"])
    func `other attributes are not the flag`(field: String) throws { #expect(try cookie(field)?.isSecure == false) }

    @Test(arguments: [
        "", ";", "=v", "=v; Path=/x", "v", "Secure", "a=1\u{1}", "a\tb=1", "a=\u{7F}", "__Secure-a=1",
        "__host-a=1; Secure",
        "__Host-a=1; Secure; Path=/; Domain=example.com", "a=1; Domain=b.example.com", "a=1; Domain=com",
        "a=1; Domain=example.com.", "a=1; Domain=ample.com", "a=1; Domain=a.a.example.com",
    ])
    func `a cookie that must not be stored is nil`(field: String) throws { #expect(try cookie(field) == nil) }

    @Test(arguments: [
        ("a=1", "a.example.com"), ("a=1; Domain=", "a.example.com"), ("a=1; Domain=.", "a.example.com"),
        ("a=1; Domain=EXAMPLE.com", ".example.com"), ("a=1; Domain=.example.com", ".example.com"),
        ("a=1; Domain=b.com; Domain=example.com", ".example.com"), ("a=1; domain = A.example.com", ".a.example.com"),
    ])
    func `the domain is that of the last attribute`(field: String, domain: String) throws {
        #expect(try cookie(field)?.domain == domain)
    }

    @Test func `a host that is a public suffix or an address sets cookies for itself alone`() throws {
        #expect(try cookie("w=1; Domain=github.io", from: "https://github.io/")?.domain == "github.io")
        #expect(try cookie("w=1; Domain=github.io", from: "https://a.github.io/") == nil)
        #expect(try cookie("w=1; Domain=127.0.0.1", from: "https://127.0.0.1/")?.domain == "127.0.0.1")
        #expect(try cookie("w=1; Domain=0.0.1", from: "https://127.0.0.1/") == nil)
        #expect(try cookie("w=1; Domain=::1", from: "https://[::1]/")?.domain == "::1")
    }

    @Test(arguments: [
        ("a=1", "/x"), ("a=1; Path", "/x"), ("a=1; Path=", "/x"), ("a=1; Path=y", "/x"), ("a=1; Path=\"/q\"", "/q"),
        ("a=1; Path=/a; Path=/b", "/b"), ("a=1; Path=/é", "/é"), ("a=1; path = /p ", "/p"),
    ])
    func `the path is an absolute one, or else that of the URL`(field: String, path: String) throws {
        #expect(try cookie(field)?.path == path)
    }

    @Test(arguments: [("/", "/"), ("/x", "/"), ("/x/", "/x"), ("/x/y/z?/q", "/x/y")])
    func `the default path ends before the last slash`(target: String, path: String) throws {
        #expect(try cookie("a=1", from: "https://a.example.com" + target)?.path == path)
    }

    @Test(
        arguments: [
            ("a=1; Max-Age=abc", nil), ("a=1; Max-Age=", nil), ("a=1; Max-Age=1.5", nil), ("a=1; Max-Age=+5", nil),
            ("a=1; Max-Age=0", false), ("a=1; Max-Age=-1", false), ("a=1; Max-Age=\"0\"", false),
            ("a=1; Max-Age=9", true),
            ("a=1; Max-Age=99999999999999999999", true),
            ("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9", true),
            ("a=1; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT", true),
            ("a=1; Expires=Fri, 01 Jan 2099 00:00:00 GMT; Max-Age=0", false),
            ("a=1; Expires=Fri, 01 Jan 2099 00:00:00 GMT; Max-Age=", true), ("a=1; Expires=never", nil),
            ("a=1; Expires=Mon, 01-Jan-1601 00:00:00 GMT", false), ("a=1; Expires=Thu, 01-Jan-70 00:00:01 GMT", false),
            ("a=1; Expires=Mon, 01 Jan 1900 00:00:00 GMT", false), ("a=1; Expires=Wed, 01 Jan 2098 00:00:00 GMT", true),
        ] as [(String, Bool?)])
    func `Max-Age precedes Expires, and malformed ones are ignored`(field: String, isAlive: Bool?) throws {
        let cookie = try #require(try cookie(field))
        #expect((cookie.expiresDate == nil ? nil : cookie.isAlive()) == isAlive)
    }

    @Test(
        arguments: [
            ("Thu, 01-Jan-70 00:00:01 GMT", 1), ("Mon, 01-Jan-1601 00:00:00 GMT", -11_644_473_600),
            ("Thu Jan  1 69 00:00:00", 3_124_224_000), ("1 january 99 1:2:3x", 915_152_523),
            ("2030-Jan-05 00:00:00", 1_893_801_600), ("Thu, 01 Jan 1970 00:00:00 +0100", 0),
            ("00:00:00 01 Jan 2030", 1_893_456_000), ("Tuesday, 01-Jan-30 00:00:00 GMT", 1_893_456_000),
            ("Sat, 31 Feb 2099 00:00:00 GMT", nil), ("01 Jan 1600 00:00:00", nil), ("01 Jan 2030 10:18", nil),
            ("01 Jan 2030 24:00:00", nil), ("01 Jan 2030 00:00:60", nil), ("01 Jan 20210 00:00:00", nil), ("", nil),
        ] as [(String, Int64?)])
    func `a date has any of the forms of servers`(text: String, seconds: Int64?) {
        #expect(HTTPDate(ofCookie: text.utf8)?.secondsSince1970 == seconds)
    }

    @Test func `name and value keep their octets`() throws {
        let cookie = try #require(try cookie(String(octets: Array("n".utf8) + [0xE9, 0x3D, 0xFF, 0xFE])))
        #expect(cookie.name.octets == [0x6E, 0xE9])
        #expect(cookie.value.octets == [0xFF, 0xFE])
        #expect(cookie.netscapeLine.flatMap { HTTPCookie(netscapeLine: $0) }?.value == cookie.value)
    }

    @Test func `sizes are limited`() throws {
        #expect(try cookie("a=" + String(repeating: "x", count: 4095)) != nil)
        #expect(try cookie("a=" + String(repeating: "x", count: 4096)) == nil)
        #expect(try cookie("a=1; Path=/" + String(repeating: "x", count: 1023))?.path.count == 1024)
        #expect(try cookie("a=1; Path=/" + String(repeating: "x", count: 1024))?.path == "/x")
    }
}
