public import AFTransport

/// Several evaluators in one, all of which a server has to please.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// - Parameter evaluators: Asked in this order, to the first that throws. None at all trust nobody.
    public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    /// - Throws: What the first evaluator throws that refuses the server; without evaluators, `trustEvaluationFailed`.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !evaluators.isEmpty else {
            throw AFError.serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: nil))
        }
        try evaluators.evaluate(trust, forHost: host)
    }
}

extension ServerTrustEvaluating where Self == CompositeTrustEvaluator {
    /// A ``CompositeTrustEvaluator`` of these.
    public static func composite(evaluators: [any ServerTrustEvaluating]) -> CompositeTrustEvaluator {
        CompositeTrustEvaluator(evaluators: evaluators)
    }
}
