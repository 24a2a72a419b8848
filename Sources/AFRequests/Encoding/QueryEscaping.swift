internal import AFHTTP
package import FoundationEssentials

extension String {
    /// The text with characters percent-encoded that have a meaning in a query or are not allowed in one.
    ///
    /// Letters, digits, `-._~` and, according to RFC 3986 §3.4, `/` and `?` stay.
    package var queryEscaped: String { percentEncoded(keeping: .afURLQueryAllowed) }

    /// Returns the text with all bytes percent-encoded except the allowed characters.
    public func percentEncoded(keeping allowed: AllowedCharacters) -> String {
        Array(utf8).percentEncoded { byte, _ in !allowed.contains(byte) }
    }
}

extension URL {
    /// Returns the URL with escaped pairs appended to its query.
    package func appending(escapedQuery pairs: String) -> URL {
        guard !pairs.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        let query = components.percentEncodedQuery ?? ""
        components.percentEncodedQuery = query.isEmpty || query.hasSuffix("&") ? query + pairs : "\(query)&\(pairs)"
        return components.url ?? self
    }
}
