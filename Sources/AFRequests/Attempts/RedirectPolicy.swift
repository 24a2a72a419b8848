/// The policy for redirects and for the credentials sent with them.
public struct RedirectPolicy: Hashable, Sendable {
    /// The redirects after which a POST stays a POST instead of becoming a GET (RFC 9110 §15.4).
    public struct PreservedMethods: OptionSet, Hashable, Sendable {
        /// The bits of the statuses.
        public let rawValue: Int
        /// Creates a set from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The status 301.
        public static let movedPermanently = PreservedMethods(rawValue: 1 << 0)
        /// The status 302.
        public static let found = PreservedMethods(rawValue: 1 << 1)
        /// The status 303.
        public static let seeOther = PreservedMethods(rawValue: 1 << 2)
    }

    /// The targets of redirects, compared with the request before.
    public enum Scope: Hashable, Sendable {
        /// Any host.
        case anywhere
        /// Targets on the host of the request before, with any scheme and port.
        case host
        /// Targets with the scheme, host and port of the request before.
        case origin
    }

    /// Whether redirects are followed; if `false`, every 3xx is the final response.
    public var isFollowing: Bool
    /// The maximum number of redirects.
    public var limit: Int
    /// Whether credentials are sent to other origins.
    public var trustsOtherOrigins: Bool
    /// The targets of redirects that are followed.
    public var scope = Scope.anywhere
    /// The schemes of the targets that are followed.
    public var schemes = HTTPURL.Scheme.allCases
    /// Whether the request after a redirect has a `Referer` with the URL before, without its user info and fragment.
    public var sendsReferer = false
    /// The names of header fields that are sent to the first host only. Those of credentials are sent to the first
    /// origin only.
    public var headersOfFirstHost: Set<String> = []
    /// The names of header fields about the body that stay when a redirect changes the method to GET.
    public var headersKeptWithoutBody: Set<String> = []
    /// Whether a space in the query of a `Location` is sent as `+`, and other characters with lower-case escapes, as by
    /// curl.
    public var encodesLikeCurl = false
    /// Whether every 3xx with a `Location` is followed, and not only 301, 302, 303, 307 and 308.
    public var followsAllCodes = false
    /// Whether 301, 302 and 303 change every method to GET, and not only POST and, for 303, all but HEAD.
    public var changesEveryMethod = false
    /// Whether redirects from https to http are followed.
    public var allowsDowngrade: Bool
    /// The redirects that keep POST; none by default, as in browsers.
    public var preservedMethods: PreservedMethods

    /// Creates a policy; by default up to 30 redirects, without credentials for other origins and never from https to
    /// http.
    public init(
        isFollowing: Bool = true,
        limit: Int = 30,
        trustsOtherOrigins: Bool = false,
        allowsDowngrade: Bool = false,
        preservedMethods: PreservedMethods = []
    ) {
        self.isFollowing = isFollowing
        self.limit = limit
        self.trustsOtherOrigins = trustsOtherOrigins
        self.allowsDowngrade = allowsDowngrade
        self.preservedMethods = preservedMethods
    }
}
