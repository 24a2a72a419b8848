public import AFTransport

/// Asks for a chain in which no certificate was taken back.
///
/// Two sources tell: the OCSP response that the server staples to its handshake, and the revocation lists that the
/// caller brings. Nothing is fetched, so a server that staples nothing passes unless
/// ``AFTransport/RevocationChecks/requirePositiveResponse`` is among the options.
public final class RevocationTrustEvaluator: ServerTrustEvaluating {
    /// How to learn whether certificates were revoked.
    public typealias Options = RevocationChecks

    private let performDefaultValidation: Bool
    private let validateHost: Bool
    private let options: Options
    private let revocationLists: [CertificateRevocationList]

    /// - Parameters:
    ///   - performDefaultValidation: Whether a bad chain is reported as such; as `revocationCheckFailed` it is anyhow.
    ///   - validateHost: Whether the certificate must be for the host.
    ///   - revocationLists: For `Options.crl`: of the authorities that may have issued the server's certificates. A list
    ///     that is out of date says nothing.
    public init(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: Options = .any,
        revocationLists: [CertificateRevocationList] = []
    ) {
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
        self.options = options
        self.revocationLists = revocationLists
    }

    /// - Throws: What ``DefaultTrustEvaluator`` throws where the chain is verified, and `revocationCheckFailed` with
    ///   OpenSSL's status where a certificate was taken back or is not known to be good.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try trust.validate(forHost: host, chain: performDefaultValidation, name: validateHost)
        try trust.validate(policy: .revocation(checks: options, lists: revocationLists)) { status, result in
            AFError.serverTrustEvaluationFailed(
                reason: .revocationCheckFailed(output: .init(host, trust, status, result), options: options)
            )
        }
    }
}

extension ServerTrustEvaluating where Self == RevocationTrustEvaluator {
    /// A ``RevocationTrustEvaluator`` with all defaults.
    public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

    /// A ``RevocationTrustEvaluator``; the parameters are those of its initialiser.
    public static func revocationChecking(
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        options: RevocationTrustEvaluator.Options = .any,
        revocationLists: [CertificateRevocationList] = []
    ) -> RevocationTrustEvaluator {
        RevocationTrustEvaluator(
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost,
            options: options,
            revocationLists: revocationLists
        )
    }
}
