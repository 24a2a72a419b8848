public import FoundationEssentials

/// The contents of a certificate, for display (RFC 5280 §4.1).
///
/// The strings are untrusted input: anyone can create a certificate with any text. They may contain control characters.
public struct CertificateDetails: Hashable, Sendable {
    /// A name that the certificate is issued for, from its subject alternative names (RFC 5280 §4.2.1.6).
    public struct Name: Hashable, Sendable {
        /// The type of a name.
        public enum Kind: String, Hashable, Sendable {
            case dns, address, email, uri, directory, registeredID, other
        }

        /// The type of the name.
        public let kind: Kind
        /// The name; an address as text, and the type of ``Kind-swift.enum/other`` as an object identifier.
        public let text: String

        /// Creates a name.
        public init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The type and the size of the public key.
    public struct Key: Hashable, Sendable {
        /// The algorithm, such as `RSA`, `EC` or `Ed25519`; otherwise OpenSSL's name, or the object identifier.
        public let algorithm: String
        /// The size in bits; `nil` if OpenSSL does not support the key.
        public let bits: Int?
        /// The curve, such as `P-256`; `nil` if the algorithm has none, or if its parameters are explicit.
        public let curve: String?
    }

    /// The subject in the order of the certificate: `O=Example, CN=example.org`.
    public let subject: String
    /// The issuer, in the same notation.
    public let issuer: String
    /// The serial number in hexadecimal digits, with a minus sign if it is negative.
    public let serialNumber: String
    /// The subject alternative names in order.
    public let names: [Name]
    /// The start of the validity; `nil` if the date is malformed.
    public let notBefore: Date?
    /// The end of the validity; `nil` if the date is malformed.
    public let notAfter: Date?
    /// The public key.
    public let key: Key
    /// OpenSSL's name of the signature's algorithm, such as `ecdsa-with-SHA256`, or the object identifier.
    public let signatureAlgorithm: String
    /// Whether the certificate may issue others (the basic constraint `CA`).
    public let isAuthority: Bool
    /// Whether subject and issuer are equal, as in a root.
    public let isSelfIssued: Bool
    /// The SHA-256 fingerprint in lowercase hexadecimal digits.
    public let fingerprint: String
    /// The public key in the notation of ``TLSOptions/pinnedPublicKey``: `sha256//BASE64`.
    public let pin: String

    /// Returns the number of complete days until ``notAfter``, negative after it; `nil` if the date is malformed.
    public func daysLeft(at date: Date = .now) -> Int? {
        notAfter.map { Int(($0.timeIntervalSince(date) / 86_400).rounded(.down)) }
    }
}

extension Certificate {
    /// The contents, parsed by OpenSSL; `nil` if it cannot.
    public var details: CertificateDetails? { X509Certificate(derBytes).map { CertificateDetails($0, derBytes) } }
}

extension CertificateDetails {
    fileprivate init(_ certificate: X509Certificate, _ derBytes: [UInt8]) {
        subject = certificate.subject
        issuer = certificate.issuer
        serialNumber = certificate.serialNumber
        names = certificate.names
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
        key = certificate.key
        signatureAlgorithm = certificate.signatureAlgorithm
        isAuthority = certificate.isAuthority
        isSelfIssued = certificate.isSelfIssued
        fingerprint = SHA256Digest(of: derBytes).hexadecimal
        let digest = SHA256Digest(of: certificate.subjectPublicKeyInfo ?? [])
        pin = "sha256//" + Data(digest.bytes).base64EncodedString()
    }
}
