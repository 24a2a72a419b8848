/// What a server showed in its TLS handshake, and whom to believe about it.
///
/// It stands where `SecTrust` stands in Alamofire. Being a value, it can be judged at any time and on any thread.
public struct ServerTrust: Hashable, Sendable {
    /// The host that the request is for.
    public let host: String
    /// The chain as the server sent it, leaf first. Nothing in it is verified yet: a server may send what it likes.
    public let certificates: [Certificate]
    /// The OCSP response that the server stapled to its handshake (RFC 6066 §8), in DER.
    public let stapledResponse: [UInt8]?
    /// Whom the session trusts.
    public let authorities: TLSOptions.Authorities
    /// Certificates that are trusted instead of ``authorities``, be they an authority's or a server's own.
    public var anchors: [Certificate]?

    /// What a server shows; the transport makes it for real ones.
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

/// What is asked of a ``ServerTrust``. Every policy asks for a chain that leads to a trusted certificate and is valid now.
///
/// It stands where `SecPolicy` stands in Alamofire.
public struct TrustPolicy: Hashable, Sendable {
    enum Demand: Hashable, Sendable {
        case chain
        case host(String)
        case revocation(RevocationChecks, [CertificateRevocationList])
    }

    let demand: Demand

    /// Whether it was made by ``revocation(checks:lists:)``.
    public var isAboutRevocation: Bool {
        if case .revocation = demand { true } else { false }
    }

    /// The chain alone, whatever host it is for.
    public static let `default` = TrustPolicy(demand: .chain)

    /// The chain, and a leaf that names this host or address. Subject names count for nothing, as RFC 9525 wants it.
    public static func hostname(_ hostname: String) -> TrustPolicy { TrustPolicy(demand: .host(hostname)) }

    /// The chain, and that nobody took back what is in it.
    public static func revocation(
        checks: RevocationChecks,
        lists: [CertificateRevocationList] = []
    ) -> TrustPolicy {
        TrustPolicy(demand: .revocation(checks, lists))
    }
}

/// How to learn whether certificates were revoked. Nothing is ever fetched: what the server and the caller bring counts.
public struct RevocationChecks: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Checks of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// By the response that the server stapled to its handshake, about its own certificate.
    public static let ocsp = RevocationChecks(rawValue: 1 << 0)
    /// By revocation lists, about every certificate that one of them covers.
    public static let crl = RevocationChecks(rawValue: 1 << 1)
    /// Does not look at a stapled response where a list speaks about the server's certificate.
    public static let preferCRL = RevocationChecks(rawValue: 1 << 2)
    /// Refuses a server of whose certificate nobody says that it is good; else silence is taken for good.
    public static let requirePositiveResponse = RevocationChecks(rawValue: 1 << 3)
    /// Always the case here.
    public static let networkAccessDisabled = RevocationChecks(rawValue: 1 << 4)
    /// By whatever there is.
    public static let any: RevocationChecks = [.ocsp, .crl]
}

/// Why a ``ServerTrust`` does not meet a ``TrustPolicy``.
public struct TrustFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the fault lies.
    public enum Kind: Hashable, Sendable {
        /// The server.
        case untrusted
        /// The trusted certificates of this side, which cannot be read.
        case unusableAuthorities
        /// The policy: a host that is none, or no means to learn of revocations.
        case unusablePolicy
    }

    /// What was at fault.
    public let kind: Kind
    /// OpenSSL's result of the verification, one of its `X509_V_ERR_…`; zero where it came to none.
    public let status: Int
    /// What the status means, in words without capital and full stop.
    public let result: String

    /// The ``result``.
    public var description: String { result }
}
