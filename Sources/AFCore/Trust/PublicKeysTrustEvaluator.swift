public import AFTransport

/// Asks for one of the caller's keys among those that vouch for the server, the server's own included.
///
/// A key outlives the certificates that are made for it one after the other.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    private let keys: [PublicKey]
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - keys: Those of the certificates beside the program if not given. With none, no server passes.
    ///   - performDefaultValidation: Whether the chain is verified. Without it, and without `validateHost`, the pin is all
    ///     that holds.
    ///   - validateHost: Whether the chain is verified and for the host.
    public init(
        keys: [PublicKey] = CertificateFolder.main.publicKeys,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.keys = keys
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// - Throws: `noPublicKeysFound` without keys to compare with, what ``DefaultTrustEvaluator`` throws where the
    ///   chain is verified, and `publicKeyPinningFailed` where none of them vouches for the server.
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
    /// A ``PublicKeysTrustEvaluator`` for the keys of the certificates beside the program.
    public static var publicKeys: PublicKeysTrustEvaluator { PublicKeysTrustEvaluator() }

    /// A ``PublicKeysTrustEvaluator``; the parameters are those of its initialiser.
    public static func publicKeys(
        keys: [PublicKey] = CertificateFolder.main.publicKeys,
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
