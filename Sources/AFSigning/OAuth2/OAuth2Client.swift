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
    /// The requested scope, words separated by spaces; `nil` for the server's default.
    public var scope: String?

    /// Creates a client. With a secret it authenticates by HTTP Basic, without one it only sends its identifier (RFC
    /// 6749 §2.3.1, §3.2.1).
    public init(
        tokenURL: HTTPURL,
        deviceAuthorizationURL: HTTPURL? = nil,
        id: String,
        secret: String? = nil,
        scope: String? = nil
    ) {
        self.tokenURL = tokenURL
        self.deviceAuthorizationURL = deviceAuthorizationURL
        self.id = id
        self.secret = secret
        self.scope = scope
    }

    /// A grant that is exchanged for a token.
    enum Grant {
        /// RFC 6749 §6.
        case refreshToken(String)
        /// The client's own credentials (RFC 6749 §4.4).
        case clientCredentials
        /// RFC 8628 §3.4.
        case deviceCode(String)
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
        }
    }

    /// Returns the request for a device code (RFC 8628 §3.1); `nil` without the endpoint.
    func deviceRequest() -> URLRequest? { deviceAuthorizationURL.map { request(scopeField, to: $0) } }

    private var scopeField: [(String, String)] { scope.map { [("scope", $0)] } ?? [] }

    private func request(_ fields: [(String, String)], to url: HTTPURL) -> URLRequest {
        var form = fields
        var request = URLRequest(url: url)
        request.method = .post
        request.headers = [.accept("application/json"), .contentType("application/x-www-form-urlencoded")]
        if let secret {
            // Both are form-encoded before they are joined (§2.3.1).
            request.headers.add(.authorization(username: Self.encoded(id), password: Self.encoded(secret)))
        } else {
            form.append(("client_id", id))
        }
        let body = form.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
        request.httpBody = Data(body.utf8)
        return request
    }

    private static func encoded(_ text: String) -> String {
        text.percentEncoded(keeping: unreserved).split(separator: "%20", omittingEmptySubsequences: false)
            .joined(separator: "+")
    }

    /// The characters that form encoding leaves unchanged, except the tilde, which all decoders accept.
    private static let unreserved = AllowedCharacters.afURLQueryAllowed.subtracting(
        AllowedCharacters(charactersIn: "/?~")
    )
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible {
    /// The identifier and URL; never the secret.
    public var description: String { "OAuth2Client(id: \(id), tokenURL: \(tokenURL))" }
    /// The ``description``.
    public var debugDescription: String { description }
}
