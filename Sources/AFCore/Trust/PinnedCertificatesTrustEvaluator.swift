public import AFTransport

/// Asks for one of the caller's certificates among those that vouch for the server, the server's own included.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    private let certificates: [Certificate]
    private let acceptSelfSignedCertificates: Bool
    private let performDefaultValidation: Bool
    private let validateHost: Bool

    /// - Parameters:
    ///   - certificates: Those beside the program if not given. With none, no server passes.
    ///   - acceptSelfSignedCertificates: Makes `certificates` the only ones that are trusted, instead of the session's
    ///     authorities: for servers that nobody else vouches for.
    ///   - performDefaultValidation: Whether the chain is verified. Without it, and without `validateHost`, the pin is all
    ///     that holds: a certificate that is over passes.
    ///   - validateHost: Whether the chain is verified and for the host.
    public init(
        certificates: [Certificate] = CertificateFolder.main.certificates,
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true
    ) {
        self.certificates = certificates
        self.acceptSelfSignedCertificates = acceptSelfSignedCertificates
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// - Throws: `noCertificatesFound` without certificates to compare with, what ``DefaultTrustEvaluator`` throws
    ///   where the chain is verified, and `certificatePinningFailed` where none of them vouches for the server.
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
    /// A ``PinnedCertificatesTrustEvaluator`` for the certificates beside the program.
    public static var pinnedCertificates: PinnedCertificatesTrustEvaluator { PinnedCertificatesTrustEvaluator() }

    /// A ``PinnedCertificatesTrustEvaluator``; the parameters are those of its initialiser.
    public static func pinnedCertificates(
        certificates: [Certificate] = CertificateFolder.main.certificates,
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
