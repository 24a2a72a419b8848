/// Takes the secrets out of URLs, queries and forms before they are shown.
///
/// An item is secret by its name, such as `access_token`, or by a value that looks like a token.
///
/// ```swift
/// QueryRedaction().url("https://example.org/?page=2&api_key=k3y")  // https://example.org/?page=2&api_key=•••
/// ```
public struct QueryRedaction: Hashable, Sendable {
    /// Whose values are secret.
    public var names: SecretNames
    /// Stands where a secret was.
    public var replacement: String

    /// A redaction that goes by the usual names and shows three dots, unless told otherwise.
    public init(names: SecretNames = SecretNames(), replacement: String = "•••") {
        self.names = names
        self.replacement = replacement
    }

    /// The URL without the secrets of its query, and without its fragment, which no server sees.
    ///
    /// User info stays: `withoutUserInfo` of the text is the URL without it.
    public func url(_ text: String) -> String {
        let visible = text.prefix { $0 != "#" }
        guard let mark = visible.firstIndex(of: "?") else { return String(visible) }
        return visible[...mark] + query(visible[visible.index(after: mark)...])
    }

    /// A query without its question mark, or a form as it is sent.
    public func query(_ text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            let isSecret = !value.isEmpty && (names.contains(name) || Self.looksLikeToken(value))
            return isSecret ? "\(name)=\(replacement)" : String(item)
        }.joined(separator: "&")
    }

    /// A JSON web token, or forty characters and more of letters and digits without a word in them.
    private static func looksLikeToken(_ value: some StringProtocol) -> Bool {
        if value.hasPrefix("eyJ"), value.count(where: { $0 == "." }) == 2 { return true }
        let isDense =
            value.utf8.count >= 40
            && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~%=".contains($0)) }
        return isDense && value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
    }
}
