public import AFTransport

/// The default evaluation: the chain must be valid and, optionally, for the host.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool

    /// Creates an evaluator of the chain.
    ///
    /// - Parameter validateHost: Whether the certificate must be for the host.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    /// Evaluates the server.
    ///
    /// - Throws: `defaultEvaluationFailed` for an invalid chain, `hostValidationFailed` for another host, and
    ///   `settingAnchorCertificatesFailed` if the trusted certificates cannot be read.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try trust.validate(forHost: host, chain: true, name: validateHost)
    }
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
    /// A ``DefaultTrustEvaluator`` that validates the host.
    public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}

/// Trusts every server. An attacker on the network can read and change everything: for tests only.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Creates an evaluator that accepts every server.
    public init() {}

    /// Never throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
    /// A ``DisabledTrustEvaluator``.
    public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
