/// An access token that a session keeps, with what it takes to get another one (RFC 6749 §5.1).
struct SessionToken: Equatable, Sendable {
    var accessToken: String
    var refreshToken: String?
    /// In seconds since 1970; `nil` where the issuer did not say.
    var expires: Double?
    var scope: String?
    /// The URL that issued it. For requests to another issuer it is of no use.
    var issuer: String
    /// Whom it was issued to.
    var clientID: String
    /// Scheme, host and port of the server that it is for: it goes nowhere else.
    var origin: String
}

extension SessionFile {
    /// Where this tool keeps what HTTPie's layout has no place for.
    static let ownMember = "afcli"

    /// `nil` where there is none, or one that lacks a part.
    var token: SessionToken? {
        get { root[Self.ownMember]?["oauth2"].flatMap(SessionToken.init) }
        set {
            guard newValue != token else { return }
            var own = root[Self.ownMember] ?? .object([])
            own["oauth2"] = newValue?.text
            root[Self.ownMember] = own
        }
    }
}

extension SessionToken {
    fileprivate init?(_ text: JSONText) {
        guard let accessToken = text["access_token"]?.string, let issuer = text["issuer"]?.string,
            let clientID = text["client_id"]?.string, let origin = text["origin"]?.string
        else { return nil }
        self.init(
            accessToken: accessToken,
            refreshToken: text["refresh_token"]?.string,
            expires: text["expires"]?.number,
            scope: text["scope"]?.string,
            issuer: issuer,
            clientID: clientID,
            origin: origin
        )
    }

    fileprivate var text: JSONText {
        .object([
            "access_token": .string(accessToken), "client_id": .string(clientID),
            "expires": expires.map(JSONText.number), "issuer": .string(issuer), "origin": .string(origin),
            "refresh_token": refreshToken.map(JSONText.string), "scope": scope.map(JSONText.string),
        ])
    }
}
