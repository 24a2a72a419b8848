import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// The device grant of OAuth 2 (RFC 8628).
@Suite(.timeLimit(.minutes(5))) struct DeviceLoginTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Returns an authorization server that gives these replies to the requests with a device code, in order.
    private func authorizationServer(_ replies: [String], code: String = #""expires_in": 60"#) throws -> LocalServer {
        let rest = Mutex(replies[...])
        return try LocalServer { request in
            if request.path == "/device" {
                return .json(
                    #"{"device_code": "D e", "user_code": "ABCD-EFGH", "interval": "0.1", \#(code), "#
                        + #""verification_uri": "https://login.example/device"}"#
                ).closing()
            }
            guard request.text.contains("device_code=D%20e") else {
                return .json(#"{"access_token": "refreshed", "refresh_token": "R2", "token_type": "Bearer"}"#)
            }
            let reply = rest.withLock { rest in rest.popFirst() ?? "" }
            if reply == "close" { return .raw("") }
            if reply == "busy" { return .status(503, reply) }
            return reply.contains("error") ? .status(400, reply) : .json(reply)
        }
    }

    private let token = #"{"access_token": "T", "refresh_token": "R", "token_type": "bearer", "expires_in": 3600}"#

    private func login(_ server: LocalServer) -> [String] {
        ["-A", "oauth2", "-a", "tool:", "--token-url", server.url("/token"), "--device-url", server.url("/device")]
    }

    private func api() throws -> LocalServer { try LocalServer { .ok($0["Authorization"] ?? "none") } }

    @Test func `the user enters the code, and the tool waits`() async throws {
        let (tokens, api) = (
            try authorizationServer([#"{"error": "authorization_pending"}"#, token]), try api()
        )
        let run = await runTool(login(tokens) + ["--scope", "read", api.url()])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "Bearer T")
        #expect(
            run.messages == ["afcli: to log in, open https://login.example/device and enter ABCD-EFGH within 1 min"])
        #expect(
            tokens.requests.map(\.text) == [
                "scope=read&client_id=tool",
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D%20e&client_id=tool",
                "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=D%20e&client_id=tool",
            ])
    }

    @Test func `a session keeps the token, and refreshes it without a login`() async throws {
        let (tokens, api) = (try authorizationServer([token]), try api())
        let session = ["--session", folder.file("s.json")]
        #expect(await runTool(session + login(tokens) + [api.url()]).output == "Bearer T")
        let again = await runTool(session + [api.url()])
        #expect(again.output == "Bearer T")
        #expect(again.messages.isEmpty)
        let file = try folder.text(of: "s.json").replacing(#""expires": "#, with: #""expires": -"#)
        try folder.write(file, to: "s.json", permissions: 0o600)
        let expired = await runTool(session + [api.url()])
        #expect(expired.output == "Bearer refreshed", "\(expired.errors)")
        #expect(tokens.requests.last?.text == "grant_type=refresh_token&refresh_token=R&client_id=tool")
        #expect(try folder.text(of: "s.json").contains(#""refresh_token": "R2""#))
    }

    @Test(arguments: ["close", "busy"])
    func `a lost response to a poll does not end the login`(reply: String) async throws {
        let (tokens, api) = (try authorizationServer([reply, token]), try api())
        let run = await runTool(["-qq"] + login(tokens) + [api.url()])
        #expect(run.status == 0, "\(run.errors)")
        #expect(api.requests.map { $0["Authorization"] } == ["Bearer T"])
        // Only the address and the code: `-qq` hides the rest.
        #expect(run.messages.map { $0.hasPrefix("afcli: to log in, open ") } == [true])
    }

    @Test(arguments: [
        (#"{"error": "access_denied"}"#, 1, "the authorization server responded with the error 'access_denied'"),
        (#"{"error": "expired_token"}"#, 2, "the code expired before the user entered it"),
        (#"{"error": "invalid_client", "error_description": "who"}"#, 1, "'invalid_client' (who)"),
        (#"{}"#, 1, "responded with 200 without a token"),
    ])
    func `a login that fails is an error`(reply: String, status: Int, message: String) async throws {
        let (tokens, api) = (try authorizationServer([reply]), try api())
        let run = await runTool(login(tokens) + [api.url()])
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(api.requests.isEmpty)
    }

    @Test func `a device code ends with its lifetime, and the run with --max-time`() async throws {
        let pending = [String](repeating: #"{"error": "authorization_pending"}"#, count: 1000)
        let api = try api()
        let expiring = try authorizationServer(pending, code: #""expires_in": 1"#)
        let run = await runTool(login(expiring) + [api.url()])
        #expect(run.status == 2)
        #expect(run.errors.contains("the code expired before the user entered it"))
        let lasting = try authorizationServer(pending)
        #expect(await runTool(login(lasting) + ["--max-time", "0.5", api.url()]).status == 2)
        #expect(api.requests.isEmpty)
    }

    @Test func `an endpoint without a code is an error, and the code is escaped on a terminal`() async throws {
        let api = try api()
        let other = try LocalServer { _ in .status(404, "no") }
        let run = await runTool(login(other) + [api.url()])
        #expect(run.status == 1)
        #expect(run.errors.contains("the device authorization endpoint responded with 404 without a code"))
        #expect(run.errors.contains("check --device-url"))
        let hostile = try LocalServer { request in
            request.path == "/device"
                ? .json(
                    #"{"device_code": "d", "user_code": "\u001b[2J", "verification_uri": "\u001b]0;x", "interval": 1}"#)
                : .status(400, #"{"error": "access_denied"}"#)
        }
        let shown = await runTool(login(hostile) + ["--max-time", "20", api.url()], in: .terminal())
        #expect(!shown.errors.contains("\u{1B}[2J") && !shown.errors.contains("\u{1B}]0"))
    }

    @Test func `options without an effect are errors`() async throws {
        let list = await runTool("--input", "x", "--device-url", "https://h/d")
        #expect(list.status == 64)
        let invalid = await runTool(
            "-A", "oauth2", "-a", "tool:", "--token-url", "https://h/t", "--device-url", "ftp://h", "example.org")
        #expect(invalid.status == 64)
        #expect(invalid.messages.first?.hasPrefix("afcli: error: --device-url: the scheme is neither http") == true)
    }
}
