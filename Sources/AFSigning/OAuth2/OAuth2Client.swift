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
    /// The requested scope, words separated by spaces; `nil` for the server's default.
    public var scope: String?

    /// Creates a client. With a secret it authenticates by HTTP Basic, without one it only sends its identifier (RFC
    /// 6749 §2.3.1, §3.2.1).
    public init(tokenURL: HTTPURL, id: String, secret: String? = nil, scope: String? = nil) {
        self.tokenURL = tokenURL
        self.id = id
        self.secret = secret
        self.scope = scope
    }

    /// Returns the token request: with a refresh token (RFC 6749 §6), else with the client's own credentials (§4.4).
    func request(refreshToken: String?) -> URLRequest {
        var form: [(String, String)] = []
        if let refreshToken {
            form = [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
        } else {
            form = [("grant_type", "client_credentials")]
        }
        if let scope { form.append(("scope", scope)) }
        var request = URLRequest(url: tokenURL)
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
