internal import AFTransport
internal import Synchronization

/// Puts a session's ``ServerTrustManager`` between its transfers and their servers.
struct SessionTrust: Sendable {
    private let manager: ServerTrustManager
    private let name: String

    private static let count = Atomic(0)

    init(_ manager: ServerTrustManager) {
        self.manager = manager
        // Sessions may share a transport, where equal names mean connections in common.
        name = "session \(Self.count.add(1, ordering: .relaxed).newValue)"
    }

    /// Hands the verdict over to the host's evaluator, if it has one.
    func apply(to tls: inout TLSOptions, for host: String) throws {
        let host = host.withoutRootDot
        guard let evaluator = try manager.serverTrustEvaluator(forHost: host) else { return }
        tls.verifiesChain = false
        tls.verifiesHost = false
        // Once a server was refused its connections are given up; those to other hosts are to stay.
        tls.evaluation = TrustEvaluation(name: "\(name) \(host)", scope: .connection) { trust in
            try evaluator.evaluate(trust, forHost: host)
        }
    }

    /// The error of a request whose server was refused.
    static func error(for failure: TransferFailure) -> AFError {
        let error = failure.underlyingError ?? failure
        return error.asAFError(or: .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: error)))
    }
}
