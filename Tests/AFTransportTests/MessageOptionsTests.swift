import AFHTTP
import AFTransport
import TestSupport
import Testing

/// Unusual messages: targets, transfer codings, tunnels and the authentication of proxies.
@Suite(.timeLimit(.minutes(5))) struct MessageOptionsTests {
    let transport = CurlTransport()

    @Test func `another target is sent instead of that of the URL`() async throws {
        let server = try LocalServer { .ok($0.target) }
        let record = try await transport.fetch(server.url("/a")) { $0.messages.requestTarget = "*" }
        #expect(record.text == "*")
        #expect(try await transport.fetch(server.url("/a")).text == "/a")
    }

    @Test func `a transfer coding is requested, and by no other transfer`() async throws {
        let server = try LocalServer { .ok($0["TE"] ?? "") }
        let record = try await transport.fetch(server.url()) { $0.messages.requestsTransferCoding = true }
        #expect(record.text == "gzip")
        // Also if libcurl has a handle that did.
        #expect(try await transport.fetch(server.url()).text == "")
    }

    @Test func `chunks are not decoded`() async throws {
        let server = try LocalServer { _ in
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        }
        let record = try await transport.fetch(server.url()) { $0.messages.decodesTransferCoding = false }
        #expect(record.text == "2\r\nok\r\n0\r\n\r\n")
    }

    @Test func `a wrong Content-Length is ignored`() async throws {
        let server = try LocalServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok") }
        let record = try await transport.fetch(server.url()) { $0.messages.ignoresContentLength = true }
        #expect(record.text == "ok" && record.outcome?.failure == nil)
    }

    @Test func `a response without a header is accepted only on request`() async throws {
        let server = try LocalServer { _ in .raw("plain\nbody\n") }
        let refused = try await transport.fetch(server.url())
        #expect(refused.failure?.reason == .notHTTP)
        let record = try await transport.fetch(server.url()) { $0.messages.acceptsHTTP09 = true }
        #expect(record.text == "plain\nbody\n" && record.outcome?.failure == nil)
        #expect(record.head?.httpVersion == "HTTP/0.9")
    }

    @Test func `a connection starts at a local port of the range`() async throws {
        let server = try LocalServer { _ in .ok() }
        let record = try await transport.fetch(server.url()) { $0.network.localPorts = 21000...28999 }
        #expect(record.outcome?.metrics.localPort.map { (21000...28999).contains($0) } == true)
    }

    @Test func `http requests use a tunnel, too`() async throws {
        let proxy = try TunnelProxy()
        let server = try LocalServer { .ok("\($0.target) \($0["X-Proxy"] ?? "")") }
        let record = try await transport.fetch(server.url("/a")) {
            $0.proxy = ProxyOptions(url: proxy.url)
            $0.proxy?.tunnelsAll = true
            $0.proxy?.isHTTP10 = true
            $0.proxy?.headerLines = ["X-Proxy: 1"]
        }
        #expect(record.text == "/a ")
        let head = try #require(proxy.heads.first)
        #expect(head.hasPrefix("CONNECT \(server.authority) HTTP/1.0\r\n"))
        #expect(head.contains("X-Proxy: 1\r\n"))
    }

    @Test(arguments: [AuthenticationOptions.Kinds.digest, [.basic, .digest]])
    func `a proxy's challenge is answered, and a password is not sent as Basic`(
        kinds: AuthenticationOptions.Kinds
    ) async throws {
        let proxy = try LocalServer { request in
            request["Proxy-Authorization"]?.hasPrefix("Digest ") == true
                ? .ok("in")
                : .status(407).header("Proxy-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"")
        }
        let record = try await transport.fetch("http://host.example/") {
            $0.proxy = ProxyOptions(
                url: "http://\(proxy.authority)", credential: URLCredential(user: "u", password: "p"))
            $0.proxy?.credentialKinds = kinds
        }
        #expect(record.text == "in")
        #expect(proxy.requests.map { $0["Proxy-Authorization"]?.hasPrefix("Digest ") } == [nil, true])
    }
}
