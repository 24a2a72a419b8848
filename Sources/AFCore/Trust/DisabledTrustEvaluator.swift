public import AFTransport

/// Trusts every server. An attacker on the network can read and change everything: for tests only.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Creates an evaluator.
    public init() {}

    /// Never throws.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

extension ServerTrustEvaluating where Self == DisabledTrustEvaluator {
    /// A ``DisabledTrustEvaluator``.
    public static var disabled: DisabledTrustEvaluator { DisabledTrustEvaluator() }
}
