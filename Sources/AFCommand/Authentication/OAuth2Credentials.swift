internal import AFCore
internal import AFHTTP
internal import AFSigning

/// Reads the OAuth 2 settings: the client, its secret, the token endpoint and a refresh token.
enum OAuth2Credentials {
    static func decision(
        _ typed: AuthenticationArguments,
        _ sources: SecretSources
    ) throws -> AuthenticationPlan.Decision {
        guard let text = typed.tokenURL else {
            throw UsageError.withoutHint("oauth2 requires --token-url", argument: "--auth-type")
        }
        let (url, host) = try address(text, "--token-url")
        let device = try typed.deviceURL.map { (text) throws(UsageError) in try address(text, "--device-url") }
        let authorization = try typed.authorizeURL.map { (text) throws(UsageError) in
            try address(text, "--authorize-url")
        }
        let redirect = try typed.redirectURL.map { (text) throws(UsageError) in try redirectAddress(text) }
        guard let source = typed.credential else {
            throw AuthenticationPlan.needsAuth.hinting(
                "--auth CLIENT_ID[:SECRET]; @FILE, env:NAME, fd:N and exec:COMMAND hide it")
        }
        let names = (user: "client id", password: "client secret")
        let credential: URLCredential
        do {
            credential = try naming("--auth") { try sources.credential(source, at: host, names: names) }
        } catch let error as UsageError {
            throw error.hinting("--auth CLIENT_ID:SECRET; without a secret: --auth CLIENT_ID: --refresh-token TOKEN")
        }
        guard !credential.user.isEmpty else { throw UsageError("the client id is empty", argument: "--auth") }
        let refreshToken = try naming("--refresh-token") {
            try typed.refreshToken.map { try sources.text($0, SecretQuestion("refresh token", "for \(host)")) }
        }
        guard refreshToken?.isEmpty != true else {
            throw UsageError("the token is empty", argument: "--refresh-token")
        }
        let client = OAuth2Client(
            tokenURL: url,
            deviceAuthorizationURL: device?.url,
            authorizationURL: authorization?.url,
            redirectURL: redirect,
            id: credential.user,
            secret: credential.password.isEmpty ? nil : credential.password,
            scope: typed.scope
        )
        guard client.secret != nil || refreshToken != nil || device != nil || authorization != nil else {
            throw UsageError(
                "a client without a secret requires --refresh-token, --authorize-url or --device-url",
                argument: "--auth",
                hint: "or give the client's secret: --auth CLIENT_ID:SECRET"
            )
        }
        var decision = AuthenticationPlan.Decision(plan: .oauth2(client, refreshToken: refreshToken))
        let endpoints = [
            (url, "token endpoint \(host)"), device.map { ($0.url, "device endpoint \($0.host)") },
            authorization.map { ($0.url, "authorization endpoint \($0.host)") },
        ]
        for (url, endpoint) in endpoints.compactMap(\.self) where url.scheme == .http && !url.isLocal {
            decision.warnings.append("the \(endpoint) receives secrets unencrypted: its URL is not https")
        }
        return decision
    }

    /// Parses the address to which the browser is redirected: a port of this machine.
    private static func redirectAddress(_ text: String) throws(UsageError) -> HTTPURL {
        guard let url = try? HTTPURL(parsing: text), url.scheme == .http, url.query == nil,
            url.host == "127.0.0.1" || url.host == "localhost"
        else {
            let shown = Redaction(revealsSecrets: false).url(text)
            throw UsageError(
                "expected an http URL of this machine without a query, got '\(shown)'",
                argument: "--redirect-url",
                hint: "for example: http://127.0.0.1:8400/callback")
        }
        return url
    }

    private static func address(_ text: String, _ option: String) throws(UsageError) -> (url: HTTPURL, host: String) {
        do throws(UsageError) {
            let address = try Address(text, Address.Options(defaultScheme: .https))
            guard address.credential == nil else {
                throw UsageError("the URL must not contain credentials", hint: "use --auth CLIENT_ID:SECRET")
            }
            return (address.url, address.host)
        } catch {
            // Omits the argument, which may contain a secret.
            throw UsageError(error.statement, argument: option, hint: error.hint)
        }
    }
}

extension HTTPURL {
    /// Whether the URL stays on this machine.
    fileprivate var isLocal: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
            || (hasAddressHost && host.hasPrefix("127."))
    }
}
