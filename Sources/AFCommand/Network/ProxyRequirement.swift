internal import AFCore
internal import AFHTTP

/// The authentication that a proxy requires with 407 (RFC 9110 §15.5.8).
struct ProxyRequirement: Sendable {
    /// The authentication schemes that it offers, each of them once; empty if it names none.
    private let schemes: [String]
    /// Whether the request had credentials for the proxy: those of Basic, the only supported scheme.
    private let hasCredential: Bool

    /// - Parameter response: The response of the proxy; `nil` if it is unknown.
    init(_ response: HTTPURLResponse?, hasCredential: Bool) {
        self.hasCredential = hasCredential
        schemes = (response?.proxyAuthenticationChallenges ?? []).map(\.scheme).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }

    private var offersBasic: Bool { schemes.isEmpty || schemes.contains { $0.isSameFieldName(as: "Basic") } }

    /// The predicate of a sentence about the proxy.
    var problem: String {
        let name = schemes.isEmpty ? "" : "\(schemes.joined(separator: " or ")) "
        guard offersBasic else { return "requires \(name)authentication, and only Basic is supported" }
        return hasCredential ? "rejected the credentials" : "requires \(name)authentication"
    }

    /// - Parameter scheme: The scheme of the proxy's URL.
    func hint(scheme: String = "http") -> String {
        offersBasic
            ? "--proxy \(scheme)://USER:PASSWORD@HOST:PORT sets the credentials" : "--no-proxy HOST bypasses the proxy"
    }
}
