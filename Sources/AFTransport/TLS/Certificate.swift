/// An X.509 certificate.
///
/// It stands where `SecCertificate` stands in Alamofire.
public struct Certificate: Hashable, Sendable {
    /// The whole of it, in DER.
    public let derBytes: [UInt8]

    /// `nil` where the bytes are anything but one certificate in DER.
    public init?(derBytes: [UInt8]) {
        guard X509Certificate(derBytes) != nil else { return nil }
        self.derBytes = derBytes
    }

    /// For bytes that OpenSSL gave.
    init(known derBytes: [UInt8]) { self.derBytes = derBytes }

    /// Every certificate in a file's bytes: one in DER, or any number in PEM, keys and other blocks between them or not.
    ///
    /// A block of PEM that cannot be read ends the list.
    public static func certificates(in bytes: [UInt8]) -> [Certificate] {
        PEMBlocks.certificates(in: bytes) ?? Certificate(derBytes: bytes).map { [$0] } ?? []
    }

    /// The key that the certificate vouches for.
    public var publicKey: PublicKey? {
        X509Certificate(derBytes)?.subjectPublicKeyInfo.map(PublicKey.init(subjectPublicKeyInfo:))
    }
}

extension Certificate: CustomStringConvertible {
    /// The SHA-256 fingerprint, as `openssl x509 -fingerprint -sha256` shows it but for colons and case.
    public var description: String { "certificate sha256:\(SHA256Digest(of: derBytes).hexadecimal)" }
}

extension PublicKey: CustomStringConvertible {
    /// The SHA-256 digest that a pin is made of.
    public var description: String { "public key sha256:\(SHA256Digest(of: subjectPublicKeyInfo).hexadecimal)" }
}

extension CertificateRevocationList: CustomStringConvertible {
    /// The SHA-256 fingerprint.
    public var description: String { "revocation list sha256:\(SHA256Digest(of: derBytes).hexadecimal)" }
}

/// The public half of a key pair, whatever its kind.
///
/// It stands where `SecKey` stands in Alamofire.
public struct PublicKey: Hashable, Sendable {
    /// The key with the name of its kind, in DER (`SubjectPublicKeyInfo`, RFC 5280 §4.1): what a pin is a digest of.
    public let subjectPublicKeyInfo: [UInt8]

    /// A key as `openssl pkey -pubout -outform DER` writes it.
    public init(subjectPublicKeyInfo: [UInt8]) { self.subjectPublicKeyInfo = subjectPublicKeyInfo }
}

/// What an authority published about certificates that it takes back.
public struct CertificateRevocationList: Hashable, Sendable {
    /// The whole of it, in DER.
    public let derBytes: [UInt8]

    /// `nil` where the bytes are anything but one list in DER.
    public init?(derBytes: [UInt8]) {
        guard X509RevocationList(derBytes) != nil else { return nil }
        self.derBytes = derBytes
    }

    init(known derBytes: [UInt8]) { self.derBytes = derBytes }

    /// Every list in a file's bytes: one in DER, or any number in PEM.
    ///
    /// A block of PEM that cannot be read ends the list.
    public static func lists(in bytes: [UInt8]) -> [CertificateRevocationList] {
        PEMBlocks.revocationLists(in: bytes) ?? CertificateRevocationList(derBytes: bytes).map { [$0] } ?? []
    }
}
