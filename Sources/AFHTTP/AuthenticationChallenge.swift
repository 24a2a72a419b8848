/// An authentication scheme that a server offers with 401, or a proxy with 407 (RFC 9110 §11.6.1).
public struct AuthenticationChallenge: Hashable, Sendable {
    /// `Basic`, `Digest`, `Bearer` …, as the server writes it.
    public let scheme: String
    /// The name of the protection space (RFC 9110 §11.5); `nil` if the challenge names none.
    public let realm: String?
    /// The parameters by name in lower case; of repeated ones, the first.
    public let parameters: [String: String]
    /// The authentication method; `nil` for a scheme that the library does not know.
    public var method: URLProtectionSpace.AuthenticationMethod? {
        .allCases.first { $0.rawValue.isSameFieldName(as: scheme) }
    }

    /// Returns the challenges in a `WWW-Authenticate` or `Proxy-Authenticate` value, which may hold several.
    public static func challenges(in value: String) -> [AuthenticationChallenge] {
        var scanner = Scanner(rest: value.utf8[...])
        var found: [(scheme: String, parameters: [String: String])] = []
        while let item = scanner.next() {
            switch item {
            case .scheme(let name): found.append((name, [:]))
            case .parameter(let name, let value):
                guard let last = found.indices.last, case let name = name.lowercased() else { continue }
                found[last].parameters[name] = found[last].parameters[name] ?? value
            }
        }
        return found.map {
            AuthenticationChallenge(scheme: $0.scheme, realm: $0.parameters["realm"], parameters: $0.parameters)
        }
    }

    /// Reads one item at a time: a comma may separate parameters or challenges, and only the next item shows which.
    private struct Scanner {
        enum Item { case scheme(String), parameter(String, String) }

        var rest: Substring.UTF8View

        mutating func next() -> Item? {
            while true {
                skip { Self.isSeparator($0) || Self.isSpace($0) }
                let word = take { !Self.isSpace($0) && !Self.isSeparator($0) && $0 != UInt8(ascii: "=") }
                if word.isEmpty {
                    // Skips a stray character, so that the loop ends.
                    guard rest.popFirst() != nil else { return nil }
                    continue
                }
                let before = rest
                skip(Self.isSpace)
                guard rest.first == UInt8(ascii: "=") else {
                    rest = before
                    // A scheme is a token (RFC 9110 §11.1): quoted text is none.
                    if word.utf8.allSatisfy(\.isTokenByte) { return .scheme(word) }
                    continue
                }
                rest = rest.dropFirst()
                skip(Self.isSpace)
                // A token68 may end with equal signs.
                skip { $0 == UInt8(ascii: "=") }
                return .parameter(word, rest.first == UInt8(ascii: "\"") ? takeQuoted() : takeToken())
            }
        }

        private mutating func takeToken() -> String { take { !Self.isSpace($0) && !Self.isSeparator($0) } }

        private mutating func takeQuoted() -> String {
            rest = rest.dropFirst()
            var bytes: [UInt8] = []
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        private mutating func take(while matches: (UInt8) -> Bool) -> String {
            let word = rest.prefix(while: matches)
            rest = rest[word.endIndex...]
            return String(decoding: word, as: UTF8.self)
        }

        private mutating func skip(_ matches: (UInt8) -> Bool) { rest = rest.drop(while: matches) }

        /// Some servers separate parameters with semicolons, which no token has.
        private static func isSeparator(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    }
}

extension HTTPURLResponse {
    /// The challenges of the response, in the server's order.
    public var authenticationChallenges: [AuthenticationChallenge] {
        headers.values(for: "WWW-Authenticate").flatMap(AuthenticationChallenge.challenges(in:))
    }

    /// The challenges of a proxy (RFC 9110 §11.7.1), in its order.
    public var proxyAuthenticationChallenges: [AuthenticationChallenge] {
        headers.values(for: "Proxy-Authenticate").flatMap(AuthenticationChallenge.challenges(in:))
    }
}
