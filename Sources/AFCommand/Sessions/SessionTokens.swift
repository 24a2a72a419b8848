internal import AFCore
internal import AFHTTP
internal import AFSigning
internal import FoundationEssentials

/// Stores OAuth 2 tokens in the session of a run as soon as they are issued.
struct SessionTokens: OAuth2TokenStore {
    private let session: ActiveSession
    private let client: OAuth2Client
    private let typedRefreshToken: String?
    private let origin: String
    /// Called with the error if a token cannot be stored.
    private let onFailure: @Sendable (any Error) -> Void

    /// Returns `nil` if the run has no session, or its authentication uses no token.
    init?(
        _ session: ActiveSession?,
        _ login: AuthenticationPlan?,
        origin: Origin,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        guard let session, case .oauth2(let client, let typedRefreshToken) = login else { return nil }
        self.session = session
        self.client = client
        self.typedRefreshToken = typedRefreshToken
        self.origin = origin.description
        self.onFailure = onFailure
    }

    /// Returns the token of this client, server and issuer, which another process may have obtained meanwhile.
    func token() -> OAuth2Token? {
        let file = (try? session.store.load()) ?? session.file
        guard let token = file.token, token.issuer == client.tokenURL.text, token.clientID == client.id,
            token.scope == client.scope, Safety.requires("02-token-origin", token.origin == origin)
        else { return nil }
        return OAuth2Token(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            expiry: token.expires.map(Date.init(timeIntervalSince1970:))
        )
    }

    /// The maximum time to wait for another process that obtains a token: longer than connecting and waiting may take.
    private static let lockTimeout = Duration.seconds(120)

    /// A separate lock file: the session's own lock is held only briefly, and the server may be slow.
    func reserve() -> (any Sendable)? {
        guard storesTokens else { return nil }
        var file = session.store.file
        file.path += ".token"
        // Without the lock, obtaining a separate token is better than failing.
        return try? file.claim(within: Self.lockTimeout)
    }

    private var storesTokens: Bool { !session.isReadOnly || session.isNew }

    func store(_ token: OAuth2Token) {
        guard storesTokens else {
            let stored = self.token()?.refreshToken
            if let stored, token.refreshToken != stored, token.refreshToken != typedRefreshToken {
                onFailure(RotatedToken())
            }
            return
        }
        let storedToken = SessionToken(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            expires: token.expiry?.timeIntervalSince1970,
            scope: client.scope,
            issuer: client.tokenURL.text,
            deviceURL: client.deviceAuthorizationURL?.text,
            authorizeURL: client.authorizationURL?.text,
            redirectURL: client.redirectURL?.text,
            clientID: client.id,
            clientSecret: client.secret,
            origin: origin
        )
        do {
            try session.store.change { $0.token = storedToken }
        } catch {
            onFailure(error)
        }
    }
}

/// The server replaced the refresh token of a session that must not be changed.
private struct RotatedToken: Error, CustomStringConvertible {
    var description: String { "the server replaced the session's refresh token, and --session-read-only is set" }
}
