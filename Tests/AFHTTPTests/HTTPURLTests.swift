import AFHTTP
import FoundationEssentials
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://example.org", "http://example.org/"),
        ("HTTP://Example.ORG:80/a?b#c", "http://example.org/a?b"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://user:pa%40ss@example.org/x", "http://example.org/x"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"), ("http://[0:0::1]/", "http://[::1]/"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"), ("http://[2001:DB8::A]/", "http://[2001:db8::a]/"),
        ("http://[::ffff:7f00:1]/", "http://[::ffff:127.0.0.1]/"), ("http://[1:0:0:2::]/", "http://[1:0:0:2::]/"),
        ("http://[fe80::0:1%25Eth0]/", "http://[fe80::1%25Eth0]/"),
        ("http://[FE80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://example.org?q=1", "http://example.org/?q=1"),
        ("http://example.org:/", "http://example.org/"),
        ("http://127.0.0.1/", "http://127.0.0.1/"), ("http://255.255.255.255/", "http://255.255.255.255/"),
        ("http://\(String(repeating: "a", count: 63)).b./", "http://\(String(repeating: "a", count: 63)).b./"),
        ("http://a_b.example./\"<{x}", "http://a_b.example./%22%3C%7Bx%7D"),
    ])
    func `a parsed URL is written in normalized form`(typed: String, sent: String) throws {
        #expect(try HTTPURL(parsing: typed).text == sent)
    }

    @Test func `user info is decoded and omitted from the text`() throws {
        let url = try HTTPURL(parsing: "http://me:pa%40ss@example.org/")
        #expect(url.user == "me")
        #expect(url.password == "pa@ss")
        #expect(!url.description.contains("me"))
    }

    @Test(arguments: [
        "example.org", "ftp://example.org/", "http://", "http:///x", "http://a b/", "http://a\tb/", "http://a\r\nb/",
        "http://example.org:99999/", "http://example.org:0/", "http://example.org:8o/", "http://a@b@c/",
        "http://exa%6Dple.org/", "http://example.org%2f.evil.example/", "http://example.org\\@evil.example/",
        "http://127.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1", "http://[::g]/", "http://a..b/",
        "http://ex／ample.org/", "http://[::1]x/", "http://%zz@h/", "http://127.0.0.01/", "http://256.0.0.1/",
        "http://1.2.3.4.5/", "http://1.2.3.4./", "http://1.2..4/", "http://./", "http://.a/", "http://a../",
        "http://[::1%25sixteenletters16]/", "http://\(String(repeating: "a", count: 64)).example/",
    ])
    func `invalid and ambiguous URLs are rejected`(text: String) {
        #expect(throws: InvalidURL.self) { try HTTPURL(parsing: text) }
    }

    @Test(arguments: [
        ("http://x.test/a%20b?c=%2F", "http://x.test/a%20b?c=%2F"),
        ("http://x.test/?a=%20b&c[]=[1]", "http://x.test/?a=%20b&c%5B%5D=%5B1%5D"),
        ("http://x.test/a|b?50%[x", "http://x.test/a%7Cb?50%25%5Bx"),
    ])
    func `the Foundation URL is not percent-encoded twice`(text: String, url: String) throws {
        #expect(try HTTPURL(parsing: text).foundationURL?.absoluteString == url)
    }

    @Test func `an error never shows the password`() {
        do {
            _ = try HTTPURL(parsing: "http://me:secret@ho st/")
            Issue.record("a host with a space was accepted")
        } catch {
            #expect(!"\(error)".contains("secret"))
        }
    }

    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/../g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
        ("https://x/y z", "https://x/y%20z"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func `references resolve as RFC 3986 says`(reference: String, expected: String) throws {
        let base = try HTTPURL(parsing: "http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).text == expected)
    }

    @Test(arguments: ["ftp://x/", "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b"])
    func `references to other schemes are refused`(reference: String) throws {
        let base = try HTTPURL(parsing: "http://a/")
        #expect(throws: InvalidURL.self) { try base.resolving(reference) }
    }

    @Test(arguments: ["http:/x", "https:x", "http:"])
    func `a reference without a host is an error with the reason emptyHost`(reference: String) throws {
        let base = try HTTPURL(parsing: "http://a/")
        let error = #expect(throws: InvalidURL.self) { try base.resolving(reference) }
        #expect(error?.reason == .emptyHost)
    }

    @Test func `credentials written into a redirect are dropped`() throws {
        let url = try HTTPURL(parsing: "http://a/").resolving("http://u:p@b/")
        #expect(url.user == nil)
        #expect(url.password == nil)
    }

    @Test(arguments: [
        "http://example.org/", "https://example.org:8443/a/b?c=d&e=f", "http://127.0.0.1:8080/small.json",
        "http://a-b_c.example.org/~user/x.y?", "http://localhost/a:b",
    ])
    func `the plain initializer accepts canonical URLs with the same result`(text: String) throws {
        #expect(HTTPURL(plain: text) == (try HTTPURL(parsing: text)))
    }

    @Test(arguments: [
        "", "http", "http:/a/", "http:///", "http://a", "http://a?b=/", "http://A/", "HTTP://a/", "http://a:80/",
        "https://a:443/", "http://a:/", "http://a:0/", "http://a:08/", "http://a:65536/", "http://a:123456/",
        "http://a:b/", "http://a..b/", "http://127.1/", "http://1.2.3.256/", "http://a@b/", "http://a/#b",
        "http://a/%20",
        "http://[::1]/", "http://a/ ", "ftp://a/", "http://a?b:80/",
    ])
    func `the plain initializer rejects other strings`(text: String) { #expect(HTTPURL(plain: text) == nil) }

    @Test(arguments: ["", "h", "h:", "h:/", "h:/é", "h:é", "é://a", ":///", "http:/\u{301}/a", "http\u{301}://a"])
    func `a text without scheme is no URL`(text: String) {
        let error = #expect(throws: InvalidURL.self) { try HTTPURL(parsing: text) }
        #expect(error?.reason == .missingScheme)
    }

    @Test func `URLs with the same components are equal`() throws {
        let url = try HTTPURL(parsing: "http://u:p@a:81/b")
        #expect(Set([url, try HTTPURL(parsing: "HTTP://u:p@A:81/b#c")]).count == 1)
        for other in [
            "https://u:p@a:81/b", "http://v:p@a:81/b", "http://u@a:81/b", "http://u:p@a/b", "http://u:p@a:81/",
        ] {
            #expect(try HTTPURL(parsing: other) != url)
        }
    }
}
