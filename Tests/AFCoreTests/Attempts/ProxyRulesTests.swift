import AFCore
import AFHTTP
import AFTransport
import Testing

@Suite struct ProxyRulesTests {
    @Test(arguments: [
        ("example.org", "http://example.org/", true), ("example.org", "http://a.example.org/", true),
        (".example.org", "http://example.org/", true), ("EXAMPLE.org", "http://example.org/", true),
        ("example.org", "http://badexample.org/", false), ("a.example.org", "http://example.org/", false),
        ("x, example.org y", "http://example.org/", true), ("*", "https://h/", true), ("", "http://h/", false),
        ("h:8080", "http://h:8080/", true), ("h:8080", "http://h/", false), ("::1", "http://[::1]/", true),
        ("[::1]", "http://[::1]/", true), ("[::1]:80", "http://[::1]/", true), (".", "http://h/", false),
        ("localhost,\n127.0.0.1", "http://127.0.0.1/", true), ("a\th\r\nb", "http://h/", true),
        ("10.0.0.0/9", "http://10.127.0.1/", true), ("10.0.0.0/9", "http://10.128.0.1/", false),
        ("0.0.0.0/0", "http://192.0.2.1/", true), ("0.0.0.0/0", "http://[::1]/", false),
        ("0.0.0.0/0", "http://h/", false), ("127.0.0.0/33", "http://127.0.0.1/", false),
        ("127.0.0.0/x", "http://127.0.0.1/", false), ("::/0", "http://[2001:db8::1]/", true),
        ("::1/64", "http://[::2]/", true), ("fd00::/8", "http://[fd12::1]/", true),
        ("fd00::/8", "http://[fe80::1]/", false), ("0::1", "http://[::1]/", true),
        ("[0:0::1]:80", "http://[::1]/", true), ("[0:0::1]:81", "http://[::1]/", false),
        ("fe80::/10", "http://[fe80::1%25eth0]/", true), ("0.0.1", "http://127.0.0.1/", false),
        ("example.org.", "http://a.example.org/", true), ("example.org", "http://example.org./", true),
        ("x,*", "http://h/", true), ("127.0.0.1:8080", "http://127.0.0.1:8080/", true), (":80", "http://h/", false),
    ])
    func `hosts bypass the proxy by name, domain, address range and port`(bypass: String, url: String, isBypassed: Bool)
        throws
    {
        let proxy = ProxyOptions(url: "http://p:1", bypass: bypass)
        let url = try HTTPURL(parsing: url)
        #expect(proxy.isBypassed(for: url) == isBypassed)
        #expect(ProxyRules(proxy).proxy(for: url) == (isBypassed ? nil : proxy))
    }

    @Test func `each scheme has its own proxy`() throws {
        let (first, second) = (ProxyOptions(url: "http://first:1"), ProxyOptions(url: "http://second:2"))
        let rules = ProxyRules(http: first, https: second)
        #expect(rules.proxy(for: try HTTPURL(parsing: "http://h/")) == first)
        #expect(rules.proxy(for: try HTTPURL(parsing: "https://h/")) == second)
        #expect(ProxyRules(https: second).proxy(for: try HTTPURL(parsing: "http://h/")) == nil)
    }
}
