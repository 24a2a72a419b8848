public import FoundationEssentials

/// A bearer token, and what it takes to get the next one (RFC 6749 §5.1).
public struct OAuth2Token: AuthenticationCredential, Codable, Hashable, Sendable {
    /// What goes on requests; empty where none was got yet.
    public var accessToken: String
    /// What the next one is got with; `nil` where the client gets it by its own credentials.
    public var refreshToken: String?
    /// When the access token ends; `nil` where nobody said so.
    public var expiry: Date?
    /// The seconds between its issue and its ``expiry``; `nil` if unknown.
    public var lifetime: Double?

    /// A token that was got elsewhere.
    public init(
        accessToken: String,
        refreshToken: String? = nil,
        expiry: Date? = nil,
        lifetime: Double? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiry = expiry
        self.lifetime = lifetime
    }

    /// What an ``AuthenticationInterceptor`` begins with: the first request gets a token.
    ///
    /// - Parameter refreshToken: Of an earlier login; `nil` for clients that log in themselves.
    public static func missing(refreshToken: String? = nil) -> OAuth2Token {
        OAuth2Token(accessToken: "", refreshToken: refreshToken)
    }

    /// Whether there is none, or it ends within half a minute, which a request may take on its way.
    ///
    /// Of a token that lives for less than a minute, the first half counts: it is good for something when it is new.
    public var requiresRefresh: Bool {
        let margin = min(30, (lifetime ?? .infinity) / 2)
        return accessToken.isEmpty || expiry.map { $0 < Date(timeIntervalSinceNow: margin) } ?? false
    }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible {
    /// Never holds the tokens.
    public var description: String { "OAuth2Token(expiry: \(expiry.map { "\($0)" } ?? "unknown"))" }
    /// The same as ``description``.
    public var debugDescription: String { description }
}

/// Keeps the token of a client between sessions, or between programs.
public protocol OAuth2TokenStore: Sendable {
    /// The token that was kept last; `nil` where there is none.
    func token() -> OAuth2Token?

    /// Keeps a token that has just been issued; the one before may be worthless from now on.
    func keep(_ token: OAuth2Token)

    /// Waits until nobody else who shares the store is getting a token, and keeps others from it until what is returned is
    /// gone. Called before ``token()`` where a token is needed; may block.
    ///
    /// Unless a store says otherwise, nobody shares it.
    func reserve() -> (any Sendable)?
}

extension OAuth2TokenStore {
    /// `nil`: nobody shares the store.
    public func reserve() -> (any Sendable)? { nil }
}
