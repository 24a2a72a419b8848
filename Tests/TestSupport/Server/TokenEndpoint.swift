internal import FoundationEssentials
internal import Synchronization

/// A token endpoint (RFC 6749), which also validates tokens for other servers.
///
/// A token is valid until the next one is issued: `token-1`, `token-2` and so on.
public final class TokenEndpoint: Sendable {
    private let count = Mutex(0)
    private let client: String
    private let refreshToken: String?
    private let lifetime: Int?

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - client: `ID:SECRET`, both form-encoded.
    ///   - refreshToken: The only valid one; each can be used once, and the next is `refresh-N`.
    ///   - lifetime: The lifetime in seconds; `nil` omits it.
    public init(client: String = "ada:open%20sesame", refreshToken: String? = nil, lifetime: Int? = 3600) {
        self.client = client
        self.refreshToken = refreshToken
        self.lifetime = lifetime
    }

    /// The number of issued tokens.
    public var issued: Int { count.withLock(\.self) }

    /// Whether the request has the latest token.
    public func accepts(_ request: RecordedRequest) -> Bool {
        request["Authorization"] == "Bearer token-\(issued)" && issued > 0
    }

    /// Issues a token or returns an error response.
    public func answer(_ request: RecordedRequest) -> LocalServer.Response {
        let form = request.text.split(separator: "&").map(String.init)
        let basic = "Basic " + Data(client.utf8).base64EncodedString()
        let hasName = form.contains("client_id=\(client.prefix { $0 != ":" })") && client.hasSuffix(":")
        guard request.method == "POST", request["Content-Type"] == "application/x-www-form-urlencoded",
            request["Authorization"] == basic || hasName
        else { return .json(#"{"error":"invalid_client","error_description":"who are you?"}"#).with(status: 401) }
        return count.withLock { count in
            if form.contains("grant_type=refresh_token") {
                let expected = count == 0 ? refreshToken : refreshToken.map { _ in "refresh-\(count)" }
                guard let expected, form.contains("refresh_token=\(expected)") else {
                    return .json(#"{"error":"invalid_grant"}"#).with(status: 400)
                }
            } else if !form.contains("grant_type=client_credentials") || client.hasSuffix(":") {
                return .json(#"{"error":"unsupported_grant_type"}"#).with(status: 400)
            }
            count += 1
            let end = lifetime.map { #","expires_in":\#($0)"# } ?? ""
            let next = refreshToken.map { _ in #","refresh_token":"refresh-\#(count)""# } ?? ""
            return .json(#"{"access_token":"token-\#(count)","token_type":"bearer"\#(end)\#(next)}"#)
        }
    }
}

extension LocalServer.Response {
    /// Returns the response with another status.
    fileprivate func with(status: Int) -> LocalServer.Response {
        var response = self
        response.status = status
        return response
    }
}
