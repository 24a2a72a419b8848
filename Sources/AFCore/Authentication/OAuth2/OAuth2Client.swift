public import AFHTTP
internal import FoundationEssentials

/// A program that an authorization server knows (RFC 6749 §2).
public struct OAuth2Client: Hashable, Sendable {
    /// Where tokens are issued.
    public var tokenURL: HTTPURL
    /// The name that the server knows the client by.
    public var id: String
    /// `nil` for a public client, which has none.
    public var secret: String?
    /// What the token is to be good for, words separated by spaces; `nil` for whatever the server gives.
    public var scope: String?

    /// With a secret the client logs in by HTTP Basic, without one it only gives its name (RFC 6749 §2.3.1, §3.2.1).
    public init(tokenURL: HTTPURL, id: String, secret: String? = nil, scope: String? = nil) {
        self.tokenURL = tokenURL
        self.id = id
        self.secret = secret
        self.scope = scope
    }

    /// The request for a token: by a refresh token (RFC 6749 §6), else by the client's own credentials (§4.4).
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
            // Both are encoded as in a form before they are put together (§2.3.1).
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

    /// What form encoding leaves alone, but for the tilde, which its readers decode all the same.
    private static let unreserved = AllowedCharacters.afURLQueryAllowed.subtracting(
        AllowedCharacters(charactersIn: "/?~")
    )
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never holds the secret.
    public var description: String { "OAuth2Client(id: \(id), tokenURL: \(tokenURL))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
}
