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
/// A certificate of the client's own is shown in the handshake, which comes before the verdict. It holds no secret, but
/// tells who the client is.
///
/// `@unchecked` because the class is open; its own properties are immutable.
open class ServerTrustManager: @unchecked Sendable {
    /// Whether requests to hosts without an evaluator fail; otherwise the default handling decides about them, which is
    /// what the session's configuration says of TLS.
    public let allHostsMustBeEvaluated: Bool
    /// By host name. A name that begins with `*.` stands for all names with one label in that place, as in certificates.
    public let evaluators: [String: any ServerTrustEvaluating]
    /// By host names as URLs have them when they are taken apart.
    private let evaluatorsByHost: [String: any ServerTrustEvaluating]

    /// A manager for these hosts; upper and lower case are the same, and so is a name with a dot at its end.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
        evaluatorsByHost = Dictionary(
            evaluators.sorted { $0.key < $1.key }.map { ($0.key.lowercased().withoutRootDot, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The evaluator of a host: that of its own name before that of a wildcard.
    ///
    /// - Returns: `nil` where the default handling is to decide.
    /// - Throws: `AFError` with `noRequiredEvaluator` where the host has no evaluator and must have one.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        let host = host.lowercased().withoutRootDot
        if let evaluator = evaluatorsByHost[host] { return evaluator }
        let parent = host.drop { $0 != "." }
        if parent.count < host.count, let evaluator = evaluatorsByHost["*" + parent] { return evaluator }
        guard allHostsMustBeEvaluated else { return nil }
        throw AFError.serverTrustEvaluationFailed(reason: .noRequiredEvaluator(host: host))
    }
}

extension String {
    /// A host without the dot of the DNS' root, which no certificate names: `a.test.` is the same server as `a.test`.
    var withoutRootDot: String { hasSuffix(".") ? String(dropLast()) : self }
}
