import AFCore
import TestSupport
import Testing

/// The authorization code grant with a browser (RFC 6749 §4.1, RFC 7636, RFC 8252).
@Suite(.timeLimit(.minutes(5))) struct BrowserLoginTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Returns an authorization server that redirects to the requested redirect URI with this result.
    private func authorizationServer(_ result: String = "code=C1") throws -> LocalServer {
        try LocalServer { request in
            guard request.path == "/authorize" else {
                return .json(
                    request.text.contains("grant_type=refresh_token")
                        ? #"{"access_token": "T2", "token_type": "Bearer"}"#
                        : #"{"access_token": "T", "refresh_token": "R", "token_type": "Bearer", "expires_in": 3600}"#)
            }
            let fields = request.target.split { $0 == "?" || $0 == "&" }
            let value = { (name: String) in fields.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) ?? "" }
            return .redirect(to: "\(value("redirect_uri").percentDecoded ?? "")?\(result)&state=\(value("state"))")
        }
    }

    private func program(_ tokens: LocalServer, _ words: [String]) throws -> Program {
        var program = try Program.afcli("-A", "oauth2", "-a", "tool:", "--token-url", tokens.url("/token"))
        program.arguments += ["--authorize-url", tokens.url("/authorize")] + words
        program.environment = ["HOME": folder.path]
        return program
    }

    /// Opens the URL that a program prints, like a browser.
    private func browse(for program: RunningProgram) async throws {
        try await program.waitForText("code_challenge_method=S256\n")
        let url = program.errorText.split(separator: "\n").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("http") }
        let session = Session()
        let page = await session.request(String(url ?? "")).serializingString().response
        #expect(page.response?.statusCode == 200)
    }

    @Test func `the URL is printed even with -q, and the session stores the tokens`() async throws {
        let (tokens, api) = (try authorizationServer(), try LocalServer { .ok($0["Authorization"] ?? "none") })
        let session = ["--session", folder.file("s.json")]
        let running = try program(tokens, session + ["-qq", "-p", "b", api.url()]).start()
        try await browse(for: running)
        let result = try await running.waitForEnd()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(api.requests.map { $0["Authorization"] } == ["Bearer T"])
        let exchange = try #require(tokens.requests.last { $0.path == "/token" }).text
        #expect(exchange.hasPrefix("grant_type=authorization_code&code=C1&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
        #expect(exchange.contains("&code_verifier=") && exchange.hasSuffix("&client_id=tool"))
        var again = try Program.afcli(api.url())
        again.arguments += session
        again.environment = ["HOME": folder.path]
        #expect(try await again.run().text == "Bearer T")
        let file = try folder.text(of: "s.json").replacing(#""expires": "#, with: #""expires": -"#)
        try folder.write(file, to: "s.json", permissions: 0o600)
        #expect(try await again.run().text == "Bearer T2")
        #expect(try folder.text(of: "s.json").contains(#""authorize_url": "\#(tokens.url("/authorize"))""#))
    }

    @Test func `on a terminal with a display, xdg-open opens the URL`() async throws {
        let (tokens, api) = (try authorizationServer(), try LocalServer { .ok($0["Authorization"] ?? "none") })
        try folder.write("#!/bin/sh\nexec /usr/bin/curl -sL \"$1\"\n", to: "xdg-open", permissions: 0o755)
        var program = try program(tokens, ["--redirect-url", "http://localhost/cb", "-b", api.url()])
        program.environment["PATH"] = folder.path
        program.environment["DISPLAY"] = ":0"
        program.errors = .terminal
        let result = try await program.run()
        #expect(result.status == 0)
        #expect(result.text == "Bearer T")
        #expect(tokens.requests.last?.text.contains("redirect_uri=http%3A%2F%2Flocalhost%3A") == true)
        #expect(tokens.requests.last?.text.contains("%2Fcb&code_verifier") == true)
    }

    @Test func `a denied authorization is an error, and so is a redirect port in use`() async throws {
        let (tokens, api) = (try authorizationServer("error=access_denied"), try LocalServer { _ in .ok() })
        let running = try program(tokens, [api.url()]).start()
        try await browse(for: running)
        let refused = try await running.waitForEnd()
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("the authorization server responded with the error 'access_denied'"))
        let taken = try await program(tokens, ["--redirect-url", api.url("/x"), api.url()]).run()
        #expect(taken.status == 1)
        #expect(taken.errorText.contains("cannot listen on port \(api.port): "))
        #expect(api.requests.isEmpty)
    }

    @Test(arguments: [
        (["--redirect-url", "http://example.org/"], "--redirect-url: expected an http URL of this machine"),
        (["--redirect-url", "https://127.0.0.1/"], "--redirect-url: expected an http URL of this machine"),
        (["--device-url", "https://l/d"], "--authorize-url: cannot be combined with --device-url"),
        (["--input", "x"], "--input: cannot be combined with --authorize-url"),
    ])
    func `invalid redirect URLs and option conflicts are usage errors`(words: [String], message: String) async throws {
        let tokens = try authorizationServer()
        let result = try await program(tokens, words + (words.contains("--input") ? [] : ["example.org"])).run()
        #expect(result.status == 64)
        #expect(result.errorText.hasPrefix("afcli: error: \(message)"), "\(result.errorText)")
    }
}
