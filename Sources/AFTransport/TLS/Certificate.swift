/// An X.509 certificate.
///
/// Replaces Alamofire's `SecCertificate`.
public struct Certificate: Hashable, Sendable {
    /// The complete certificate in DER.
    public let derBytes: [UInt8]

    /// Returns `nil` unless the bytes are one certificate in DER.
    public init?(derBytes: [UInt8]) {
        guard X509Certificate(derBytes) != nil else { return nil }
        self.derBytes = derBytes
    }

    /// Creates a certificate from bytes that OpenSSL produced.
    init(known derBytes: [UInt8]) { self.derBytes = derBytes }

    /// Returns the certificates in a file: in DER, one after the other, or in PEM, among keys and other blocks.
    ///
    /// The list ends at a malformed PEM block; it is empty if not all bytes are certificates in DER.
    public static func certificates(in bytes: [UInt8]) -> [Certificate] {
        PEMBlocks.certificates(in: bytes) ?? sequence(in: bytes) ?? Certificate(derBytes: bytes).map { [$0] } ?? []
    }

    private static func sequence(in bytes: [UInt8]) -> [Certificate]? {
        var (certificates, rest) = ([Certificate](), bytes[...])
        while !rest.isEmpty {
            guard let length = rest.derLength, length <= rest.count,
                let certificate = Certificate(derBytes: Array(rest.prefix(length)))
            else { return nil }
            certificates.append(certificate)
            rest = rest.dropFirst(length)
        }
        return certificates
    }

    /// The certified public key.
    public var publicKey: PublicKey? {
        X509Certificate(derBytes)?.subjectPublicKeyInfo.map(PublicKey.init(subjectPublicKeyInfo:))
    }
}

extension Certificate: CustomStringConvertible {
    /// The SHA-256 fingerprint, as `openssl x509 -fingerprint -sha256` prints it, in lower case without colons.
    public var description: String { "certificate sha256:\(SHA256Digest(of: derBytes).hexadecimal)" }
}

extension PublicKey: CustomStringConvertible {
    /// The SHA-256 digest used for pinning.
    public var description: String { "public key sha256:\(SHA256Digest(of: subjectPublicKeyInfo).hexadecimal)" }
}

extension CertificateRevocationList: CustomStringConvertible {
    /// The SHA-256 fingerprint.
    public var description: String { "revocation list sha256:\(SHA256Digest(of: derBytes).hexadecimal)" }
}

/// A public key of any algorithm.
///
/// Replaces Alamofire's `SecKey`.
public struct PublicKey: Hashable, Sendable {
    /// The key with its algorithm in DER (`SubjectPublicKeyInfo`, RFC 5280 §4.1), the input of a pin's digest.
    public let subjectPublicKeyInfo: [UInt8]

    /// Creates a key from the output of `openssl pkey -pubout -outform DER`.
    public init(subjectPublicKeyInfo: [UInt8]) { self.subjectPublicKeyInfo = subjectPublicKeyInfo }
}

/// A certificate revocation list (CRL) of an authority.
public struct CertificateRevocationList: Hashable, Sendable {
    /// The complete list in DER.
    public let derBytes: [UInt8]

    /// Returns `nil` unless the bytes are one list in DER.
    public init?(derBytes: [UInt8]) {
        guard X509RevocationList(derBytes) != nil else { return nil }
        self.derBytes = derBytes
    }

    init(known derBytes: [UInt8]) { self.derBytes = derBytes }

    /// Returns the lists in a file: one in DER, or any number in PEM.
    ///
    /// The result ends at a malformed PEM block.
    public static func lists(in bytes: [UInt8]) -> [CertificateRevocationList] {
        PEMBlocks.revocationLists(in: bytes) ?? CertificateRevocationList(derBytes: bytes).map { [$0] } ?? []
    }
}

extension ArraySlice<UInt8> {
    /// The length of the first element in DER, with its tag and length (X.690 §8.1.3); `nil` if it is malformed.
    fileprivate var derLength: Int? {
        guard count >= 2 else { return nil }
        let first = Int(self[startIndex + 1])
        if first < 0x80 { return 2 + first }
        let digits = dropFirst(2).prefix(first & 0x7F)
        guard (1...4).contains(first & 0x7F), digits.count == first & 0x7F else { return nil }
        return 2 + digits.count + digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
