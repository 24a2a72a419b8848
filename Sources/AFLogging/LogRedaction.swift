#if Logging
    public import AFHTTP

    /// Keeps secrets out of logs: what is one, and what stands in its place.
    ///
    /// By default these are header fields for credentials and cookies (`Authorization`, `Cookie`, `Set-Cookie`, and names
    /// that end like `-token` or `-key`), user names and passwords in URLs, and query items with a name such as
    /// `access_token` or a value that looks like a token. Fragments, which no server sees, are left out.
    public struct LogRedaction: Hashable, Sendable {
        /// Header fields that are secret besides those that always are; in any case.
        public var secretHeaders: Set<String> = []
        /// Names of query items whose values are secret; lower case, without `-` and `_`.
        public var secretQueryItems: Set<String> = [
            "accesstoken", "apikey", "assertion", "auth", "authorization", "clientsecret", "code", "credential",
            "idtoken",
            "jwt", "key", "passphrase", "passwd", "password", "pwd", "refreshtoken", "secret", "session", "sessionid",
            "sid", "sig", "signature", "token", "xamzcredential", "xamzsecuritytoken", "xamzsignature",
        ]
        /// Stands where a secret was.
        public var replacement = "•••"

        /// The rules described above.
        public init() {}

        /// The URL without its secrets.
        public func url(_ text: String) -> String {
            let visible = text.prefix { $0 != "#" }
            let path = visible.prefix { $0 != "?" }
            let query = visible.dropFirst(path.count)
            return withoutUserInfo(path) + (query.isEmpty ? "" : "?" + self.query(query.dropFirst()))
        }

        /// The field as a line, with its value where that is no secret.
        public func header(_ header: HTTPHeader) -> String {
            let isSecret = header.holdsSecret || secretHeaders.contains { $0.lowercased() == header.name.lowercased() }
            return "\(header.name): \(isSecret ? replacement : self.text(header.value))"
        }

        /// Any text, with the secrets of the URLs in it taken out.
        public func text(_ text: String) -> String {
            guard text.contains("://") else { return text }
            let isBetween: (Character) -> Bool = { " \t\n\"'<>()".contains($0) }
            var result = ""
            var rest = text[...]
            while !rest.isEmpty {
                let word = rest.prefix { !isBetween($0) }
                result += word.contains("://") ? url(String(word)) : String(word)
                rest = rest.dropFirst(word.count)
                let gap = rest.prefix(while: isBetween)
                result += gap
                rest = rest.dropFirst(gap.count)
            }
            return result
        }

        private func withoutUserInfo(_ path: Substring) -> String {
            let parts = path.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return String(path) }
            let authority = parts[1].prefix { $0 != "/" }
            guard let at = authority.lastIndex(of: "@") else { return String(path) }
            return "\(parts[0])://\(replacement)\(parts[1][at...])"
        }

        private func query(_ query: Substring) -> String {
            query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                let name = item.prefix { $0 != "=" }
                let value = item.dropFirst(name.count + 1)
                let isSecret = !value.isEmpty && (isSecretName(name) || Self.looksLikeToken(value))
                return isSecret ? "\(name)=\(replacement)" : String(item)
            }.joined(separator: "&")
        }

        private func isSecretName(_ name: Substring) -> Bool {
            secretQueryItems.contains(String(name.lowercased().filter { $0 != "-" && $0 != "_" }))
        }

        /// A JSON web token, or forty characters and more of letters and digits without a word in them.
        private static func looksLikeToken(_ value: Substring) -> Bool {
            if value.hasPrefix("eyJ"), value.count(where: { $0 == "." }) == 2 { return true }
            let isDense =
                value.utf8.count >= 40
                && value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.~%=".contains($0)) }
            return isDense && value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
        }
    }
#endif
