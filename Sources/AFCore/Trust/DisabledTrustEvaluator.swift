public import AFTransport

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
