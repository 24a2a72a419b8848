internal import AFCore
public import AFHTTP
internal import FoundationEssentials

/// A client registered with an authorization server (RFC 6749 §2).
public struct OAuth2Client: Hashable, Sendable {
    /// The token endpoint.
    public var tokenURL: HTTPURL
    /// The client identifier.
    public var id: String
    /// The client secret; `nil` for a public client.
    public var secret: String?
    /// The device authorization endpoint (RFC 8628 §3.1): a person authorizes the client, which does not use its own
    /// credentials as a grant. `nil` for a client that acts for itself.
    public var deviceAuthorizationURL: HTTPURL?
    /// The authorization endpoint (RFC 6749 §3.1): a person authorizes the client in a browser on this machine. `nil`
    /// for a client that acts for itself, or is authorized on another device.
    public var authorizationURL: HTTPURL?
    /// The address to which the browser is redirected, on a port of this machine. `nil` for `http://127.0.0.1:PORT/`
    /// with any free port, which servers must allow (RFC 8252 §7.3).
    public var redirectURL: HTTPURL?
    /// The requested scope, words separated by spaces; `nil` for the server's default.
    public var scope: String?

    /// Creates a client. With a secret it authenticates by HTTP Basic, without one it only sends its identifier (RFC
    /// 6749 §2.3.1, §3.2.1).
    public init(
        tokenURL: HTTPURL,
        deviceAuthorizationURL: HTTPURL? = nil,
        authorizationURL: HTTPURL? = nil,
        redirectURL: HTTPURL? = nil,
        id: String,
        secret: String? = nil,
        scope: String? = nil
    ) {
        self.tokenURL = tokenURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.authorizationURL = authorizationURL
        self.redirectURL = redirectURL
        self.id = id
        self.secret = secret
        self.scope = scope
    }

    /// A grant that is exchanged for a token.
    enum Grant {
        /// A refresh token (RFC 6749 §6).
        case refreshToken(String)
        /// The client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// A device code (RFC 8628 §3.4).
        case deviceCode(String)
        /// An authorization code (RFC 6749 §4.1.3), with the proof key of RFC 7636 §4.5.
        case authorizationCode(String, OAuth2BrowserLogin)
    }

    /// Returns the token request.
    func request(_ grant: Grant) -> URLRequest {
        switch grant {
        case .refreshToken(let token):
            request([("grant_type", "refresh_token"), ("refresh_token", token)] + scopeField, to: tokenURL)
        case .clientCredentials: request([("grant_type", "client_credentials")] + scopeField, to: tokenURL)
        case .deviceCode(let code):
            request(
                [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code)], to: tokenURL)
        case .authorizationCode(let code, let login):
            request(
                [
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", login.redirectURI),
                    ("code_verifier", login.verifier),
                ], to: tokenURL)
        }
    }

    /// Whether a person authorizes the client.
    var requiresUser: Bool { deviceAuthorizationURL != nil || authorizationURL != nil }

    /// Returns the URL that a person opens in a browser (RFC 6749 §4.1.1, RFC 7636 §4.3); `nil` without the endpoint.
    func browserURL(_ login: OAuth2BrowserLogin) -> String? {
        guard let authorizationURL else { return nil }
        let fields =
            [("response_type", "code"), ("client_id", id), ("redirect_uri", login.redirectURI)] + scopeField
            + [("state", login.state), ("code_challenge", login.challenge), ("code_challenge_method", "S256")]
        return authorizationURL.text + (authorizationURL.query == nil ? "?" : "&") + Self.form(fields)
    }

    /// Returns the request for a device code (RFC 8628 §3.1); `nil` without the endpoint.
    func deviceRequest() -> URLRequest? {
        // Some servers require the identifier although the client authenticates itself.
        deviceAuthorizationURL.map { request(scopeField + [("client_id", id)], to: $0) }
    }

    private var scopeField: [(String, String)] { scope.map { [("scope", $0)] } ?? [] }

    private func request(_ fields: [(String, String)], to url: HTTPURL) -> URLRequest {
        var form = fields
        var request = URLRequest(url: url)
        request.method = .post
        request.headers = [.accept("application/json"), .contentType("application/x-www-form-urlencoded")]
        if let secret {
            // Both are form-encoded before they are joined (§2.3.1).
            request.headers.add(.authorization(username: Self.encoded(id), password: Self.encoded(secret)))
        } else if !form.contains(where: { $0.0 == "client_id" }) {
            form.append(("client_id", id))
        }
        request.httpBody = Data(Self.form(form).utf8)
        return request
    }

    private static func form(_ fields: [(String, String)]) -> String {
        fields.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
    }

    /// A space is `%20`, not `+`: some servers decode the credentials of HTTP Basic as they decode a path.
    private static func encoded(_ text: String) -> String { text.percentEncoded(keeping: unreserved) }

    /// The characters that form encoding leaves unchanged, except the tilde, which all decoders accept.
    private static let unreserved = AllowedCharacters.afURLQueryAllowed.subtracting(
        AllowedCharacters(charactersIn: "/?~")
    )
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier and URL; never the secret.
    public var description: String { "OAuth2Client(id: \(id), tokenURL: \(tokenURL))" }
    /// The identifier and URL; never the secret.
    public var debugDescription: String { description }
}
