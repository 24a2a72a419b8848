internal import AFCore
public import AFHTTP
internal import FoundationEssentials
internal import Glibc

/// The response of a token endpoint (RFC 6749 §5).
struct OAuth2TokenResponse: Decodable {
    let accessToken: String?
    let refreshToken: String?
    let tokenType: String?
    let lifetime: Double?
    let error: String?
    let errorDescription: String?

    private enum Key: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case lifetime = "expires_in"
        case error
        case errorDescription = "error_description"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        // Some servers write an empty string for a missing value.
        func text(_ key: Key) -> String? {
            (try? fields.decodeIfPresent(String.self, forKey: key)).flatMap { $0.isEmpty ? nil : $0 }
        }
        accessToken = text(.accessToken)
        refreshToken = text(.refreshToken)
        tokenType = text(.tokenType)
        // Some servers write the number as a string.
        lifetime = (try? fields.decodeIfPresent(Double.self, forKey: .lifetime)) ?? text(.lifetime).flatMap(Double.init)
        error = text(.error)
        errorDescription = text(.errorDescription)
    }

    /// Returns the token of a response.
    ///
    /// - Parameters:
    ///   - refreshToken: The refresh token that stays valid if the response has no new one.
    ///   - now: The start of the token's lifetime: the time of the request, as the response may have been slow.
    static func token(
        _ response: HTTPURLResponse,
        _ body: Data?,
        keeping refreshToken: String?,
        at now: Date
    ) throws(OAuth2Error) -> OAuth2Token {
        let fields = body.flatMap { try? JSONDecoder().decode(OAuth2TokenResponse.self, fromReceived: $0) }
        if let code = fields?.error { throw .refused(code: code, description: fields?.errorDescription) }
        guard 200..<300 ~= response.statusCode, let fields, let accessToken = fields.accessToken else {
            throw .noToken(status: response.statusCode)
        }
        guard fields.tokenType.map({ $0.isSameFieldName(as: "Bearer") }) ?? true else {
            throw .unknownTokenType(fields.tokenType ?? "")
        }
        guard HTTPHeader.authorization(bearerToken: accessToken).isValid else { throw .invalidToken }
        // A lifetime of zero is meaningless: the server has just issued the token.
        let lifetime = fields.lifetime.flatMap { $0 > 0 ? min($0, 1e9) : nil }
        return OAuth2Token(
            accessToken: accessToken,
            refreshToken: fields.refreshToken ?? refreshToken,
            expiry: lifetime.map(now.addingTimeInterval),
            lifetime: lifetime
        )
    }
}

extension OAuth2TokenResponse {
    /// Returns the device code of a response (RFC 8628 §3.2).
    static func deviceCode(_ response: HTTPURLResponse, _ body: Data?) throws(OAuth2Error) -> OAuth2DeviceCode {
        let fields = body.flatMap { try? JSONDecoder().decode(OAuth2TokenResponse.self, fromReceived: $0) }
        if let code = fields?.error { throw .refused(code: code, description: fields?.errorDescription) }
        guard 200..<300 ~= response.statusCode,
            let code = body.flatMap({ try? JSONDecoder().decode(OAuth2DeviceCode.self, fromReceived: $0) })
        else { throw .noDeviceCode(status: response.statusCode) }
        return code
    }
}

/// The reason why an ``OAuth2Authenticator`` got no token.
public enum OAuth2Error: Error, Sendable {
    /// The server refused the login or the token, with a code such as `invalid_client` (RFC 6749 §4.1.2.1, §5.2).
    case refused(code: String, description: String?)
    /// The response of the token endpoint has neither a token nor an error.
    case noToken(status: Int)
    /// The response of the device authorization endpoint has neither a code nor an error.
    case noDeviceCode(status: Int)
    /// The person did not log in in time.
    case noLogin
    /// The port of this machine to which the browser would be redirected cannot be used; the error number is that of the
    /// system.
    case cannotListen(port: Int, errorNumber: Int32)
    /// The token is not a bearer token: requests would need additional proof.
    case unknownTokenType(String)
    /// The token contains characters that a header field cannot contain.
    case invalidToken
    /// There was no response from an endpoint.
    case noResponse(any Error, from: HTTPURL)
}

extension OAuth2Error {
    /// Whether the same request may succeed later: the server is overloaded, or a connection was lost.
    var isTransient: Bool {
        switch self {
        case .noToken(let status): status == 429 || status >= 500
        case .noResponse(let error, _):
            !(error.asAFError?.isExplicitlyCancelledError ?? false) && error.asAFError.map { !$0.isOfSession } ?? true
        case .refused, .noDeviceCode, .noLogin, .cannotListen, .unknownTokenType, .invalidToken: false
        }
    }
}

extension AFError {
    /// Whether the session ended before the request.
    fileprivate var isOfSession: Bool {
        switch self {
        case .sessionDeinitialized, .sessionInvalidated: true
        default: false
        }
    }
}

extension OAuth2Error: CustomStringConvertible {
    /// The message: lower case, without full stop.
    public var description: String {
        switch self {
        case .refused(let code, let description?):
            "the authorization server responded with the error '\(code)' (\(description))"
        case .refused(let code, nil): "the authorization server responded with the error '\(code)'"
        case .noToken(let status): "the token endpoint responded with \(status) without a token"
        case .noDeviceCode(let status):
            "the device authorization endpoint responded with \(status) without a code"
        case .noLogin: "there was no login in time"
        case .cannotListen(let port, let number):
            "cannot listen on port \(port): \(String(cString: strerror(number)))"
        case .unknownTokenType(let type):
            "the token endpoint returned a token of the type '\(type)', which is not Bearer"
        case .invalidToken: "the token endpoint returned a token that contains control characters"
        case .noResponse(let error, let url): "no response from '\(url.text)': \(error.explanation)"
        }
    }
}
