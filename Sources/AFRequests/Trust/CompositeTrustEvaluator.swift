public import AFTransport

/// Combines evaluators, all of which must accept the server.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// Creates an evaluator that requires the consent of others.
    ///
    /// - Parameter evaluators: The evaluators, called in order until one throws. An empty list rejects every server.
    public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    /// Evaluates the server.
    ///
    /// - Throws: The error of the first evaluator that rejects the server; `trustEvaluationFailed` for an empty list.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else {
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil))
        }
        try evaluators.evaluate(trust, forHost: host)
    }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
    /// Returns a ``CompositeTrustEvaluator``.
    public static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
        CompositeTrustEvaluator(evaluators: evaluators)
    }
}
