public import AFCore
public import FoundationEssentials

/// A bearer token with its refresh token (RFC 6749 §5.1).
public struct OAuth2Token: AuthenticationCredential, Codable, Hashable, Sendable {
    /// The access token; empty if none was obtained yet.
    public var accessToken: String
    /// The refresh token; `nil` if the client uses its own credentials.
    public var refreshToken: String?
    /// The date at which the access token expires; `nil` if unknown.
    public var expiry: Date?
    /// The seconds between its issue and its ``expiry``; `nil` if unknown.
    public var lifetime: Double?

    /// Creates a token that was obtained elsewhere.
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

    /// Returns a missing token, the initial credential of an ``AFCore/AuthenticationInterceptor``: the first request obtains a
    /// token.
    ///
    /// - Parameter refreshToken: The refresh token of an earlier authentication; `nil` for clients with their own
    ///   credentials.
    public static func missing(refreshToken: String? = nil) -> OAuth2Token {
        OAuth2Token(accessToken: "", refreshToken: refreshToken)
    }

    /// Whether the token is missing or expires within 30 seconds, the time that a request may take.
    ///
    /// If its lifetime is under a minute, the margin is half of that, so that a new token can be used.
    public var requiresRefresh: Bool {
        let margin = min(30, (lifetime ?? .infinity) / 2)
        return accessToken.isEmpty || expiry.map { $0 < Date(timeIntervalSinceNow: margin) } ?? false
    }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible {
    /// The expiry; never the tokens.
    public var description: String { "OAuth2Token(expiry: \(expiry.map { "\($0)" } ?? "unknown"))" }
    /// The ``description``.
    public var debugDescription: String { description }
}

/// A persistent store for a client's token, possibly shared by several processes.
public protocol OAuth2TokenStore: Sendable {
    /// Returns the stored token; `nil` if no token is stored.
    func token() -> OAuth2Token?

    /// Stores a newly issued token; the previous one may be invalid from now on.
    func store(_ token: OAuth2Token)

    /// Acquires the lock for obtaining a token, which is held until the returned value is deallocated. Called
    /// before ``token()`` if a token is needed; may block.
    ///
    /// The default implementation is for stores that are not shared.
    func reserve() -> (any Sendable)?
}

extension OAuth2TokenStore {
    /// Returns `nil`: the store is not shared.
    public func reserve() -> (any Sendable)? { nil }
}
