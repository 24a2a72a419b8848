public import AFTransport

/// An evaluator that accepts or rejects servers.
///
/// An evaluator replaces the default evaluation completely. A custom one usually begins with
/// ``AFTransport/ServerTrust/performValidation(forHost:)``.
public protocol ServerTrustEvaluating: Sendable {
    /// Evaluates a server's certificate chain.
    ///
    /// Called for every new connection before the first byte of the request; a rejected server is evaluated again for
    /// the next request. Runs on the thread of all transfers of the session, so it must not block.
    ///
    /// - Throws: Any error to reject the server; the request is not sent. An error that is not an `AFError` becomes the
    ///   `error` of `AFError.ServerTrustFailureReason.customEvaluationFailed`.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension Array where Element == any ServerTrustEvaluating {
    /// Calls the evaluators in order until one throws.
    ///
    /// - Throws: The error of the first evaluator that rejects the server.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        for evaluator in self { try evaluator.evaluate(trust, forHost: host) }
    }
}
