/// Which redirects are followed, and what goes along.
public struct RedirectPolicy: Hashable, Sendable {
    /// Redirects that keep POST where the rule would make it a GET (RFC 9110 §15.4).
    public struct KeptMethods: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Kept methods of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// 301.
        public static let movedPermanently = KeptMethods(rawValue: 1 << 0)
        /// 302.
        public static let found = KeptMethods(rawValue: 1 << 1)
        /// 303.
        public static let seeOther = KeptMethods(rawValue: 1 << 2)
    }

    /// `false` makes every 3xx the final response.
    public var isFollowing: Bool
    /// How many redirects may follow one another.
    public var limit: Int
    /// Whether credentials go to other origins too.
    public var trustsOtherOrigins: Bool
    /// Whether https may lead to http.
    public var allowsDowngrade: Bool
    /// None, as browsers do it.
    public var keptMethods: KeptMethods

    /// Up to 30 redirects, which take no credentials to other origins and never lead from https to http.
    public init(
        isFollowing: Bool = true,
        limit: Int = 30,
        trustsOtherOrigins: Bool = false,
        allowsDowngrade: Bool = false,
        keptMethods: KeptMethods = []
    ) {
        self.isFollowing = isFollowing
        self.limit = limit
        self.trustsOtherOrigins = trustsOtherOrigins
        self.allowsDowngrade = allowsDowngrade
        self.keptMethods = keptMethods
    }
}

/// Why a redirect was not followed; the `error` of an `AFError.sessionTaskFailed`.
public struct RedirectFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stood against it.
    public enum Reason: Hashable, Sendable {
        /// More of them followed one another than ``RedirectPolicy/limit``.
        case tooMany(limit: Int)
        /// From https to http.
        case downgrade
        /// To something else than http and https.
        case unsupportedScheme(String)
        /// To something that is no URL.
        case invalidLocation(String)
        /// The body has to be sent again, and it can be read only once.
        case bodyNotRewindable
    }

    /// Why the redirect was not followed.
    public let reason: Reason

    /// A clause without capital and full stop; user info and secrets of the query are not in it.
    public var description: String {
        switch reason {
        case .tooMany(let limit): "there were more than \(limit) redirects"
        case .downgrade: "the server redirects from https to http"
        case .unsupportedScheme(let scheme):
            "the server redirects to '\(scheme):', and only http and https are followed"
        case .invalidLocation(let text):
            "the server redirects to '\(QueryRedaction().url(text.withoutUserInfo))', which is no URL"
        case .bodyNotRewindable: "the redirect wants the body again, and it can be read only once"
        }
    }
}
