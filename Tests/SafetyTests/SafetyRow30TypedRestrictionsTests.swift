import TestSupport
import Testing

@Suite("Safety 30: typed restrictions", .timeLimit(.minutes(5)))
struct SafetyRow30TypedRestrictionsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a password never goes as Basic with --digest or --ntlm`() async throws {
        try await withServer { _ in
            .status(401).header("WWW-Authenticate", "Basic realm=\"r\"")
        } _: { server in
            let host = server.authority
            try folder.write("machine 127.0.0.1 login joe password secret\n", to: "netrc")
            try folder.write("digest\n", to: "config")
            for words in [
                ["--digest", "http://joe:secret@\(host)/"], ["--ntlm", "http://joe:secret@\(host)/"],
                ["--digest", "http://joe@\(host)/"], ["--digest", "--netrc-file", "netrc", "http://\(host)/"],
                ["-K", "config", "http://joe:secret@\(host)/"], ["--digest", "-u", "joe:secret", "http://\(host)/"],
                ["--digest", "--ntlm", "-u", "joe:secret", "http://\(host)/"],
                ["--digest", "-L", "http://joe:secret@\(host)/a", "http://joe:secret@\(host)/b"],
            ] {
                _ = try await folder.afcli(["curl"] + words)
                #expect(!server.requests.isEmpty)
                for request in server.requests {
                    #expect(request["Authorization"]?.hasPrefix("Basic") != true, "\(words)")
                }
            }
        }
    }

    @Test func `redirects lead only to the schemes of --proto-redir and --proto`() async throws {
        try await withServer { request in
            request.path == "/2" ? .ok("two") : .redirect(to: request.path == "/s" ? "https://127.0.0.1:1/" : "/2")
        } _: { server in
            for (words, path, status) in [
                (["--proto-redir", "=https"], "/1", 1), (["--proto-redir", "-all,https"], "/1", 1),
                (["--proto-redir", "-http"], "/1", 1), (["--proto-redir", "=bogus"], "/1", 1),
                (["--proto", "=http,https", "--proto-redir", "=https"], "/1", 1), (["--proto", "=http"], "/s", 1),
                (["--proto-redir", "=http,https"], "/1", 0), (["--proto-redir", "https"], "/1", 0), ([], "/1", 0),
            ] as [([String], String, Int32)] {
                let before = server.requests.count
                let run = try await folder.afcli(["curl", "-L"] + words + [server.url(path)])
                #expect(run.status == status, "\(words): \(run.errorText)")
                #expect(server.requests.count - before == (status == 0 ? 2 : 1), "\(words)")
            }
        }
    }

    @Test func `a SOCKS proxy in a Unix socket is not replaced by one on localhost`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let path = "localhost:\(server.port)/run/x.sock"
            for words in [
                ["curl", "--socks5", path], ["curl", "--socks4a", path], ["curl", "-x", "socks5h://a:b@\(path)"],
                ["--proxy", "socks5://\(path)"],
            ] {
                let run = try await folder.afcli(words + ["http://example.invalid/"])
                #expect(run.status == (words[0] == "curl" ? 2 : 64), "\(words): \(run.errorText)")
            }
            let variables = ["all_proxy": "socks5h://\(path)"]
            #expect(try await folder.afcli(["http://example.invalid/"], variables: variables).status == 64)
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test func `contradictory limits of TLS are an error before a connection`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for words in [["--tlsv1.3", "--tls-max", "1.2"], ["--tls-max", "1.2", "--tlsv1.3"]] {
                let run = try await folder.afcli(["curl"] + words + ["https://\(server.authority)/"])
                #expect(run.status == 35)
            }
            #expect(server.acceptedConnections == 0)
        }
    }
}
