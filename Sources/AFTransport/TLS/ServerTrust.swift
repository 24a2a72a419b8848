/// The certificate chain of a server's TLS handshake, and the trusted authorities.
///
/// Replaces Alamofire's `SecTrust`. As a value it can be evaluated at any time on any thread.
public struct ServerTrust: Hashable, Sendable {
    /// The host of the request.
    public let host: String
    /// The chain as the server sent it, leaf first. Not verified: a server may send any certificates.
    public let certificates: [Certificate]
    /// The OCSP response that the server stapled to its handshake (RFC 6066 §8), in DER.
    public let stapledResponse: [UInt8]?
    /// The authorities that the session trusts.
    public let authorities: TLSOptions.Authorities
    /// Certificates trusted instead of ``authorities``: authorities or a server's own.
    public var anchors: [Certificate]?

    /// Creates a trust value; the transport does so for real servers.
    public init(
        host: String,
        certificates: [Certificate],
        stapledResponse: [UInt8]? = nil,
        authorities: TLSOptions.Authorities = .system,
        anchors: [Certificate]? = nil
    ) {
        self.host = host
        self.certificates = certificates
        self.stapledResponse = stapledResponse
        self.authorities = authorities
        self.anchors = anchors
    }
}

/// The requirements for a ``ServerTrust``. Every policy requires a currently valid chain to a trusted certificate.
///
/// Replaces Alamofire's `SecPolicy`.
public struct TrustPolicy: Hashable, Sendable {
    enum Demand: Hashable, Sendable {
        case chain
        case host(String)
        case revocation(RevocationChecks, [CertificateRevocationList])
    }

    let demand: Demand

    /// Whether the policy was created by ``revocation(checks:lists:)``.
    public var isAboutRevocation: Bool {
        if case .revocation = demand { true } else { false }
    }

    /// Requires a valid chain, for any host.
    public static let `default` = TrustPolicy(demand: .chain)

    /// Returns a policy that also requires a leaf for this host or address. Subject names are ignored (RFC 9525).
    public static func hostname(_ hostname: String) -> TrustPolicy { TrustPolicy(demand: .host(hostname)) }

    /// Returns a policy that also requires that no certificate was revoked.
    public static func revocation(
        checks: RevocationChecks,
        lists: [CertificateRevocationList] = []
    ) -> TrustPolicy {
        TrustPolicy(demand: .revocation(checks, lists))
    }
}

/// The sources of revocation information. Nothing is ever fetched: only the server's and the caller's data are used.
public struct RevocationChecks: OptionSet, Hashable, Sendable {
    /// The bits of the sources.
    public let rawValue: UInt
    /// Creates checks from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Uses the OCSP response that the server stapled to its handshake, for the server's certificate.
    public static let ocsp = RevocationChecks(rawValue: 1 << 0)
    /// Uses revocation lists, for every certificate that one of them covers.
    public static let crl = RevocationChecks(rawValue: 1 << 1)
    /// Ignores a stapled response if a list covers the server's certificate.
    public static let preferCRL = RevocationChecks(rawValue: 1 << 2)
    /// Rejects a server whose certificate no source confirms; otherwise missing information is accepted.
    public static let requirePositiveResponse = RevocationChecks(rawValue: 1 << 3)
    /// Always in effect.
    public static let networkAccessDisabled = RevocationChecks(rawValue: 1 << 4)
    /// All available sources.
    public static let any: RevocationChecks = [.ocsp, .crl]
}

/// The reason why a ``ServerTrust`` does not meet a ``TrustPolicy``.
public struct TrustFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause of the failure.
    public enum Kind: Hashable, Sendable {
        /// The server's chain.
        case untrusted
        /// The trusted certificates of this client, which cannot be read.
        case unusableAuthorities
        /// The policy: an invalid host, or no source of revocation information.
        case unusablePolicy
    }

    /// The cause.
    public let kind: Kind
    /// OpenSSL's verification result, one of `X509_V_ERR_…`; zero if there was none.
    public let status: Int
    /// The message for the status: lower case, without full stop.
    public let result: String

    /// The ``result``.
    public var description: String { result }
}
