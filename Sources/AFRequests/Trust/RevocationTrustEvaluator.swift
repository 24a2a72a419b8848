public import AFTransport

/// Requires a chain without revoked certificates.
///
/// There are two sources: the OCSP response that the server staples to its handshake, and revocation lists from the
/// caller. Nothing is fetched, so a server without a stapled response is accepted unless
/// ``AFTransport/RevocationChecks/requirePositiveResponse`` is among the options.
public final class RevocationTrustEvaluator: ServerTrustEvaluating {
    /// The sources of revocation information.
    public typealias Options = RevocationChecks

    private let performDefaultValidation: Bool
    private let validateHost: Bool
    private let options: Options
    private let revocationLists: [CertificateRevocationList]

    /// Creates an evaluator of the chain that rejects revoked certificates.
    ///
    /// - Parameters:
    ///   - performDefaultValidation: Whether an invalid chain has its own error instead of `revocationCheckFailed`.
    ///   - validateHost: Whether the certificate must be for the host.
    ///   - revocationLists: The lists for `Options.crl`, from the authorities that may have issued the server's
    /// certificates. An expired list is ignored.
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

    /// Evaluates the server.
    ///
    /// - Throws: Errors of ``DefaultTrustEvaluator`` if the chain is verified, and `revocationCheckFailed` with
    ///   OpenSSL's status if a certificate was revoked or is not confirmed.
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
    /// A ``RevocationTrustEvaluator`` with default settings.
    public static var revocationChecking: RevocationTrustEvaluator { RevocationTrustEvaluator() }

    /// Returns a ``RevocationTrustEvaluator``; the parameters are those of its initializer.
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
