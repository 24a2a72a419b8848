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
