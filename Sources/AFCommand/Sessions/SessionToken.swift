internal import AFJSON

/// A stored access token with its refresh token (RFC 6749 §5.1).
struct SessionToken: Equatable, Sendable {
    var accessToken: String
    var refreshToken: String?
    /// The expiry in seconds since 1970; `nil` if it is unknown.
    var expires: Double?
    var scope: String?
    /// The token endpoint that issued it. It is not used with another one.
    var issuer: String
    /// The device authorization endpoint at which the user logged in; `nil` if the client acts for itself.
    var deviceURL: String?
    /// The authorization endpoint at which the user logged in with a browser, and the address of its redirect.
    var authorizeURL: String?
    var redirectURL: String?
    /// The client that it was issued to.
    var clientID: String
    /// The client's secret, with which a later run renews the token; `nil` for a client without one.
    var clientSecret: String?
    /// The origin of the server that it is for; it is not sent to others.
    var origin: String

    /// Whether the user can log in again.
    var requiresUser: Bool { deviceURL != nil || authorizeURL != nil }
}

extension SessionFile {
    /// The name of the JSON member for data that HTTPie's format cannot represent.
    /// The member for data that HTTPie does not know, which it keeps.
    var own: JSONText {
        get { root["afcli"] ?? .object([]) }
        set { root["afcli"] = newValue }
    }

    /// The token; `nil` if it is missing or incomplete.
    var token: SessionToken? {
        get { own["oauth2"].flatMap(SessionToken.init) }
        set { if newValue != token { own["oauth2"] = newValue?.text } }
    }
}

extension SessionToken {
    fileprivate init?(_ text: JSONText) {
        guard let accessToken = text["access_token"]?.string, let issuer = text["issuer"]?.string,
            let clientID = text["client_id"]?.string, let origin = text["origin"]?.string
        else { return nil }
        self.init(
            accessToken: accessToken,
            refreshToken: text["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            expires: text["expires"]?.number,
            scope: text["scope"]?.string,
            issuer: issuer,
            deviceURL: text["device_url"]?.string,
            authorizeURL: text["authorize_url"]?.string,
            redirectURL: text["redirect_url"]?.string,
            clientID: clientID,
            clientSecret: text["client_secret"]?.string,
            origin: origin
        )
    }

    fileprivate var text: JSONText {
        .object([
            "access_token": .string(accessToken), "authorize_url": authorizeURL.map(JSONText.string),
            "client_id": .string(clientID),
            "client_secret": clientSecret.map(JSONText.string),
            "device_url": deviceURL.map(JSONText.string), "expires": expires.map(JSONText.number),
            "issuer": .string(issuer), "origin": .string(origin),
            "refresh_token": refreshToken.map(JSONText.string), "scope": scope.map(JSONText.string),
            "redirect_url": redirectURL.map(JSONText.string),
        ])
    }
}
