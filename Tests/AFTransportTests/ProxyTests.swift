import AFHTTP
import AFTransport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    let transport = CurlTransport()
    private let credential = URLCredential(user: "u", password: "p")

    @Test func `a plain HTTP request is sent to the proxy with the absolute URL and the credential`() async throws {
        let proxy = try LocalServer { .ok("via \($0.target)") }
        let record = try await transport.fetch("http://host.example:8080/a?b") {
            $0.proxy = ProxyOptions(url: "http://\(proxy.authority)", credential: credential)
        }
        #expect(record.text == "via http://host.example:8080/a?b")
        #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic dTpw")
        #expect(proxy.requests.first?["Host"] == "host.example:8080")
        #expect(record.heads.map(\.kind) == [.final])
    }

    @Test func `a tunnel hides the request from the proxy and the credential from the server`() async throws {
        let proxy = try TunnelProxy()
        let nginx = try await NginxServer(
            directives:
                "location /echo { return 200 \"[$http_proxy_authorization][$http_authorization][$http_x_secret]\"; }"
        )
        let headers: HTTPHeaders = [
            HTTPHeader(name: "X-Secret", value: "s"), HTTPHeader(name: "Authorization", value: "Bearer t"),
        ]
        let record = try await transport.fetch(nginx.secureURL("/echo"), headers: headers) {
            $0.proxy = ProxyOptions(url: proxy.url, credential: credential)
            $0.tls.authorities = .file(nginx.root)
        }
        #expect(record.text == "[][Bearer t][s]")
        #expect(record.heads.map(\.kind) == [.tunnel, .final])
        #expect(record.heads.first?.response.headers["X-Proxy"] == "1")
        #expect(record.outcome?.metrics.isProxyConnection == true)
        #expect(record.outcome?.metrics.usesProxy == true)
        let head = proxy.heads.first ?? ""
        #expect(head.hasPrefix("CONNECT localhost:\(nginx.securePort) HTTP/1.1\r\n"))
        #expect(head.contains("Proxy-Authorization: Basic dTpw\r\n"))
        #expect(!head.contains("X-Secret") && !head.contains("Bearer"))
    }

    @Test(
        arguments: [(["me"], []), (["me", "other"], []), (["me"], ["user-agent"]), ([], [])] as [([String], [String])])
    func `the proxy of a tunnel gets the first User-Agent that is sent`(agents: [String], removed: [String])
        async throws
    {
        let proxy = try TunnelProxy()
        let nginx = try await NginxServer(directives: "location /echo { return 200 \"[$http_user_agent]\"; }")
        let headers = HTTPHeaders(repeating: agents.map { HTTPHeader(name: "User-Agent", value: $0) })
        _ = try await transport.fetch(nginx.secureURL("/echo"), headers: headers) {
            $0.proxy = ProxyOptions(url: proxy.url)
            $0.tls.authorities = .file(nginx.root)
            $0.removedHeaders = removed
        }
        let expected = removed.isEmpty ? Array(agents.prefix(1)) : []
        let lines = proxy.heads.first?.split(separator: "\r\n").filter { $0.hasPrefix("User-Agent:") }
        #expect(lines.map { $0.map(String.init) } == expected.map { "User-Agent: \($0)" })
    }

    @Test func `a request through a proxy without a tunnel has one User-Agent`() async throws {
        let proxy = try LocalServer { .ok("\($0.headers.filter { $0.name == "User-Agent" }.map(\.value))") }
        let headers: HTTPHeaders = [HTTPHeader(name: "User-Agent", value: "me")]
        let record = try await transport.fetch("http://host.example/", headers: headers) {
            $0.proxy = ProxyOptions(url: "http://\(proxy.authority)")
        }
        #expect(record.text == "[\"me\"]")
    }

    @Test func `a Proxy-Authorization field set by the caller is sent only to the proxy`() async throws {
        let headers: HTTPHeaders = [HTTPHeader(name: "Proxy-Authorization", value: "Basic eA==")]
        let tunnel = try TunnelProxy()
        let nginx = try await NginxServer(
            directives: "location /echo { return 200 \"[$http_proxy_authorization]\"; }"
        )
        let inside = try await transport.fetch(nginx.secureURL("/echo"), headers: headers) {
            $0.proxy = ProxyOptions(url: tunnel.url)
            $0.tls.authorities = .file(nginx.root)
        }
        #expect(inside.text == "[]")
        #expect(tunnel.heads.first?.contains("Proxy-Authorization: Basic eA==") == true)
        let bypassed = try await transport.fetch(nginx.url("/echo"), headers: headers) {
            $0.proxy = ProxyOptions(url: tunnel.url, bypass: "127.0.0.1")
        }
        #expect(bypassed.text == "[]")
        let proxy = try LocalServer { .ok($0["Proxy-Authorization"] ?? "none") }
        let inClear = try await transport.fetch("http://host.example/", headers: headers) {
            $0.proxy = ProxyOptions(url: "http://\(proxy.authority)")
        }
        #expect(inClear.text == "Basic eA==")
    }

    @Test func `an HTTPS proxy is verified with the same authorities as a server`() async throws {
        // nginx accepts the absolute form of requests to proxies, so it can replace a proxy without tunnels.
        let certificates = try await TestCertificates.shared
        let proxy = try await NginxServer(directives: "location /p { return 200 \"$host $http_proxy_authorization\"; }")
        let places: [TLSOptions.Authorities] = [
            .file(proxy.root), .directory(certificates.rootFolder), .bundle(try ScratchFolder.bytes(at: proxy.root)),
        ]
        for authorities in places {
            let record = try await transport.fetch("http://host.example/p") {
                $0.proxy = ProxyOptions(url: "https://localhost:\(proxy.securePort)", credential: credential)
                $0.tls.authorities = authorities
            }
            #expect(record.text == "host.example Basic dTpw", "\(record.failure.debugDescription)")
        }
        let stranger = try await transport.fetch("http://host.example/p") {
            $0.proxy = ProxyOptions(url: "https://localhost:\(proxy.securePort)", credential: credential)
        }
        #expect(stranger.failure?.kind == .untrustedCertificate)
        #expect(proxy.finalRequests().count == 3)
    }

    @Test(arguments: [403, 407, 502])
    func `an error response to CONNECT is a refusal by the proxy`(status: Int) async throws {
        let proxy = try TunnelProxy { _ in "HTTP/1.1 \(status) No\r\nContent-Length: 0\r\nX-Why: 1\r\n\r\n" }
        let record = try await transport.fetch("https://host.example/") { $0.proxy = ProxyOptions(url: proxy.url) }
        #expect(record.failure?.kind == .proxyRefused)
        #expect(record.heads.map(\.kind) == [.tunnel])
        #expect(record.heads.first?.response.statusCode == status)
        #expect(record.heads.first?.response.headers["X-Why"] == "1")
    }

    @Test func `a connection closed by the proxy is a refusal by the proxy`() async throws {
        let proxy = try LocalServer { _ in .close }
        let record = try await transport.fetch("https://host.example/") {
            $0.proxy = ProxyOptions(url: "http://\(proxy.authority)")
        }
        #expect(record.failure?.kind == .proxyRefused)
    }

    @Test func `a proxy that never responds runs into the connect timeout`() async throws {
        let proxy = try LocalServer.silent()
        let record = try await transport.fetch("https://host.example/") {
            $0.proxy = ProxyOptions(url: "http://\(proxy.authority)")
            $0.timeouts.connect = 0.3
        }
        #expect(record.failure?.kind == .connectTimedOut)
    }

    @Test(
        arguments: [
            (1, .targetUnreachable, "general failure"), (2, .tunnelRefused, "its rules do not allow it"),
            (3, .targetUnreachable, "network unreachable"), (4, .targetUnreachable, "host unreachable"),
            (5, .targetUnreachable, "connection refused"), (6, .targetUnreachable, "TTL expired"),
            (7, .tunnelRefused, "CONNECT is not supported"),
            (8, .addressType, "the type of the address is not supported"),
            (9, nil, "complete SOCKS5 connection to host.example. (9)"),
        ] as [(UInt8, TransferFailure.Reason?, String)])
    func `an error reply of a SOCKS proxy is a refusal with its reason`(
        reply: UInt8, reason: TransferFailure.Reason?, detail: String
    ) async throws {
        let proxy = try LocalServer.scripted { connection in
            _ = try connection.receive(atMost: 16)
            try connection.send([5, 0])
            _ = try connection.receive(atMost: 100)
            try connection.send([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
            try connection.waitForClose()
        }
        let record = try await transport.fetch("http://host.example/") {
            $0.proxy = ProxyOptions(url: "socks5h://\(proxy.authority)")
        }
        #expect(record.failure?.kind == .proxyRefused)
        #expect(record.failure?.reason == reason)
        // Without a reason, it is libcurl's message, whose first words depend on the version.
        #expect(record.failure?.detail.hasSuffix(detail) == true, "\(String(describing: record.failure))")
    }

    @Test func `SOCKS 4 reaches no IPv6 address, and says so`() async throws {
        let proxy = try LocalServer.scripted { try $0.waitForClose() }
        let record = try await transport.fetch("http://[::1]:81/") {
            $0.proxy = ProxyOptions(url: "socks4://\(proxy.authority)")
        }
        #expect(record.failure?.kind == .proxyRefused)
        #expect(record.failure?.reason == .addressType)
    }

    @Test(arguments: ["127.0.0.1", "*", "other.example, 127.0.0.1"])
    func `a host on the bypass list is reached without the proxy`(bypass: String) async throws {
        let server = try LocalServer { .ok($0.target) }
        let port = try RefusingPort()
        let record = try await transport.fetch(server.url("/direct")) {
            $0.proxy = ProxyOptions(url: "http://\(port.authority)", bypass: bypass)
        }
        #expect(record.text == "/direct")
    }

    @Test(arguments: [
        ("bücher.example", "http://bücher.example/"), ("BÜCHER.example", "http://www.bücher.example/"),
        ("xn--bcher-kva.example", "http://bücher.example/"), (".h.example", "http://h.example/"),
        ("h.example.", "http://a.h.example/"), ("h.example:080", "http://h.example/"),
        ("127.0.0.1.", "http://127.0.0.1/"),
        ("[::1]:81", "http://[0::1]:81/"), ("10.0.0.0/8:81", "http://10.1.2.3:81/"),
        ("[fd00::]/8", "http://[fd01::1]/"),
        ("a b,\tc", "http://c/"), ("x,*", "http://[::1]/"),
    ])
    func `an entry of the bypass list matches hosts in all of their notations`(bypass: String, url: String) throws {
        #expect(ProxyOptions(url: "http://p", bypass: bypass).isBypassed(for: try HTTPURL(parsing: url)))
        #expect(ProxyOptions.bypassEntries(of: bypass).allSatisfy { $0.canMatch })
    }

    @Test(arguments: [
        "*.localhost", "127.*", "*.*", "http://h", "h/", "127.0.0.1/33", "::1/200", "[::1", "::1]", "10.", "10.0.0",
        "h:", "h:x", "h:65536", "u@h", "a..b", ".", "[::1]:x", "fe80::1%eth0", "10.0.0.0/-1", "h?",
    ])
    func `an entry of the bypass list that matches no host is reported`(entry: String) {
        let entries = ProxyOptions.bypassEntries(of: "a,\(entry) *")
        #expect(entries.map(\.text) == ["a", entry, "*"])
        #expect(entries.map(\.canMatch) == [true, false, true])
    }

    @Test func `proxy environment variables are ignored`() async {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
            setenv("NO_PROXY", "*", 1)
            let server = try LocalServer { .ok($0.target) }
            let direct = try await CurlTransport().fetch(server.url("/a"))
            #expect(direct.text == "/a")
            let proxied = try await CurlTransport().fetch("http://host.example/b") {
                $0.proxy = ProxyOptions(url: "http://\(server.authority)")
            }
            #expect(proxied.text == "http://host.example/b")
        }
    }

    @Test func `a new tunnel is opened after the previous one was closed`() async throws {
        let proxy = try TunnelProxy()
        let nginx = try await NginxServer(directives: "keepalive_timeout 300ms;")
        for number in 1...3 {
            let record = try await transport.fetch(nginx.secureURL("/sink")) {
                $0.httpVersion = .http1_1
                $0.proxy = ProxyOptions(url: proxy.url)
                $0.tls.authorities = .file(nginx.root)
            }
            #expect(record.heads.map(\.kind) == [.tunnel, .final])
            try await eventually("the tunnel is lost") { proxy.closedConnections == number }
        }
    }
}
