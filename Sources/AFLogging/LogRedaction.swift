#if Logging
    public import AFHTTP

    /// Removes secrets from logs.
    ///
    /// By default, secrets are header fields and query items whose names indicate a credential or a cookie, such as
    /// `Authorization`, `X-Api-Key` and `access_token` (``AFHTTP/SecretNames``), query items with a value that looks
    /// like a token, and user names and passwords in URLs. Fragments, which are not sent, are removed too.
    public struct LogRedaction: Hashable, Sendable {
        /// Additional names of secret header fields, in any case.
        public var secretHeaders: Set<String> = []
        /// Additional names of secret query items, in any case.
        public var secretQueryItems: Set<String> = []
        /// The text that replaces a secret.
        public var replacement = "•••"

        /// Creates a redaction with the default rules.
        public init() {}

        /// Returns the URL without secrets.
        public func url(_ text: String) -> String {
            let url = QueryRedaction(names: SecretNames(secretQueryItems), replacement: replacement).url(text)
            let path = url.prefix { $0 != "?" }
            return withoutUserInfo(path) + url[path.endIndex...]
        }

        /// Returns the field as a line, with a secret value replaced.
        public func header(_ header: HTTPHeader) -> String {
            let isSecret = header.holdsSecret || secretHeaders.contains { $0.lowercased() == header.name.lowercased() }
            return "\(header.name): \(isSecret ? replacement : self.text(header.value))"
        }

        /// Returns the text with the secrets of its URLs replaced.
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
    }
#endif
