/// The evaluators of a session, by host.
///
/// ```swift
/// let manager = ServerTrustManager(evaluators: [
///     "api.example.com": PublicKeysTrustEvaluator(keys: keys),
///     "*.example.com": DefaultTrustEvaluator(),
/// ])
/// let session = Session(serverTrustManager: manager)
/// ```
///
/// A client certificate is sent in the handshake, before the evaluation. It contains no secret, but identifies the
/// client.
///
/// `@unchecked` because the class is open; its own properties are immutable.
open class ServerTrustManager: @unchecked Sendable {
    /// Whether requests to hosts without an evaluator fail; otherwise the TLS settings of the session's configuration
    /// apply.
    public let allHostsMustBeEvaluated: Bool
    /// The evaluators by host name. A name that begins with `*.` matches all names with one label in its place, as in
    /// certificates.
    public let evaluators: [String: any ServerTrustEvaluating]
    /// The evaluators by normalized host name.
    private let evaluatorsByHost: [String: any ServerTrustEvaluating]

    /// Creates a manager; names are compared without regard to case and a trailing dot.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        evaluatorsByHost = Dictionary(
            evaluators.sorted { $0.key < $1.key }.map { ($0.key.lowercased().withoutRootDot, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the evaluator of a host: an exact name takes precedence over a wildcard.
    ///
    /// - Returns: `nil` if the default evaluation applies.
    /// - Throws: `AFError` with `noRequiredEvaluator` if the host has no evaluator and must have one.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let host = host.lowercased().withoutRootDot
        if let evaluator = evaluatorsByHost[host] { return evaluator }
        let parent = host.drop { $0 != "." }
        if parent.count < host.count, let evaluator = evaluatorsByHost["*" + parent] { return evaluator }
        guard Safety.refuses("13-no-evaluator", allHostsMustBeEvaluated) else { return nil }
        throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
    }
}

extension String {
    /// The host without the trailing dot of the DNS root, which certificates do not have: `a.test.` is the same server
    /// as `a.test`.
    var withoutRootDot: String { hasSuffix(".") ? String(dropLast()) : self }
}
