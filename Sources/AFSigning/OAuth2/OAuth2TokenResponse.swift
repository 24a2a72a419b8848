internal import AFCore
public import AFHTTP
internal import AFJSON
internal import FoundationEssentials
internal import Glibc

/// The members of a response of an authorization server.
struct OAuth2Fields {
    private let object: JSONText

    /// Returns `nil` if the body is no JSON object.
    init?(_ body: Data?) {
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        guard let object = text.flatMap({ try? JSONText($0) })?.opened, object.members != nil else { return nil }
        self.object = object
    }

    /// Returns a text; `nil` if it is empty, which some servers write for a missing value.
    func text(_ name: String) -> String? { object[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a number, which some servers write as a string.
    func number(_ name: String) -> Double? {
        object[name]?.number ?? text(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The response of a token endpoint (RFC 6749 §5).
enum OAuth2TokenResponse {
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
        let fields = try fields(of: body)
        guard 200..<300 ~= response.statusCode, let fields, let accessToken = fields.text("access_token") else {
            throw .noToken(status: response.statusCode, reason: OAuth2ErrorText(response, body)?.text)
        }
        if let type = fields.text("token_type"), !type.isSameFieldName(as: "Bearer") { throw .unknownTokenType(type) }
        guard HTTPHeader.authorization(bearerToken: accessToken).isValid else { throw .invalidToken }
        // A lifetime of zero is meaningless: the server has just issued the token.
        let lifetime = fields.number("expires_in").flatMap { $0 > 0 ? min($0, 1e9) : nil }
        return OAuth2Token(
            accessToken: accessToken,
            refreshToken: fields.text("refresh_token") ?? refreshToken,
            expiry: lifetime.map(now.addingTimeInterval),
            lifetime: lifetime
        )
    }

    /// Returns the device code of a response (RFC 8628 §3.2).
    static func deviceCode(_ response: HTTPURLResponse, _ body: Data?) throws(OAuth2Error) -> OAuth2DeviceCode {
        let fields = try fields(of: body)
        guard 200..<300 ~= response.statusCode, let code = fields.flatMap(OAuth2DeviceCode.init) else {
            throw .noDeviceCode(status: response.statusCode, reason: OAuth2ErrorText(response, body)?.text)
        }
        return code
    }

    /// Returns the fields of a response that is not an error.
    private static func fields(of body: Data?) throws(OAuth2Error) -> OAuth2Fields? {
        guard let fields = OAuth2Fields(body) else { return nil }
        if let code = fields.text("error") { throw .refused(code: code, description: fields.text("error_description")) }
        return fields
    }
}

/// The reason why an ``OAuth2Authenticator`` got no token.
public enum OAuth2Error: Error, Sendable {
    /// The server refused the login or the token, with a code such as `invalid_client` (RFC 6749 §4.1.2.1, §5.2).
    case refused(code: String, description: String?)
    /// The response of the token endpoint has neither a token nor an error of RFC 6749; the reason is a text that it has
    /// instead.
    case noToken(status: Int, reason: String?)
    /// The response of the device authorization endpoint has neither a code nor an error of RFC 6749.
    case noDeviceCode(status: Int, reason: String?)
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
        case .noToken(let status, _): status == 429 || status >= 500
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
        case .noToken(let status, let reason):
            "the token endpoint responded with \(status) without a token" + (reason.map { ": \($0)" } ?? "")
        case .noDeviceCode(let status, let reason):
            "the device authorization endpoint responded with \(status) without a code"
                + (reason.map { ": \($0)" } ?? "")
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
