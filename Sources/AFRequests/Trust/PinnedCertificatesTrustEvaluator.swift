public import AFTransport

/// Requires one of the pinned certificates in the verified chain, including the server's own.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    private let certificates: [Certificate]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// Creates an evaluator that requires one of these certificates in the chain.
    ///
    /// - Parameters:
    ///   - certificates: The pinned certificates; by default those beside the executable. An empty list rejects every
    /// server.
    ///   - acceptSelfSignedCertificates: Trusts only `certificates` instead of the session's authorities, for
    /// self-signed servers.
    ///   - performDefaultValidation: Whether to verify the chain. Without it and without `validateHost`, only the pin
    /// is checked: an expired certificate is accepted.
    ///   - validateHost: Whether to verify the chain and the host.
    public init(
        certificates: [Certificate] = CertificateDirectory.main.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Evaluates the server.
    ///
    /// - Throws: `noCertificatesFound` for an empty list, errors of ``DefaultTrustEvaluator`` if the chain is verified,
    ///   and `certificatePinningFailed` if no pin matches.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        guard !certificates.isEmpty else { throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound) }
        var trust = trust
        if acceptSelfSignedCertificates { trust.setAnchorCertificates(certificates) }
        try trust.validate(forHost: host, chain: performDefaultValidation, name: validateHost)
        let path = trust.path
        guard !Set(certificates).isDisjoint(with: path) else {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(
                    host: host,
                    trust: trust,
                    pinnedCertificates: certificates,
                    serverCertificates: path
                )
            )
        }
    }
}

extension ServerTrustEvaluating where Self == PinnedCertificatesTrustEvaluator {
    /// A ``PinnedCertificatesTrustEvaluator`` for the certificates beside the executable.
    public static var pinnedCertificates: PinnedCertificatesTrustEvaluator { PinnedCertificatesTrustEvaluator() }

    /// Returns a ``PinnedCertificatesTrustEvaluator``; the parameters are those of its initializer.
    public static func pinnedCertificates(
        certificates: [Certificate] = CertificateDirectory.main.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) -> PinnedCertificatesTrustEvaluator {
        PinnedCertificatesTrustEvaluator(
            certificates: certificates,
            acceptSelfSignedCertificates: acceptSelfSignedCertificates,
            performDefaultValidation: performDefaultValidation,
            validateHost: validateHost
        )
    }
}
