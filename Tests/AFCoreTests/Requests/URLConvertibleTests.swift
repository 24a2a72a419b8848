import AFCore
import FoundationEssentials
import Testing

struct URLConvertibleTests {
    @Test(arguments: [
        ("http://host/path?q=1#f", "http://host/path?q=1#f"),
        ("http://host/a b", "http://host/a%20b"),
        ("http://[fe80::1%25eth0]:80/x", "http://[fe80::1%25eth0]:80/x"),
        ("http://host/bücher", "http://host/b%C3%BCcher"),
        ("/relative", "/relative"), ("http://h/?q=a%20b&tags[]=1", "http://h/?q=a%20b&tags%5B%5D=1"),
        ("http://h/a%20b c", "http://h/a%20b%20c"), ("http://h/?q=%C3%A4ö", "http://h/?q=%C3%A4%C3%B6"),
        ("http://h/x%2Fy[1]", "http://h/x%2Fy%5B1%5D"), ("http://h/%zz", "http://h/%25zz"),
        ("http://u:p%40w x@h/", "http://u:p%40w%20x@h/"), ("http://h/#a#b c", "http://h/#a%23b%20c"),
        ("http://h?a=b c", "http://h?a=b%20c"),
    ])
    func `a valid string becomes a URL`(text: String, url: String) throws {
        #expect(try text.asURL().absoluteString == url)
    }

    @Test(arguments: [
        "", "http://a b", "http://a%20b/", "http://a%2Fb/", "http://a%3A80/", "http://a%00/",
        "http://user:pass/word@host/", "http://a\\@host/", "http://a\\.b/",
        "http://a@b@host/", "http://host/\r\nX: y", "http://host/\u{0}", "http://host:port/",
    ])
    func `an invalid string is an invalid URL error`(text: String) {
        let error = #expect(throws: AFError.self) { try text.asURL() }
        #expect(error?.urlConvertible as? String == text)
    }

    @Test func `a host may contain non-ASCII characters`() throws {
        // Foundation, where it is linked, spells the host in ASCII; Essentials percent-encodes it.
        let host = try "http://bücher.example/".asURL().host(percentEncoded: false)
        #expect(["bücher.example", "xn--bcher-kva.example"].contains(host))
    }

    @Test func `components become a URL`() throws {
        var components = URLComponents()
        components.scheme = "http"
        components.host = "host"
        components.path = "/p"
        #expect(try components.asURL().absoluteString == "http://host/p")
        components.path = "relative"
        #expect(throws: AFError.self) { try components.asURL() }
    }
}
