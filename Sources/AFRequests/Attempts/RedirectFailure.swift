public import AFHTTP

/// The reason why a redirect was not followed; the `error` of an `AFError.sessionTaskFailed`.
public struct RedirectFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Reason: Hashable, Sendable {
        /// The number of redirects exceeded ``RedirectPolicy/limit``.
        case tooMany(limit: Int)
        /// The redirect leads from https to http.
        case downgrade
        /// The redirect leads to a scheme that ``RedirectPolicy/schemes`` excludes.
        case excludedScheme(HTTPURL.Scheme)
        /// The redirect leads to this other host or origin; see ``RedirectPolicy/scope-swift.property``.
        case otherHost(String)
        /// The scheme is neither http nor https.
        case unsupportedScheme(String)
        /// The location is not a valid URL.
        case invalidLocation(String)
        /// The body must be sent again, but can be read only once.
        case bodyNotRewindable
    }

    /// The reason.
    public let reason: Reason

    /// The message: lower case, without full stop, user info and secrets of the query.
    public var description: String {
        switch reason {
        case .tooMany(let limit): "the redirect limit of \(limit) is exceeded"
        case .downgrade: "the server redirects from https to http"
        case .excludedScheme(let scheme): "the server redirects to \(scheme), which is excluded"
        case .otherHost(let host): "the server redirects to \(host), which has other settings"
        case .unsupportedScheme(let scheme):
            "the server redirects to '\(scheme):', and only http and https are followed"
        case .invalidLocation(let text):
            "the server redirects to '\(QueryRedaction().url(text.withoutUserInfo))', which is not a valid URL"
        case .bodyNotRewindable: "the redirect requires the body again, which can be read only once"
        }
    }
}
