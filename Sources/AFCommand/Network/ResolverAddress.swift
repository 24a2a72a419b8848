internal import AFHTTP

/// The URL of a resolver that is asked over HTTPS (RFC 8484).
struct ResolverAddress: Equatable, Sendable, ArgumentValue {
    let text: String

    init(argument: String) throws(UsageError) {
        guard let url = try? HTTPURL(parsing: argument), url.scheme == .https, url.user == nil else {
            throw UsageError("expected an https URL, got '\(argument)'")
        }
        text = argument
    }
}
