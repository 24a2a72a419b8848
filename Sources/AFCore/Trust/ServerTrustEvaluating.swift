public import AFTransport

/// Decides whether a server is the one that it should be.
///
/// An evaluator takes the place of the default handling altogether: what it does not look at, nobody looks at. One of
/// the caller's own will want to begin with ``AFTransport/ServerTrust/performValidation(forHost:)``.
public protocol ServerTrustEvaluating: Sendable {
    /// Judges what a server showed in its TLS handshake.
    ///
    /// It is asked for every new connection, before the first byte of the request that wants it; a server that was
    /// refused is asked about again with the next request. It runs on the thread that serves every transfer of the
    /// session, so it must not wait for anything.
    ///
    /// - Throws: Whatever speaks against the server; nothing is sent then. An error that is no `AFError` becomes the
    ///   `error` of `AFError.ServerTrustFailureReason.customEvaluationFailed`.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws
}

extension Array where Element == any ServerTrustEvaluating {
    /// Asks one after the other, to the first that throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        for evaluator in self { try evaluator.evaluate(trust, forHost: host) }
    }
}
