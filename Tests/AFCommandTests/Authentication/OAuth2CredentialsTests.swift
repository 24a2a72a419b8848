import AFCore
import AFSigning
import Testing

@testable import AFCommand

/// The settings for obtaining OAuth 2 tokens.
@Suite struct OAuth2CredentialsTests {
    private func plan(
        _ words: String..., credentials: CredentialAccess = .fixed(), files: [String: String] = [:]
    ) throws -> PlannedRequest {
        try PlannedRequest(
            Invocation(parsing: ["-A", "oauth2", "https://h/"] + words), files: files, credentials: credentials)
    }

    private func client(_ id: String, _ secret: String?, scope: String? = nil) throws -> OAuth2Client {
        let url = try HTTPURL(parsing: "https://login.example/token")
        return OAuth2Client(tokenURL: url, id: id, secret: secret, scope: scope)
    }

    @Test func `client credentials get a token`() throws {
        let plan = try plan("--token-url", "login.example/token", "-a", "ada:p:w", "--scope", "a b")
        #expect(plan.login == .oauth2(try client("ada", "p:w", scope: "a b"), refreshToken: nil))
        #expect(plan.headers["Authorization"] == nil)
        #expect(plan.warnings.isEmpty)
    }

    @Test func `secrets are read from files, variables, descriptors and prompts`() throws {
        let credentials = CredentialAccess.fixed(
            variables: ["C": "ada:pw", "EMPTY": ""], descriptors: [3: "refresh\n"]
        ) {
            question, isSecret in
            switch (question, isSecret) {
            case ("client secret for ada@login.example: ", true): "asked"
            case ("refresh token for login.example: ", true): "asked too"
            default: throw UsageError("asked '\(question)'")
            }
        }
        func login(_ client: String, _ token: String) throws -> AuthenticationPlan? {
            try plan(
                "--token-url", "https://login.example/token", "-a", client, "--refresh-token", token,
                credentials: credentials, files: ["t": "from a file\n"]
            ).login
        }
        #expect(try login("env:C", "fd:3") == .oauth2(try client("ada", "pw"), refreshToken: "refresh"))
        #expect(try login("ada:", "@t") == .oauth2(try client("ada", nil), refreshToken: "from a file"))
        let error = #expect(throws: UsageError.self) { try login("ada:", "env:EMPTY") }
        #expect(error?.message == "--refresh-token: the token is empty")
        #expect(try login("ada", "-") == .oauth2(try client("ada", "asked"), refreshToken: "asked too"))
    }

    @Test(arguments: [
        (["-a", "ada:p"], "--auth-type: oauth2 requires --token-url"),
        (["--token-url", "https://l/t"], "--auth-type: requires --auth"),
        (["--token-url", "ftp://l/t", "-a", "a:s3cret"], "--token-url: the scheme is neither http nor https: 'ftp'"),
        (["--token-url", "https://x:s3cret@l/t", "-a", "a:b"], "--token-url: the URL must not contain credentials"),
        (["--token-url", "https://l/t", "-a", ":s3cret"], "--auth: the client id is empty"),
        (
            ["--token-url", "https://l/t", "-a", "ada:"],
            "--auth: a client without a secret requires --refresh-token, --authorize-url or --device-url"
        ),
        (["-A", "basic", "-a", "a:s3cret", "--scope", "x"], "--scope: requires --auth-type oauth2"),
        (["-A", "basic", "-a", "a:b", "--refresh-token", "s3cret"], "--refresh-token: requires --auth-type oauth2"),
    ])
    func `missing or invalid options are errors`(words: [String], message: String) throws {
        let invocation = try Invocation(parsing: ["-A", "oauth2", "https://h/"] + words)
        let error = #expect(throws: UsageError.self) { try PlannedRequest(invocation) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test func `a secret over plain HTTP is a warning`() throws {
        let plan = try plan("--token-url", "http://login.example/token", "-a", "a:b")
        #expect(
            plan.warnings == ["the token endpoint login.example receives secrets unencrypted: its URL is not https"])
        #expect(try self.plan("--token-url", "http://127.0.0.1:1/t", "-a", "a:b").warnings.isEmpty)
    }
}
