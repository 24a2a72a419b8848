import AFCore
import AFSigning
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

/// Tokens of OAuth 2, from the authorization server to the server.
@Suite(.timeLimit(.minutes(5))) struct TokenTests {
    private func tokenServer(_ endpoint: TokenEndpoint) throws -> LocalServer {
        try LocalServer { endpoint.answer($0) }
    }

    private func server(_ endpoint: TokenEndpoint) throws -> LocalServer {
        try LocalServer { request in
            endpoint.accepts(request) ? .ok("welcome \(request.text)") : .status(401, "no")
        }
    }

    private func login(_ tokens: LocalServer, _ client: String = "ada:open sesame") -> [String] {
        ["-A", "oauth2", "-a", client, "--token-url", tokens.url("/token")]
    }

    @Test func `a client gets a token and sends it`() async throws {
        let endpoint = TokenEndpoint()
        let (tokens, server) = (try tokenServer(endpoint), try server(endpoint))
        let run = await runTool(login(tokens) + ["-v", "--scope", "a b", server.url(), "n=v"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasSuffix(#"welcome {"n": "v"}"#))
        // Only the typed request is shown.
        #expect(run.output.ranges(of: "HTTP/1.1").count == 2)
        #expect(tokens.requests.first?.text == "grant_type=client_credentials&scope=a%20b")
        #expect(!run.output.contains("sesame"))
    }

    @Test func `a token with control characters is rejected as such`() async throws {
        let tokens = try LocalServer { _ in .ok(#"{"access_token": "a\r\nX: y", "token_type": "Bearer"}"#) }
        let run = await runTool(login(tokens) + ["http://localhost:1/"])
        #expect(run.status == 1)
        #expect(run.errors.contains("a token that contains control characters"), "\(run.errors)")
    }

    @Test func `an empty credentials file or variable is an error that names it`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("", to: "empty")
        for (source, name) in [("@\(file)", "'\(file)'"), ("env:EMPTY", "the variable EMPTY")] {
            let world = ToolWorld().with(variables: ["EMPTY": ""])
            let run = await runTool("-I", "-a", source, "example.org", in: world)
            #expect(run.errors == "afcli: error: -a: \(name) is empty\n  expected USER:PASSWORD\n")
        }
    }

    @Test func `a refresh token gets an access token, with or without a secret`() async throws {
        for client in ["ada:", "ada:open sesame"] {
            let name = client == "ada:" ? client : "ada:open%20sesame"
            let endpoint = TokenEndpoint(client: name, refreshToken: "refresh")
            let (tokens, server) = (try tokenServer(endpoint), try server(endpoint))
            let words = login(tokens, client) + ["--refresh-token", "env:R", server.url()]
            let run = await runTool(words, in: ToolWorld().with(variables: ["R": "refresh"]))
            #expect(run.output == "welcome ", "\(run.errors)")
            #expect(tokens.requests.count == 1)
        }
    }

    @Test func `an error of the token endpoint is reported without secrets`() async throws {
        let (tokens, server) = (try tokenServer(TokenEndpoint()), try server(TokenEndpoint()))
        let refused = await runTool(login(tokens, "ada:s3cret") + [server.url()])
        #expect(refused.status == 1)
        #expect(
            refused.messages == [
                "afcli: error: the authorization server responded with the error 'invalid_client' (who are you?)",
                "  check the client's id and secret: --auth CLIENT_ID:SECRET",
            ])
        let port = try RefusingPort()
        let absent = await runTool(
            "-A", "oauth2", "-a", "ada:s3cret", "--token-url", port.url(), server.url())
        #expect(absent.status == 11)
        let place = port.url().split(separator: "/").dropFirst().first ?? ""
        #expect(
            absent.messages.first
                == "afcli: error: could not obtain a token: could not connect to \(place): connection refused")
        #expect(absent.messages.last == "  check --token-url, and that it can be reached")
        #expect(!absent.errors.contains("s3cret"))
        #expect(server.requests.isEmpty)
    }

    @Test func `a token endpoint without TLS has the hint about TLS`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
        } _: { tokens in
            let url = "https://\(tokens.authority)/"
            let run = await runTool("-A", "oauth2", "-a", "ada:s3cret", "--token-url", url, "http://127.0.0.1:9/")
            #expect(run.status == 12)
            #expect(run.messages.last == "  check the port, or use http://", "\(run.errors)")
        }
    }

    @Test func `a new token that is rejected is not requested again`() async throws {
        let tokens = try tokenServer(TokenEndpoint())
        try await withServer { _ in
            .status(401, "no")
        } _: { server in
            let run = await runTool(login(tokens) + [server.url()])
            #expect(run.status == 4)
            #expect(run.output == "no")
            #expect(tokens.requests.count == 1)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a read-only session that loses its refresh token is a warning`() async throws {
        let folder = try ScratchFolder()
        let count = Mutex(0)
        let tokens = try LocalServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json(
                #"{"access_token": "t\#(number)", "refresh_token": "r\#(number)", "token_type": "Bearer", "expires_in": 1}"#
            )
        }
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let words = login(tokens) + [server.url()]
            #expect(await runTool(["--session", folder.file("s.json")] + words).status == 0)
            // The token has expired meanwhile.
            let stored = try folder.text(of: "s.json").replacing(/"expires": ?[0-9.]+/, with: "\"expires\": 1")
            try folder.write(stored, to: "s.json")
            let run = await runTool(["--session-read-only", folder.file("s.json"), server.url()])
            #expect(run.output == "x")
            let reason = "the server replaced the session's refresh token, and --session-read-only is set"
            #expect(run.messages == ["afcli: warning: could not store the token: \(reason)"])
            #expect(try folder.text(of: "s.json").contains("r1"))
        }
    }

    // With a token of an earlier run

    private func run(_ words: [String], _ store: TokenMemory) async throws -> ToolRun {
        let world = ToolWorld()
        let (invocation, environment) = (try Invocation(parsing: words), world.environment)
        let plan = try Plan(invocation, environment)
        let records = try RecordPlan(invocation, environment.files)
        let recorder = Recorder(records, environment, Messages(output: world.errors))
        let status = try await withCheckedThrowingContinuation { waiter in
            DispatchQueue(label: "tool").async {
                waiter.resume(with: Result { try Run(plan, environment, recorder, tokens: store).execute() })
            }
        }
        let bytes = (world.output as? MemoryOutput)?.bytes ?? []
        return ToolRun(status: status.code, outputBytes: bytes, errors: world.errors.text)
    }

    @Test func `a stored token is sent without a request for one, and a rejected one is replaced once`() async throws {
        let endpoint = TokenEndpoint()
        let (tokens, server) = (try tokenServer(endpoint), try server(endpoint))
        let store = TokenMemory(OAuth2Token(accessToken: "old", expiry: Date(timeIntervalSinceNow: 3600)))
        let renewed = try await run(login(tokens) + [server.url(), "n=v"], store)
        #expect(renewed.output == #"welcome {"n": "v"}"#)
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer token-1"])
        #expect(store.token()?.accessToken == "token-1")
        let kept = try await run(login(tokens) + [server.url()], store)
        #expect(kept.output == "welcome ")
        #expect(endpoint.issued == 1)
        #expect(server.requests.count == 3)
    }

    @Test func `a rejected token that cannot be replaced is reported with the reason`() async throws {
        let tokens = try tokenServer(TokenEndpoint(client: "ada:", refreshToken: "good"))
        let server = try server(TokenEndpoint())
        let store = TokenMemory(OAuth2Token(accessToken: "old", refreshToken: "stale"))
        let run = try await run(
            login(tokens, "ada:") + ["--refresh-token", "stale", server.url()], store)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.messages.first == "afcli: error: the authorization server responded with the error 'invalid_grant'")
    }

    @Test func `an expired token is replaced before a request is sent`() async throws {
        let endpoint = TokenEndpoint(refreshToken: "kept")
        let (tokens, server) = (try tokenServer(endpoint), try server(endpoint))
        let store = TokenMemory(
            OAuth2Token(accessToken: "old", refreshToken: "kept", expiry: Date(timeIntervalSinceNow: -1)))
        #expect(try await run(login(tokens) + [server.url()], store).output == "welcome ")
        #expect(server.requests.count == 1)
        #expect(tokens.requests.first?.text.contains("refresh_token=kept") == true)
    }
}
