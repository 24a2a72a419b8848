internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// Keeps the token of a login by OAuth 2 in the session of a run, as soon as it is issued.
struct SessionTokens: OAuth2TokenStore {
    private let session: KeptSession
    private let client: OAuth2Client
    private let origin: String
    /// Called with the error if a token cannot be stored.
    private let onFailure: @Sendable (any Error) -> Void

    /// `nil` where the run has no session, or its login needs no token.
    init?(
        _ session: KeptSession?,
        _ login: AuthenticationPlan?,
        origin: Origin,
        onFailure: @escaping @Sendable (any Error) -> Void
    ) {
        guard let session, case .oauth2(let client, _) = login else { return nil }
        self.session = session
        self.client = client
        self.origin = origin.description
        self.onFailure = onFailure
    }

    /// That of this client, for this server and from this issuer alone; another process may have got it meanwhile.
    func token() -> OAuth2Token? {
        let file = (try? session.store.load()) ?? session.file
        guard let token = file.token, token.issuer == client.tokenURL.text, token.clientID == client.id,
            token.scope == client.scope, token.origin == origin
        else { return nil }
        return OAuth2Token(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            expiry: token.expires.map(Date.init(timeIntervalSince1970:))
        )
    }

    /// How long another process may take to get a token: as long as connecting and waiting do, and some more.
    private static let patience = Duration.seconds(120)

    /// A name beside the session: its own lock is held for moments only, and the server may take its time.
    func reserve() -> (any Sendable)? {
        guard isKept else { return nil }
        var place = session.store.file
        place.path += ".token"
        // Where it cannot be had, a token of one's own is better than none.
        return try? place.claim(within: Self.patience)
    }

    private var isKept: Bool { !session.isReadOnly || session.isNew }

    func keep(_ token: OAuth2Token) {
        guard isKept else { return }
        let kept = SessionToken(
            accessToken: token.accessToken,
            refreshToken: token.refreshToken,
            expires: token.expiry?.timeIntervalSince1970,
            scope: client.scope,
            issuer: client.tokenURL.text,
            clientID: client.id,
            origin: origin
        )
        do {
            try session.store.change { $0.token = kept }
        } catch {
            onFailure(error)
        }
    }
}
