import AFCore
import AFHTTP
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct ProxyTests {
    @Test func `a request is sent through the proxy with the proxy's own credentials`() async throws {
        try await withServer {
            .ok("proxied \($0.target)")
        } _: { proxy in
            let run = await runTool(
                "--proxy", "http://ada:s3cret@\(proxy.authority)", "-a", "user:pass", "http://example.invalid/x")
            #expect(run.output == "proxied http://example.invalid/x")
            #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic YWRhOnMzY3JldA==")
            #expect(proxy.requests.first?["Authorization"] == "Basic dXNlcjpwYXNz")
        }
    }

    @Test func `a port alone is a proxy on localhost`() throws {
        let invocation = try Invocation(parsing: ["--proxy", ":3128", "http://h/"])
        let rules = try ProxySelection.rules(
            for: HTTPURL(parsing: "http://h/"), mayLeaveOrigin: true, invocation.network)
        #expect(rules.http?.url == "http://localhost:3128")
    }

    @Test(arguments: ["socks5://localhost/run/x.sock", "socks5h://h:1080/x", "SOCKS4://h/x?y", "socks4a://h:1/?y"])
    func `the URL of a SOCKS proxy has no path`(proxy: String) async {
        let typed = await runTool("--proxy", proxy, "http://127.0.0.1:1/")
        #expect(typed.status == 64)
        #expect(typed.errors.contains("--proxy: the URL of a SOCKS proxy has a path"), "\(typed.errors)")
        let found = await runTool("http://127.0.0.1:1/", in: ToolWorld().with(variables: ["all_proxy": proxy]))
        #expect(found.status == 64)
        #expect(found.errors.contains("the variable all_proxy: the URL of a SOCKS proxy has a path"), "\(found.errors)")
    }

    @Test(arguments: ["socks5://h:1080/", "socks5h://h:1080", "http://h:1/pac", "https://h:443/x"])
    func `a slash after a SOCKS proxy and the path of another one are ignored`(proxy: String) throws {
        let invocation = try Invocation(parsing: ["--proxy", proxy, "http://h/"])
        let rules = try ProxySelection.rules(
            for: HTTPURL(parsing: "http://h/"), mayLeaveOrigin: true, invocation.network)
        #expect(rules.http?.url.hasPrefix("\(proxy.prefix { $0 != ":" })://h:") == true)
    }

    @Test func `a proxy of the environment with one slash after its scheme is an error`() async {
        let run = await runTool("http://127.0.0.1:1/", in: ToolWorld().with(variables: ["http_proxy": "http:/a:b@p"]))
        #expect(run.status == 64)
        #expect(run.errors.contains("the variable http_proxy: a scheme is followed by two slashes"), "\(run.errors)")
    }

    @Test func `a proxy that is bypassed is not read, even if the user info is invalid`() async throws {
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            let run = await runTool(
                "curl", "--noproxy", "127.0.0.1", "-x", "foo://x", "-H", "Authorization:x",
                server.url().replacing("//", with: "//u:%ff@"))
            #expect(run.status == 0 && run.output == "direct", "\(run.errors)")
        }
    }

    @Test func `proxy credentials stay outside of a tunnel, and the server's inside`() async throws {
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            try await withScriptedServer { connection in
                guard let request = try connection.readRequest() else { return }
                #expect(request.method == "CONNECT")
                #expect(request["Proxy-Authorization"] == "Basic YWRhOnMzY3JldA==")
                #expect(request["Authorization"] == nil)
                try connection.send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            } _: { proxy in
                let run = await runTool(
                    "--proxy", "http://ada:s3cret@\(proxy.authority)", "-a", "u:p", "--cacert", nginx.root,
                    nginx.secureURL("/x"))
                #expect(run.status == 11)
                #expect(run.messages.last?.contains("--proxy") == true)
                #expect(!run.errors.contains("s3cret"))
            }
        }
    }

    @Test func `the environment names proxies, and options have priority`() async throws {
        try await withServer { _ in
            .ok("proxy")
        } _: { proxy in
            try await withServer { _ in
                .ok("direct")
            } _: { server in
                let address = "http://\(proxy.authority)"
                func run(_ variables: [String: String], _ words: String...) async -> String {
                    await runTool(words + [server.url()], in: ToolWorld().with(variables: variables)).output
                }
                #expect(await run(["http_proxy": address]) == "proxy")
                #expect(await run(["HTTP_PROXY": address]) == "proxy")
                #expect(await run(["all_proxy": address]) == "proxy")
                #expect(await run(["https_proxy": address]) == "direct")
                #expect(await run(["HTTP_PROXY": address, "REQUEST_METHOD": "GET"]) == "direct")
                #expect(await run(["http_proxy": address, "REQUEST_METHOD": "GET"]) == "proxy")
                #expect(await run(["http_proxy": address, "no_proxy": "127.0.0.1"]) == "direct")
                #expect(await run(["http_proxy": address, "no_proxy": "example.org,*"]) == "direct")
                #expect(await run(["http_proxy": address, "no_proxy": "example.org"]) == "proxy")
                #expect(await run(["http_proxy": address, "no_proxy": "localhost\n127.0.0.0/8\n"]) == "direct")
                #expect(await run(["http_proxy": address, "no_proxy": "\t0.0.0.0/0\r\n"]) == "direct")
                #expect(await run(["http_proxy": address, "no_proxy": "0.0.1"]) == "proxy")
                #expect(await run(["http_proxy": address], "--proxy", "") == "direct")
                #expect(await run(["http_proxy": address], "--no-proxy", "127.0.0.1") == "direct")
                #expect(await run(["http_proxy": "http://127.0.0.1:1"], "--proxy", address) == "proxy")
                #expect(await run([:], "--proxy", "https:\(address)") == "direct")
                #expect(await run([:], "--proxy", "http:\(address)") == "proxy")
            }
        }
    }

    @Test(arguments: [
        ("*.localhost", "'localhost' includes its subdomains; '*' is a wildcard only alone"),
        ("127.*", "a range of addresses is written as 10.0.0.0/8; '*' is a wildcard only alone"),
        ("http://h/", "write only the host: h"),
        ("127.0.0.1/33", "write a host name, an address, or a range such as 10.0.0.0/8 or fd00::/8"),
    ])
    func `an entry of --no-proxy that matches no host is an error`(entry: String, hint: String) async throws {
        let run = await runTool("--no-proxy", "a,\(entry)", "http://127.0.0.1:1/")
        #expect(run.status == 64)
        #expect(run.errors.contains("--no-proxy: '\(entry)' matches no host\n  \(hint)\n"), "\(run.errors)")
    }

    @Test func `an invalid variable of a proxy that no request uses is ignored`() async throws {
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            for value in ["ftp://x", "127.0.0.1:x", "http://[::1"] {
                let world = { ToolWorld().with(variables: ["http_proxy": value]) }
                #expect(await runTool("--no-proxy", "127.0.0.1", server.url(), in: world()).output == "direct")
                #expect(await runTool("-L", "--no-proxy", "*", server.url(), in: world()).output == "direct")
                // A redirect might need the proxy.
                #expect(await runTool("-L", "--no-proxy", "127.0.0.1", server.url(), in: world()).status == 64)
                // So might another page.
                let pages = await runTool(
                    "--trust-redirects", "--follow-next", "--no-proxy", "127.0.0.1", server.url(), in: world())
                #expect(pages.status == 64)
                #expect(await runTool("--no-proxy", "127.0.0.2", server.url(), in: world()).status == 64)
                #expect(await runTool("curl", "-x", value, "--noproxy", "127.0.0.1", server.url()).output == "direct")
            }
        }
    }

    @Test func `an entry of no_proxy that matches no host is a warning`() async throws {
        try await withServer { _ in
            .ok("proxy")
        } _: { proxy in
            let warning = "afcli: warning: the entry '*.h' of NO_PROXY matches no host"
            let variables = ["http_proxy": "http://\(proxy.authority)", "NO_PROXY": "x, *.h"]
            let url = "http://a.h/"
            let run = await runTool("-L", url, in: ToolWorld().with(variables: variables))
            #expect(run.output == "proxy")
            #expect(run.errors.ranges(of: warning).count == 1, "\(run.errors)")
            let direct = await runTool("--no-proxy", "*", proxy.url(), in: ToolWorld().with(variables: variables))
            #expect(direct.output == "proxy" && !direct.errors.contains("NO_PROXY"), "\(direct.errors)")
            let unused = await runTool(proxy.url(), in: ToolWorld().with(variables: ["NO_PROXY": "*.h"]))
            #expect(!unused.errors.contains("NO_PROXY"), "\(unused.errors)")
            let curl = await runTool("curl", "-x", proxy.authority, "--noproxy", "127.*,b", url)
            #expect(curl.output == "proxy")
            #expect(curl.errors.contains("the entry '127.*' of --noproxy matches no host"), "\(curl.errors)")
        }
    }

    @Test func `a redirect to an excluded host does not use the proxy`() async throws {
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            try await withServer { _ in
                .redirect(to: server.url())
            } _: { proxy in
                let run = await runTool(
                    "-L", "--proxy", proxy.authority, "--no-proxy", "127.0.0.1", "http://example.invalid/")
                #expect(run.output == "direct")
                #expect(proxy.requests.map(\.target) == ["http://example.invalid/"])
            }
        }
    }

    @Test func `a redirect to https uses the proxy for https, with only its credentials`() async throws {
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            let tunnel = try TunnelProxy()
            try await withServer { _ in
                .redirect(to: nginx.secureURL("/x"))
            } _: { server in
                let address = tunnel.url.dropFirst("http://".count)
                let words = ["-L", "--cacert", nginx.root, "--proxy", "https:http://ada:tunnel@\(address)"]
                let direct = await runTool(words + [server.url()])
                #expect(direct.output == "inside", "\(direct.errors)")
                #expect(tunnel.heads.count == 1)
                #expect(server.requests.first?["Proxy-Authorization"] == nil)
                let both = await runTool(
                    words + ["--proxy", "http:http://eve:plain@\(server.authority)", "http://example.invalid/"])
                #expect(both.output == "inside", "\(both.errors)")
                #expect(server.requests.last?.target == "http://example.invalid/")
                #expect(server.requests.last?["Proxy-Authorization"] == "Basic ZXZlOnBsYWlu")
                #expect(tunnel.heads.count == 2)
                #expect(tunnel.heads.allSatisfy { $0.contains("Proxy-Authorization: Basic YWRhOnR1bm5lbA==\r\n") })
            }
        }
    }

    @Test func `a redirect to https is direct if only http has a proxy`() async throws {
        try await withNginx(files: ["x": .text("inside")]) { nginx in
            try await withServer { _ in
                .redirect(to: nginx.secureURL("/x"))
            } _: { proxy in
                let world = ToolWorld().with(variables: ["http_proxy": proxy.url()])
                let run = await runTool("-L", "--cacert", nginx.root, "http://example.invalid/", in: world)
                #expect(run.output == "inside", "\(run.errors)")
                #expect(proxy.requests.map(\.method) == ["GET"])
            }
        }
    }

    @Test func `a redirect from an excluded host uses the proxy`() async throws {
        try await withServer { _ in
            .ok("proxied")
        } _: { proxy in
            try await withServer { _ in
                .redirect(to: "http://example.invalid/there")
            } _: { server in
                let run = await runTool(
                    "-L", "--proxy", "http://ada:pw@\(proxy.authority)", "--no-proxy", "127.0.0.1", server.url(),
                    "Proxy-Authorization:Basic eA==")
                #expect(run.output == "proxied", "\(run.errors)")
                #expect(server.requests.first?["Proxy-Authorization"] == nil)
                #expect(proxy.requests.map(\.target) == ["http://example.invalid/there"])
                #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic YWRhOnB3")
            }
        }
    }

    @Test func `a proxy for the other scheme matters only if redirects are followed`() async throws {
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            let world = ToolWorld().with(variables: ["https_proxy": "ftp://nowhere"])
            #expect(await runTool(server.url(), in: world).output == "direct")
            #expect(await runTool("-L", server.url(), in: world).status == 64)
        }
    }

    @Test func `an unreachable proxy is named in the error`() async throws {
        let port = try RefusingPort()
        let run = await runTool("--proxy", port.authority, "http://example.invalid/")
        #expect(run.status == 11)
        #expect(
            run.messages.first?.hasPrefix("afcli: error: could not connect to the proxy 'http://\(port.authority)'")
                == true)
        #expect(await runTool("--proxy", "nowhere.invalid", "http://127.0.0.1/").status == 10)
    }

    @Test(arguments: [
        ("", "requires authentication (407)"), ("u:p@", "rejected the credentials (407)"),
    ])
    func `a proxy that rejects the credentials is named, with a hint`(userInfo: String, problem: String) async throws {
        let proxy = try TunnelProxy { _ in "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n" }
        let run = await runTool("--proxy", "http://\(userInfo)127.0.0.1:\(proxy.port)", "https://example.invalid/")
        #expect(run.status == 11)
        #expect(run.messages.first?.hasSuffix(problem) == true, "\(run.errors)")
        #expect(run.messages.last == "  --proxy http://USER:PASSWORD@HOST:PORT sets the credentials")
    }

    private static let setsCredentials = "--proxy http://USER:PASSWORD@HOST:PORT sets the credentials"

    /// The offers of a proxy, with its problem and the hint for a request without and with credentials.
    static let offers = [
        (
            "Basic realm=p", ("requires Basic authentication", setsCredentials),
            ("rejected the credentials", setsCredentials)
        ),
        (
            "Digest realm=p, nonce=n, Basic realm=p", ("requires Digest or Basic authentication", setsCredentials),
            ("rejected the credentials", setsCredentials)
        ),
        (
            "Digest realm=p, nonce=n",
            (
                "requires Digest authentication",
                "--proxy-auth-type digest with --proxy http://USER:PASSWORD@HOST:PORT sets the credentials"
            ), ("requires Digest authentication", "add --proxy-auth-type digest")
        ),
        (
            "X, NTLM, Negotiate, NTLM",
            (
                "requires X or NTLM or Negotiate authentication",
                "--proxy-auth-type ntlm with --proxy http://USER:PASSWORD@HOST:PORT sets the credentials"
            ), ("requires X or NTLM or Negotiate authentication", "add --proxy-auth-type ntlm")
        ),
        (
            "Bearer realm=p",
            ("requires Bearer authentication, which is not supported", "--no-proxy HOST bypasses the proxy"),
            ("requires Bearer authentication, which is not supported", "--no-proxy HOST bypasses the proxy")
        ),
    ]

    @Test(arguments: offers, ["", "u:p@"])
    func `the hint for a proxy depends on the schemes that it offers`(
        offer: (challenges: String, missing: (String, String), wrong: (String, String)), userInfo: String
    ) async throws {
        let (problem, hint) = userInfo.isEmpty ? offer.missing : offer.wrong
        try await withServer { _ in
            .status(407).header("Proxy-Authenticate", offer.challenges)
        } _: { (server) async throws in
            let proxy = "http://\(userInfo)\(server.authority)"
            let tunnel = await runTool("--proxy", proxy, "https://example.invalid/")
            #expect(tunnel.status == 11)
            #expect(tunnel.messages.first?.hasSuffix("\(problem) (407)") == true, "\(tunnel.errors)")
            #expect(tunnel.messages.last == "  \(hint)")
            let forwarded = await runTool("--proxy", proxy, "http://example.invalid/")
            #expect(forwarded.status == 4)
            #expect(forwarded.messages.contains { $0.hasSuffix("\(problem); \(hint)") }, "\(forwarded.errors)")
        }
    }

    @Test func `the second challenge of a proxy is a rejection of the credentials`() async throws {
        try await withServer { _ in
            .status(407).header("Proxy-Authenticate", "Digest realm=p, nonce=n")
        } _: { server in
            let words = ["--proxy", "http://u:p@\(server.authority)", "--proxy-auth-type", "digest"]
            let tunnel = await runTool(words + ["https://example.invalid/"])
            #expect(tunnel.messages.first?.hasSuffix("rejected the credentials (407)") == true, "\(tunnel.errors)")
            let curl = await runTool("curl", "-x", "u:p@\(server.authority)", "https://example.invalid/")
            #expect(curl.errors.contains("add --proxy-digest"), "\(curl.errors)")
        }
    }

    @Test(arguments: ["--digest", "--anyauth"])
    func `the server's challenge is answered after the proxy's`(option: String) async throws {
        try await withServer { request in
            if request["Proxy-Authorization"] == nil {
                return .status(407).header("Proxy-Authenticate", "Basic realm=p")
            }
            if request["Authorization"]?.hasPrefix("Digest ") != true {
                return .status(401).header("WWW-Authenticate", "Digest realm=s, nonce=n")
            }
            return .ok("in")
        } _: { server in
            let run = await runTool(
                "curl", "-s", "-x", server.authority, "-U", "u:p", "--proxy-anyauth", "-u", "a:b", option,
                "http://example.invalid/x")
            #expect(run.status == 0 && run.output == "in", "\(run.errors)")
            #expect(server.requests.count == 3)
        }
    }

    @Test(arguments: [[], ["-d", "text"], ["-T", "large"]], ["--proxy-digest", "--proxy-anyauth"])
    func `the proxy's challenge is answered in each round`(body: [String], option: String) async throws {
        let folder = try ScratchFolder()
        let large = String(repeating: "x", count: 100_000)
        try folder.write(large, to: "large")
        let sent = body.isEmpty ? "" : body[1] == "large" ? large : "text"
        try await withServer { request in
            if request["Proxy-Authorization"]?.hasPrefix("Digest ") != true {
                return .status(407).header("Proxy-Authenticate", "Digest realm=p, nonce=n")
            }
            if request["Authorization"]?.hasPrefix("Digest ") != true {
                return .status(401).header("WWW-Authenticate", "Digest realm=s, nonce=n")
            }
            return .ok("\(request.body.count)")
        } _: { server in
            let run = await runTool(
                ["curl", "-s", "-x", server.authority, "-U", "u:p", option, "-u", "a:b", "--digest"]
                    + body.map { $0 == "large" ? folder.file($0) : $0 } + ["http://example.invalid/x"])
            #expect(run.status == 0 && run.output == "\(sent.utf8.count)", "\(run.errors)")
            #expect(server.requests.count == 3)
        }
    }

    @Test(arguments: ["socks://127.0.0.1:9/", "SOCKS://127.0.0.1:9"])
    func `socks is SOCKS4, as in curl`(proxy: String) throws {
        let invocation = Invocation(Invocation.parsed(["http://h/"]), Variables(["all_proxy": proxy]))
        let rules = try ProxySelection.rules(
            for: HTTPURL(parsing: "http://h/"), mayLeaveOrigin: true, invocation.network)
        #expect(rules.http?.url == "socks4://127.0.0.1:9")
        let typed = try Invocation(parsing: ["--preproxy", proxy, "--proxy", proxy, "http://h/"])
        #expect(typed.network.precedingProxy == proxy)
    }

    @Test(arguments: [
        ("//h:1", 5), ("http:h:1", 5), ("http://h:1 ", 5), ("http://h:x", 5), ("https:http://p", 5), ("ftp://h", 7),
    ])
    func `a malformed proxy has curl's number, and fails its transfer alone`(proxy: String, code: Int) async throws {
        try await withServer { _ in
            .ok("direct")
        } _: { server in
            let found = await runTool("curl", "http://h/", in: ToolWorld().with(variables: ["http_proxy": proxy]))
            #expect(found.status == Int32(code), "\(found.errors)")
            let typed = await runTool("curl", "-x", proxy, "http://h/")
            #expect(typed.status == Int32(code), "\(typed.errors)")
            let two = await runTool("curl", "-x", proxy, "http://h/", "--next", server.url())
            #expect(two.output == "direct" && two.status == 0, "\(two.errors)")
        }
    }
}
