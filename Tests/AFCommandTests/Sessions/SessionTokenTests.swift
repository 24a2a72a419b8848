import TestSupport
import Testing

@testable import AFCommand

/// Tokens of OAuth 2 that outlast a run.
@Suite(.timeLimit(.minutes(5))) struct SessionTokenTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func login(_ tokens: LocalServer) -> [String] {
        ["-A", "oauth2", "-a", "ada:open sesame", "--token-url", tokens.url("/token")]
    }

    @Test func `a token is stored in the session and used until it expires`() async throws {
        let endpoint = TokenEndpoint()
        let tokens = try LocalServer { endpoint.answer($0) }
        try await withServer { request in
            endpoint.accepts(request) ? .ok("welcome") : .status(401)
        } _: { server in
            let words = ["--session", folder.file("s.json")] + login(tokens) + [server.url()]
            for _ in 0..<3 {
                let run = await runTool(words)
                #expect(run.output == "welcome", "\(run.errors)")
            }
            #expect(endpoint.issued == 1)
            let session = try SessionFile(folder.bytes(of: "s.json"))
            #expect(session.token?.accessToken == "token-1")
            #expect(session.token?.origin == "http://127.0.0.1:\(server.port)")
            #expect(session.login == nil)
            #expect(try folder.permissions(of: "s.json") == 0o600)
        }
    }

    @Test func `a session stores the client of its token`() async throws {
        let endpoint = TokenEndpoint(lifetime: 20)
        let tokens = try LocalServer { endpoint.answer($0) }
        try await withServer { request in
            endpoint.accepts(request) ? .ok("welcome") : .status(401)
        } _: { server in
            let words = ["--session", folder.file("s.json"), server.url()]
            #expect(await runTool(words + login(tokens)).output == "welcome")
            // The token is about to expire, so that each run needs a new one.
            let run = await runTool(words)
            #expect(run.output == "welcome", "\(run.errors)")
            #expect(endpoint.issued == 2)
            #expect(await runTool(words + ["--trust-redirects"]).output == "welcome")
            #expect(await runTool(words + ["--scope", "more"]).status == 64)
            let elsewhere = await runTool("--session", folder.file("s.json"), tokens.url("/token"))
            #expect(elsewhere.errors.contains("the session's login belongs to http://127.0.0.1:\(server.port)"))
            #expect(try SessionFile(folder.bytes(of: "s.json")).login == nil)
            // Other credentials replace it.
            #expect(await runTool(words + ["-a", "u:p"]).status == 4)
            let session = try SessionFile(folder.bytes(of: "s.json"))
            #expect(session.token == nil && session.login?.credential == "u:p")
            #expect(await runTool(words + login(tokens)).output == "welcome")
            #expect(try SessionFile(folder.bytes(of: "s.json")).login == nil)
            #expect(await runTool(words).output == "welcome")
        }
    }

    @Test func `a token is sent only to the server it was issued for`() async throws {
        let endpoint = TokenEndpoint()
        let tokens = try LocalServer { endpoint.answer($0) }
        let other = try LocalServer { _ in .ok() }
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = ["--session", folder.file("s.json")] + login(tokens)
            #expect(await runTool(words + [server.url()]).status == 0)
            #expect(await runTool(words + [other.url()]).status == 0)
            #expect(endpoint.issued == 2)
            #expect(other.requests.last?["Authorization"] == "Bearer token-2")
            #expect(await runTool(words + ["--scope", "more", other.url()]).status == 0)
            #expect(endpoint.issued == 3)
        }
    }

    @Test func `a rotated refresh token is stored, and used in place of the typed one`() async throws {
        // Less than the half minute that a token from a file must have left.
        let endpoint = TokenEndpoint(refreshToken: "first", lifetime: 20)
        let tokens = try LocalServer { endpoint.answer($0) }
        try await withServer { request in
            endpoint.accepts(request) ? .ok("welcome") : .status(401)
        } _: { server in
            let words = ["--session", folder.file("s.json"), "--refresh-token", "first"] + login(tokens)
            for number in 1...3 {
                let run = await runTool(words + [server.url()])
                #expect(run.output == "welcome", "\(run.errors)")
                let session = try SessionFile(folder.bytes(of: "s.json"))
                #expect(session.token?.refreshToken == "refresh-\(number)")
            }
        }
    }

    @Test(arguments: ["ada:open sesame", "ada:"])
    func `a newly typed refresh token replaces an invalid one`(client: String) async throws {
        let endpoint = TokenEndpoint(
            client: client == "ada:" ? client : "ada:open%20sesame", refreshToken: "new", lifetime: 3600)
        let tokens = try LocalServer { endpoint.answer($0) }
        try await withServer { request in
            endpoint.accepts(request) ? .ok("welcome") : .status(401)
        } _: { server in
            let path = try folder.write(
                """
                {"afcli": {"oauth2": {"access_token": "old", "refresh_token": "dead", "client_id": "ada",
                  "issuer": "\(tokens.url("/token"))", "origin": "http://127.0.0.1:\(server.port)"}}}
                """,
                to: "s.json")
            let words = [
                "--session", path, "-A", "oauth2", "-a", client, "--token-url", tokens.url("/token"), server.url(),
            ]
            let refused = await runTool(words + ["--refresh-token", "dead too"])
            #expect(refused.status == 1, "\(refused.errors)")
            #expect(refused.errors.contains("invalid_grant"))
            let run = await runTool(words + ["--refresh-token", "new"])
            #expect(run.output == "welcome", "\(run.errors)")
            #expect(try SessionFile(folder.bytes(of: "s.json")).token?.refreshToken == "refresh-1")
            #expect(tokens.requests.allSatisfy { $0.text.contains("grant_type=refresh_token") })
        }
    }

    @Test func `a read-only session stores no new token`() async throws {
        let endpoint = TokenEndpoint()
        let tokens = try LocalServer { endpoint.answer($0) }
        let path = try folder.write("{}", to: "s.json")
        try await withServer { _ in
            .ok()
        } _: { server in
            #expect(await runTool(["--session-read-only", path] + login(tokens) + [server.url()]).status == 0)
            #expect(folder.holds("{}", in: "s.json"))
        }
    }
}
