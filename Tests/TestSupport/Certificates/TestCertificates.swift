/// An authority, and certificates good and bad that it has issued; made once per test process.
///
/// ```swift
/// let certificates = try await TestCertificates.shared
/// let nginx = try await NginxServer(identity: certificates.expired)
/// ```
public struct TestCertificates: Sendable {
    /// A certificate and the key to it, as PEM files.
    public struct Identity: Sendable {
        /// The certificate, followed by the intermediate one where the server should send that too.
        public let certificate: String
        public let key: String
        /// The SHA-256 digest of the public key as `--pin` and `CURLOPT_PINNEDPUBLICKEY` want it: `sha256//…`.
        public let pin: String
        /// The authority's OCSP response about it, a DER file for `ssl_stapling_file`.
        public let stapledResponse: String?

        public init(certificate: String, key: String, pin: String = "", stapledResponse: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.pin = pin
            self.stapledResponse = stapledResponse
        }
    }

    /// The authority that issued everything that is to be trusted, a PEM file.
    public let root: String
    /// A folder with the authority under its hashed name, as `/etc/ssl/certs` has it.
    public let rootFolder: String
    /// An authority that issued nothing here, a PEM file.
    public let stranger: String

    /// For localhost, 127.0.0.1, ::1 and *.test.example.
    public let server: Identity
    /// As ``server``, but over since yesterday.
    public let expired: Identity
    /// Only for elsewhere.example.
    public let wrongHost: Identity
    /// As ``server``, but for example.org and intern.example.
    public let examples: Identity
    /// As ``server``, but signed by itself.
    public let selfSigned: Identity
    /// As ``server``, but issued by an intermediate authority, whose certificate is sent along.
    public let chained: Identity
    /// Like ``chained``, but without the intermediate certificate, so that it cannot be verified.
    public let missingIntermediate: Identity

    /// As ``server``, but taken back by its issuer.
    public let revoked: Identity
    /// ``selfSigned`` with the certificate of ``server`` sent along, which has nothing to do with it.
    public let impostor: Identity
    /// Like ``server``, but issued by another authority with the name of ``root``, which is sent, too.
    public let forged: Identity
    /// The revocation list of ``root``, a PEM file.
    public let revocationList: String
    /// The revocation list of two years ago.
    public let oldRevocationList: String

    /// For a client named `Test Client`.
    public let client: Identity
    /// The key of ``client``, encrypted with ``clientKeyPassword``.
    public let encryptedClientKey: String
    public let clientKeyPassword = "open sesame"
    /// A client's certificate that no server here accepts.
    public let strangeClient: Identity

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
        stranger = folder.file("stranger.pem")
        server = try identity("server")
        expired = try identity("expired")
        wrongHost = try identity("wrong-host")
        examples = try identity("examples")
        selfSigned = try identity("self-signed")
        chained = try identity("chained")
        missingIntermediate = try identity("missing-intermediate", key: "chained")
        revoked = try identity("revoked")
        impostor = try identity("impostor", key: "self-signed")
        forged = try identity("forged")
        revocationList = folder.file("root.crl")
        oldRevocationList = folder.file("old.crl")
        client = try identity("client")
        encryptedClientKey = folder.file("client-encrypted.key")
        strangeClient = try identity("strange-client")
    }
}
