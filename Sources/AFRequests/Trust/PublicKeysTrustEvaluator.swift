public import AFTransport

/// Requires one of the pinned keys in the verified chain, including the server's own.
///
/// A key can be reused when its certificate is renewed.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    private let keys: [PublicKey]
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// Creates an evaluator that requires one of these keys in the chain.
    ///
    /// - Parameters:
    ///   - keys: The pinned keys; by default those of the certificates beside the executable. An empty list rejects
    /// every server.
    ///   - performDefaultValidation: Whether to verify the chain. Without it and without `validateHost`, only the pin
    /// is checked.
    ///   - validateHost: Whether to verify the chain and the host.
    public init(
        keys: [PublicKey] = CertificateDirectory.main.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Evaluates the server.
    ///
    /// - Throws: `noPublicKeysFound` for an empty list, errors of ``DefaultTrustEvaluator`` if the chain is verified,
    ///   and `publicKeyPinningFailed` if no pin matches.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !keys.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noPublicKeysFound) }
        try trust.validate(forHost: host, chain: performDefaultValidation, name: validateHost)
        let serverKeys = trust.publicKeys
        guard !Set(keys).isDisjoint(with: serverKeys) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .publicKeyPinningFailed(host: host, trust: trust, pinnedKeys: keys, serverKeys: serverKeys)
            )
        }
    }
}

extension ServerTrustEvaluating where Self == PublicKeysTrustEvaluator {
    /// A ``PublicKeysTrustEvaluator`` for the keys of the certificates beside the executable.
    public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

    /// Returns a ``PublicKeysTrustEvaluator``; the parameters are those of its initializer.
    public static func publicKeys(
        keys: [PublicKey] = CertificateDirectory.main.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) -> PublicKeysTrustEvaluator {
        PublicKeysTrustEvaluator(
            keys: keys,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}
