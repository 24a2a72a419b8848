import Synchronization
import TestSupport
import Testing

@Suite("Safety 12: proxy credentials", .timeLimit(.minutes(5)))
struct SafetyRow12ProxyCredentialsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    static let login = "Proxy-Authorization: Basic YWRhOnMzY3JldA=="

    @Test func `proxy credentials are not sent through the tunnel`() async throws {
        let certificates = try await TestCertificates.shared
        let proxy = try TunnelProxy()
        try await withServer {
            .ok("inside \($0["Proxy-Authorization"] ?? "without")")
        } _: { server in
            let front = try TLSFront(to: server.port, identity: certificates.server)
            let words = [
                "-b", "--proxy", "http://ada:s3cret@127.0.0.1:\(proxy.port)", "--cacert", certificates.root,
                "https://localhost:\(front.port)/", "-a", "eve:other", "X-Api-Key:k",
            ]
            let run = try await folder.afcli(words)
            #expect(run.text == "inside without", "\(run.errorText)")
            let asked = try #require(proxy.heads.first)
            #expect(asked.contains("\r\n\(Self.login)\r\n"))
            // Nor does the proxy receive the credentials of the server.
            #expect(!asked.contains("\r\nAuthorization:") && !asked.contains("X-Api-Key"))
            #expect(server.requests.first?["Authorization"] == "Basic ZXZlOm90aGVy")
            // A typed Proxy-Authorization is sent to the proxy, too.
            let typed = try await folder.afcli(Array(words.dropLast(3)) + ["Proxy-Authorization:Basic typed"])
            #expect(typed.text == "inside without", "\(typed.errorText)")
        }
    }

    @Test func `a server reached without the proxy receives no proxy credentials`() async throws {
        let proxy = try LocalServer { _ in .ok("proxied") }
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            let address = "http://ada:s3cret@\(proxy.authority)"
            let through = try await folder.afcli("-b", "--proxy", address, "http://example.invalid/")
            #expect(through.text == "proxied", "\(through.errorText)")
            #expect(proxy.requests.first?.headText.contains(Self.login) == true)
            let direct = try await folder.afcli("-b", "--proxy", address, "--no-proxy", "127.0.0.1", server.url())
            #expect(direct.text == "direct", "\(direct.errorText)")
            #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
        }
    }

    @Test func `a redirect that bypasses the proxy sends no proxy credentials`() async throws {
        let other = try LocalServer { _ in .ok("other proxy") }
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            let proxy = try LocalServer { request in
                request.target.hasSuffix("/direct") ? .redirect(to: server.url("/")) : .ok("proxied")
            }
            let words = [
                "-b", "-L", "--proxy", "http://ada:s3cret@\(proxy.authority)", "--no-proxy", "127.0.0.1",
                "http://example.invalid/direct",
            ]
            let run = try await folder.afcli(words)
            #expect(run.text == "direct", "\(run.errorText)")
            #expect(server.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
            // The proxy for another scheme is another proxy; both are at hand where redirects may lead to both.
            let both = [
                "http_proxy": "http://ada:s3cret@\(proxy.authority)", "https_proxy": "http://\(other.authority)",
            ]
            let secure = try await folder.afcli(["-b", "-L", "https://example.invalid/"], variables: both)
            #expect(secure.status == 11 || secure.status == 12 || secure.status == 13, "\(secure.errorText)")
            #expect(other.requests.first?.method == "CONNECT")
            #expect(other.requests.allSatisfy { $0["Proxy-Authorization"] == nil })
        }
    }

    @Test func `a server that responds with 407 receives no proxy credentials`() async throws {
        try await withServer { _ in
            .status(407).header("Proxy-Authenticate", "Basic realm=\"r\"")
        } _: { server in
            let address = "http://ada:s3cret@127.0.0.1:1"
            let run = try await folder.afcli("--proxy", address, "--no-proxy", "127.0.0.1", server.url())
            #expect(run.status == 4, "\(run.errorText)")
            #expect(server.requests.map { $0["Proxy-Authorization"] } == [nil])
        }
    }

    @Test func `messages do not show proxy credentials`() async throws {
        for words in [["--proxy", "http://ada:s3cret@127.0.0.1:1"], ["--proxy", "bogus://ada:s3cret@127.0.0.1:1"]] {
            let run = try await folder.afcli(words + ["http://example.invalid/"])
            #expect(run.status != 0)
            #expect(!run.allOutput.contains("s3cret"), "\(run.errorText)")
        }
    }
}
