#if Logging
    public import AFHTTP

    /// Keeps secrets out of logs: what is one, and what stands in its place.
    ///
    /// By default these are header fields and query items whose names tell that they hold a credential or a cookie, such
    /// as `Authorization`, `X-Api-Key` and `access_token` (``AFHTTP/SecretNames``), query items with a value that looks
    /// like a token, and user names and passwords in URLs. Fragments, which no server sees, are left out.
    public struct LogRedaction: Hashable, Sendable {
        /// Header fields that are secret besides those that always are; in any case.
        public var secretHeaders: Set<String> = []
        /// Names of query items whose values are secret besides those that always are; in any case.
        public var secretQueryItems: Set<String> = []
        /// Stands where a secret was.
        public var replacement = "•••"

        /// The rules described above.
        public init() {}

        /// The URL without its secrets.
        public func url(_ text: String) -> String {
            let url = QueryRedaction(names: SecretNames(secretQueryItems), replacement: replacement).url(text)
            let path = url.prefix { $0 != "?" }
            return withoutUserInfo(path) + url[path.endIndex...]
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
    }
#endif
