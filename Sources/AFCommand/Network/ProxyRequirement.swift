internal import AFCore
internal import AFHTTP

/// The authentication that a proxy requires with 407 (RFC 9110 §15.5.8).
struct ProxyRequirement: Sendable {
    /// The authentication schemes that it offers, each of them once; empty if it names none.
    private let schemes: [String]
    /// Whether the request had credentials for the proxy.
    private let hasCredential: Bool
    /// The schemes for which the credentials are used.
    private let kinds: AuthenticationOptions.Kinds

    /// - Parameters:
    ///   - response: The response of the proxy; `nil` if it is unknown.
    ///   - proxy: The proxy; `nil` if it is unknown.
    init(_ response: HTTPURLResponse?, _ proxy: ProxyOptions?) {
        hasCredential = proxy?.credential != nil
        kinds = proxy?.credentialKinds ?? .basic
        schemes = (response?.proxyAuthenticationChallenges ?? []).map(\.scheme).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    /// The offered schemes that `--proxy-auth-type` names.
    private var supported: [ProxyAuthenticationKind] { schemes.compactMap { .init(rawValue: $0.lowercased()) } }

    /// Whether the proxy offers a scheme for which credentials are used.
    private var offersUsed: Bool { schemes.isEmpty || supported.contains { kinds.contains($0.kind) } }

    /// The predicate of a sentence about the proxy.
    var problem: String {
        let name = schemes.isEmpty ? "" : "\(schemes.joined(separator: " or ")) "
        guard offersUsed || !supported.isEmpty else { return "requires \(name)authentication, which is not supported" }
        return hasCredential && offersUsed ? "rejected the credentials" : "requires \(name)authentication"
    }

    /// - Parameter scheme: The scheme of the proxy's URL.
    func hint(scheme: String = "http") -> String {
        let credentials = "--proxy \(scheme)://USER:PASSWORD@HOST:PORT"
        if offersUsed { return "\(credentials) sets the credentials" }
        guard let kind = supported.first else { return "--no-proxy HOST bypasses the proxy" }
        let type = "--proxy-auth-type \(kind.rawValue)"
        return hasCredential ? "add \(type)" : "\(type) with \(credentials) sets the credentials"
    }
}
