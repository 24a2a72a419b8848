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
        var parser = Parser(scanner: FieldScanner(value))
        var found: [(scheme: String, parameters: [String: String])] = []
        while let item = parser.next() {
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
    private struct Parser {
        enum Item { case scheme(String), parameter(String, String) }

        var scanner: FieldScanner

        mutating func next() -> Item? {
            while true {
                // Some servers separate parameters with semicolons, which no token has.
                scanner.skip { $0.isFieldSeparator || $0.isBlank }
                let word = scanner.takeName()
                if word.isEmpty {
                    // Skips a stray character, so that the loop ends.
                    guard scanner.skipByte() else { return nil }
                    continue
                }
                let before = scanner
                scanner.skipBlanks()
                guard scanner.skip(UInt8(ascii: "=")) else {
                    scanner = before
                    // A scheme is a token (RFC 9110 §11.1): quoted text cannot be one.
                    if word.utf8.allSatisfy(\.isTokenByte) { return .scheme(word) }
                    continue
                }
                scanner.skipBlanks()
                // A token68 may end with equal signs.
                scanner.skip { $0 == UInt8(ascii: "=") }
                return .parameter(word, scanner.takeValue())
            }
        }
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
