/// A certificate authority with valid and invalid certificates, created once per test process.
///
/// ```swift
/// let certificates = try await TestCertificates.shared
/// let nginx = try await NginxServer(identity: certificates.expired)
/// ```
public struct TestCertificates: Sendable {
    /// A certificate and its private key, as PEM files.
    public struct Identity: Sendable {
        /// The certificate, followed by the intermediate one if the server should send it.
        public let certificate: String
        public let key: String
        /// The SHA-256 digest of the public key for `--pin` and `CURLOPT_PINNEDPUBLICKEY`: `sha256//…`.
        public let pin: String
        /// The OCSP response for the certificate, a DER file for `ssl_stapling_file`.
        public let stapledResponse: String?

        public init(certificate: String, key: String, pin: String = "", stapledResponse: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.pin = pin
            self.stapledResponse = stapledResponse
        }
    }

    /// The certificate of the trusted authority, a PEM file.
    public let root: String
    /// A directory with the authority's certificate under its hashed name, like `/etc/ssl/certs`.
    public let rootFolder: String
    /// The certificate of an authority that issued none of these certificates, a PEM file.
    public let unknownAuthority: String

    /// A valid identity for localhost, 127.0.0.1, ::1 and *.test.example.
    public let server: Identity
    /// Like ``server``, but expired yesterday.
    public let expired: Identity
    /// An identity for elsewhere.example only.
    public let wrongHost: Identity
    /// Like ``server``, but for example.org and intern.example.
    public let examples: Identity
    /// Like ``server``, but self-signed.
    public let selfSigned: Identity
    /// Like ``server``, but issued by an intermediate authority, whose certificate is sent, too.
    public let chained: Identity
    /// Like ``chained``, but without the intermediate certificate, so that it cannot be verified.
    public let missingIntermediate: Identity

    /// Like ``server``, but revoked by its issuer.
    public let revoked: Identity
    /// ``selfSigned`` followed by the certificate of ``server``, which did not issue it.
    public let mismatchedChain: Identity
    /// Like ``server``, but issued by another authority with the name of ``root``, which is sent, too.
    public let forged: Identity
    /// The revocation list of ``root``, a PEM file.
    public let revocationList: String
    /// A revocation list that is two years old.
    public let oldRevocationList: String

    /// The identity of a client named `Test Client`.
    public let client: Identity
    /// The key of ``client``, encrypted with ``clientKeyPassword``.
    public let encryptedClientKey: String
    public let clientKeyPassword = "open sesame"
    /// A client's identity that the servers reject.
    public let unknownClient: Identity

    /// The certificates of this test process.
    ///
    /// - Throws: ``MissingProgram`` without `openssl`.
    public static var shared: TestCertificates {
        get async throws { try await made.value.certificates }
    }

    private static let made = Task { try await CertificateAuthority() }

    init(in folder: ScratchFolder) throws {
        func identity(_ name: String, key: String? = nil) throws -> Identity {
            Identity(
                certificate: folder.file("\(name).pem"),
                key: folder.file("\(key ?? name).key"),
                pin: "sha256//" + (try folder.text(of: "\(key ?? name).pin").filter { $0 != "\n" }),
                stapledResponse: folder.has("\(name).ocsp") ? folder.file("\(name).ocsp") : nil
            )
        }
        root = folder.file("root.pem")
        rootFolder = folder.file("hashed")
        unknownAuthority = folder.file("stranger.pem")
        server = try identity("server")
        expired = try identity("expired")
        wrongHost = try identity("wrong-host")
        examples = try identity("examples")
        selfSigned = try identity("self-signed")
        chained = try identity("chained")
        missingIntermediate = try identity("missing-intermediate", key: "chained")
        revoked = try identity("revoked")
        mismatchedChain = try identity("impostor", key: "self-signed")
        forged = try identity("forged")
        revocationList = folder.file("root.crl")
        oldRevocationList = folder.file("old.crl")
        client = try identity("client")
        encryptedClientKey = folder.file("client-encrypted.key")
        unknownClient = try identity("strange-client")
    }
}
