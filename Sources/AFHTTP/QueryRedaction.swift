/// Removes secrets from URLs, queries and forms before they are displayed.
///
/// An item is secret by its name, such as `access_token`, or by a value that looks like a token.
///
/// ```swift
/// QueryRedaction().url("https://example.org/?page=2&api_key=k3y")  // https://example.org/?page=2&api_key=•••
/// ```
public struct QueryRedaction: Hashable, Sendable {
    /// The names whose values are secret.
    public var names: SecretNames
    /// The text that replaces a secret.
    public var replacement: String

    /// Creates a redaction; by default for the usual names, with three dots as replacement.
    public init(names: SecretNames = SecretNames(), replacement: String = "•••") {
        self.names = names
        self.replacement = replacement
    }

    /// Returns the URL without the secrets of its query and of the parameters of its path, such as `;jsessionid=1`, and
    /// without its fragment, which is not sent to servers.
    ///
    /// User info stays: use `withoutUserInfo` of the text first.
    public func url(_ text: String) -> String {
        // Most URLs: a search by characters is slow.
        if !text.utf8.contains(where: "?#;".utf8.contains) { return text }
        let visible = text.prefix { $0 != "#" }
        guard let mark = visible.firstIndex(of: "?") else { return path(visible) }
        return path(visible[..<mark]) + "?" + query(visible[visible.index(after: mark)...])
    }

    /// Returns the text before a query without the secrets of its parameters (RFC 3986 §3.3).
    private func path(_ text: Substring) -> String {
        text.split(separator: ";", omittingEmptySubsequences: false).enumerated().map { index, item in
            guard index > 0, let sign = item.firstIndex(of: "="), sign < item.firstIndex(of: "/") ?? item.endIndex
            else {
                return String(item)
            }
            let value = item[item.index(after: sign)...].prefix { $0 != "/" }
            let isSecret = isSecret(item[..<sign], value)
            return isSecret ? item[...sign] + replacement + item[value.endIndex...] : String(item)
        }.joined(separator: ";")
    }

    /// Returns the query, without question mark, or the form without its secrets.
    public func query(_ text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            let isSecret = Safety.refuses("17-queries", isSecret(name, value) || holdsSecretURL(value))
            return isSecret ? "\(name)=\(replacement)" : String(item)
        }.joined(separator: "&")
    }

    private func isSecret(_ name: some StringProtocol, _ value: some StringProtocol) -> Bool {
        !value.isEmpty && (names.contains(name) || Self.looksLikeToken(value))
    }

    /// Whether the value is an encoded URL with user info or a secret in its query.
    private func holdsSecretURL(_ value: some StringProtocol) -> Bool {
        guard let url = value.percentDecoded, url.contains("://") else { return false }
        if url.withoutUserInfo != url { return true }
        let query = url.drop { $0 != "?" }.dropFirst()
        // URLs inside this one are encoded twice and not examined.
        return query.split(separator: "&").contains { item in
            let name = item.prefix { $0 != "=" }
            return isSecret(name, item.dropFirst(name.count + 1))
        }
    }

    /// Whether the value is a JSON web token, or at least forty letters and digits that form no words.
    private static func looksLikeToken(_ value: some StringProtocol) -> Bool {
        if value.hasPrefix("eyJ"), value.count(where: { $0 == "." }) == 2 { return true }
        let isDense =
            value.utf8.count >= 40
            && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~%=".contains($0)) }
        return isDense && value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
    }
}
