internal import AFTransport
internal import Synchronization

/// Connects a session's ``ServerTrustManager`` to its transfers.
struct SessionTrust: Sendable {
    private let manager: ServerTrustManager
    private let name: String

    private static let count = Atomic(0)

    init(_ manager: ServerTrustManager) {
        self.manager = manager
        // Unique per session: sessions may share a transport, where evaluations with equal names share connections.
        name = "session \(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    /// Sets the evaluation of the host's evaluator, if there is one.
    func apply(to tls: inout TLSOptions, for host: String) throws {
        let host = host.withoutRootDot
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else { return }
        tls.verifiesChain = false
        tls.verifiesHost = false
        // Rejection closes all connections with the same evaluation name, so the name contains the host.
        tls.evaluation = TrustEvaluation(name: "\(name) \(host)", scope: .connection) { trust in
            try evaluator.evaluate(trust, forHost: host)
        }
    }

    /// Returns the error of a request whose server was rejected.
    static func error(for failure: TransferFailure) -> AFError {
        let error = failure.underlyingError ?? failure
        return error.asAFError(or: .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error)))
    }
}
