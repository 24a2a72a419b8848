public import AFTransport

/// What happens without an evaluator, too: the chain must be good, and for the host unless that is not wanted.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    private let validateHost: Bool

    /// - Parameter validateHost: Whether the certificate must be for the host.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    /// - Throws: `defaultEvaluationFailed` for the chain, `hostValidationFailed` where it is for another host, and
    ///   `settingAnchorCertificatesFailed` where the trusted certificates cannot be read.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try trust.validate(forHost: host, chain: true, name: validateHost)
    }
}

extension ServerTrustEvaluating where Self == DefaultTrustEvaluator {
    /// A ``DefaultTrustEvaluator`` that looks at the host.
    public static var `default`: DefaultTrustEvaluator { DefaultTrustEvaluator() }
}

/// Trusts every server. Whoever is on the way can read and change everything: for tests only.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// An evaluator that throws at nothing.
    public init() {}

    /// Never throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
    /// A ``DisabledTrustEvaluator``.
    public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
