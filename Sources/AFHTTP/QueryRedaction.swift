/// Takes the secrets out of queries and forms before they are shown.
///
/// An item is secret by its name, such as `access_token`, or by a value that looks like a token.
package struct QueryRedaction: Hashable, Sendable {
    /// Lower case, without `-` and `_`.
    package var secretNames: Set<String>
    /// Stands where a secret was.
    package var replacement: String

    package static let names: Set<String> = [
        "accesstoken", "apikey", "assertion", "auth", "authorization", "clientsecret", "code", "credential", "idtoken",
        "jwt", "key", "passphrase", "passwd", "password", "pwd", "refreshtoken", "secret", "session", "sessionid",
        "sid", "sig", "signature", "token", "xamzcredential", "xamzsecuritytoken", "xamzsignature",
    ]

    package init(secretNames: Set<String> = Self.names, replacement: String = "•••") {
        self.secretNames = secretNames
        self.replacement = replacement
    }

    /// The URL without the secrets of its query, and without its fragment, which no server sees.
    package func url(_ text: String) -> String {
        let visible = text.prefix { $0 != "#" }
        guard let mark = visible.firstIndex(of: "?") else { return String(visible) }
        return visible[...mark] + query(visible[visible.index(after: mark)...])
    }

    /// A query without its question mark, or a form as it is sent.
    package func query(_ text: some StringProtocol) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            let value = item.dropFirst(name.count + 1)
            let isSecret = !value.isEmpty && (isSecretName(name) || Self.looksLikeToken(value))
            return isSecret ? "\(name)=\(replacement)" : String(item)
        }.joined(separator: "&")
    }

    /// Of `user[password]` and `user.password` the last part counts.
    package func isSecretName(_ name: some StringProtocol) -> Bool {
        let parts = (name.percentDecoded ?? String(name)).split { "[].".contains($0) }
        guard let last = parts.last else { return false }
        return secretNames.contains(last.lowercased().filter { $0 != "-" && $0 != "_" })
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
