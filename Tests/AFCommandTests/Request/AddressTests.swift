import AFHTTP
import Testing

@testable import AFCommand

@Suite struct AddressTests {
    @Test(arguments: [
        (":", "http://localhost/"), (":/", "http://localhost/"), (":3000", "http://localhost:3000/"),
        (":/p", "http://localhost/p"), (":3000/p?a=b", "http://localhost:3000/p?a=b"),
        (":?a=b", "http://localhost/?a=b"),
        ("localhost", "http://localhost/"), ("example.org/x", "http://example.org/x"),
        ("://example.org", "http://example.org/"), ("//example.org/p", "http://example.org/p"),
        ("HTTPS://Example.org", "https://example.org/"),
        ("localhost:80/x", "http://localhost/x"), ("example.org:", "http://example.org/"),
        ("[::1]:80/x", "http://[::1]/x"), ("::1", "http://[::1]/"), ("::1/x", "http://[::1]/x"),
        ("fe80::1%eth0", "http://[fe80::1%25eth0]/"), ("[fe80::1%eth0]:8/", "http://[fe80::1%25eth0]:8/"),
        ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
        ("bücher.example/ä", "http://xn--bcher-kva.example/%C3%A4"), ("example.org#frag", "http://example.org/"),
        ("example.org/a#b?c", "http://example.org/a"), ("example.org?q", "http://example.org/?q"),
        ("example.org/a b?c d", "http://example.org/a%20b?c%20d"), ("example.org/100%", "http://example.org/100%25"),
        ("example.org/%zz%41?%2", "http://example.org/%25zz%41?%252"),
        ("example.org/\"<>\\^`{|}", "http://example.org/%22%3C%3E%5C%5E%60%7B%7C%7D"),
        ("example.org/../../etc/./x/..", "http://example.org/etc/"),
        ("example.org/a/b/../c/.", "http://example.org/a/c/"),
        ("example.org/a//b", "http://example.org/a//b"), ("example.org/a/%2E%2e/b", "http://example.org/b"),
        ("example.org/..a/.b", "http://example.org/..a/.b"),
        ("example.org/?a=/../b", "http://example.org/?a=/../b"), ("example.org/x?", "http://example.org/x?"),
    ])
    func `a URL is completed`(typed: String, url: String) throws {
        #expect(try Address(typed).url.text == url)
    }

    @Test(arguments: [
        ("//u:s3cret@h/p", "//h/p"), ("://u:s3cret@h", "://h"), ("http://u:s3cret@h", "http://h"), ("u:s3cret@h", "h"),
        ("u:s3cret@h/?a=http://i/@j", "h/?a=http://i/@j"), ("//h/@p", "//h/@p"),
    ])
    func `the user info of any form of a URL is hidden`(typed: String, shown: String) {
        #expect(typed.withoutUserInfo == shown)
    }

    @Test(arguments: ["//u:s3cret@h:99999/", "u:s3cret@h:99999/?a=http://i/", "http://u:s3cret@h:99999/"])
    func `an error in a URL does not show the password`(typed: String) {
        let error = #expect(throws: UsageError.self) { try Address(typed) }
        #expect(!"\(String(describing: error))".contains("s3cret"))
    }

    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"])
    func `a combining character after a separator does not hide it`(mark: String) throws {
        #expect(try Address("http://good.example/\(mark)@evil.example/").host == "good.example")
        #expect(try Address("http://good.example?\(mark)@evil.example/").host == "good.example")
        #expect(try Address("http://good.example#\(mark)@evil.example/").host == "good.example")
        #expect(try Address("http://u:\(mark)p@example.org/").credential?.user == "u")
        #expect(try Address("http://example.org/?a=b#\(mark)c").url.text == "http://example.org/?a=b")
        #expect(throws: UsageError.self) { try Address("http://a\\\(mark)@example.org/") }
        #expect("http://u:p@\(mark)example.org/".withoutUserInfo.contains("p@") == false)
    }

    @Test(arguments: [
        "http://h/", "http://h/p", "https://h.example:8443/p/q?a=b&c=/./d", "http://127.0.0.1:8080/a//b?",
        "http://h/.a", "http://h/a/./b", "http://h/a/..", "http://h:80/", "http://h", "http://h?q",
        "http://a_b.example/~c:d/",
    ])
    func `a URL that needs no changes is parsed as one with another spelling of the scheme`(typed: String) throws {
        for options in [Address.Options(), Address.Options(keepsPath: true), Address.Options(fileName: "f")] {
            let other = try Address("H" + typed.dropFirst(), options)
            #expect(try Address(typed, options) == other)
            #expect(try Address(typed).completed(options) == other)
        }
    }

    @Test func `the default scheme applies only to URLs without one`() throws {
        let https = Address.Options(defaultScheme: .https)
        #expect(try Address("example.org", https).url.text == "https://example.org/")
        #expect(try Address(":3000", https).url.text == "https://localhost:3000/")
        #expect(try Address("http://example.org", https).url.text == "http://example.org/")
    }

    @Test func `query items come after the URL's own query`() throws {
        let options = Address.Options(query: "x=1&x=2")
        #expect(try Address("h", options).url.text == "http://h/?x=1&x=2")
        #expect(try Address("h?a=b#f", options).url.text == "http://h/?a=b&x=1&x=2")
        #expect(try Address("h/p?", options).url.text == "http://h/p?x=1&x=2")
    }

    @Test func `a path as typed is changed only where the request requires it`() throws {
        let options = Address.Options(keepsPath: true)
        #expect(try Address("h/a/../b/%zz|{ é", options).url.text == "http://h/a/../b/%zz%7C%7B%20%C3%A9")
    }

    @Test func `an uploaded file's name completes a path that ends with a slash`() throws {
        let options = Address.Options(fileName: "a b?.txt")
        #expect(try Address("h/dir/", options).url.text == "http://h/dir/a%20b%3F.txt")
        #expect(try Address("h", options).url.text == "http://h/a%20b%3F.txt")
        #expect(try Address("h/x", options).url.text == "http://h/x")
    }

    @Test(arguments: [
        ("http://user:pa%40ss@h/", "user", "pa@ss"), ("u%3Av:p:q@h", "u:v", "p:q"), ("http://user@h", "user", ""),
        ("http://:p@h", "", "p"), ("http://u:p%40ss@h/@x@y", "u", "p@ss"),
    ])
    func `user info is split off and decoded`(typed: String, user: String, password: String) throws {
        let address = try Address(typed)
        #expect(address.credential?.user == user)
        #expect(address.credential?.password == password)
        #expect(address.url.text == (typed.hasSuffix("@y") ? "http://h/@x@y" : "http://h/"))
    }

    @Test func `a host or a user may have the name of a scheme`() throws {
        #expect(try Address("data:8080/x").url.text == "http://data:8080/x")
        #expect(try Address("ftp:secret@h").credential?.password == "secret")
    }

    @Test func `an @ in the path is not user info`() throws {
        #expect(try Address("h/@x").credential == nil)
        #expect(try Address("http://@h/").credential == nil)
    }

    @Test(arguments: [
        ("", "the URL has no host"), ("http://", "the URL has no host"), ("http:///x", "the URL has no host"),
        ("://", "the URL has no host"), ("ftp://h", "the scheme is neither http nor https: 'ftp'"),
        ("h\r\nX: y", "a URL must not contain control characters"),
        ("h/\u{0}", "a URL must not contain control characters"),
        ("h:99999", "invalid port '99999': expected 1 to 65535"),
        (":3000x", "invalid port '3000x': expected 1 to 65535"),
        (":abc", "invalid port 'abc': expected 1 to 65535"), ("http://[::1", "the IPv6 address has no closing bracket"),
        ("a b", "invalid host 'a b'"), ("http://h\\x/", "a backslash is not allowed before the path"),
        ("http://h\\@evil/", "a backslash is not allowed before the path"),
        ("u\\:p@h", "a backslash is not allowed before the path"),
        ("mailto:ada@example.org", "the scheme is neither http nor https: 'mailto'"),
        ("file:/etc/passwd", "the scheme is neither http nor https: 'file'"),
        ("javascript:alert(1)", "the scheme is neither http nor https: 'javascript'"),
        ("http:/h/x", "a scheme is followed by two slashes"), ("HTTPS:/h", "a scheme is followed by two slashes"),
        ("http://u%0a:p@h", "the user info is not percent-encoded UTF-8 text"),
        ("http://u%ff:p@h", "the user info is not percent-encoded UTF-8 text"),
        ("http://u:p@ss@h", "the URL has two @ before the path"), ("u:p@ss@h", "the URL has two @ before the path"),
        ("http://@@h", "the URL has two @ before the path"),
        ("http://u@x.example:80@h/", "the URL has two @ before the path"),
        ("http://[::1]x/", "invalid host '[::1]x'"), ("[::1]80", "invalid host '[::1]80'"),
        ("http://u:100%@h", "the user info is not percent-encoded UTF-8 text"),
    ])
    func `an invalid URL is rejected`(typed: String, problem: String) {
        let error = #expect(throws: UsageError.self) { try Address(typed) }
        #expect(error?.problem == problem)
    }

    @Test func `an error does not repeat the password`() {
        let error = #expect(throws: UsageError.self) { try Address("http://ada:secret@h:99999/x@y") }
        #expect(error?.argument == "http://...@h:99999/x@y")
    }
}
