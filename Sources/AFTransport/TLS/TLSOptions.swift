/// How a server proves who it is, and how this side does.
public struct TLSOptions: Hashable, Sendable {
    /// A version of TLS. 1.0 and 1.1 are deprecated (RFC 8996), and not every OpenSSL still speaks them.
    public enum Version: Int, Hashable, Sendable, Comparable, CaseIterable {
        case tls1_0, tls1_1, tls1_2, tls1_3

        /// Older versions are less.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where the certificates stand that are trusted.
    public enum Authorities: Hashable, Sendable {
        /// `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, and `SSL_CERT_DIR`, if set. Otherwise the system's: the hashed directory if
        /// there is one, or else the bundle.
        case system
        /// A PEM bundle.
        case file(String)
        /// A directory of hashed names, as `openssl rehash` makes.
        case directory(String)
        /// A PEM bundle in memory.
        case bundle([UInt8])
    }

    /// Whether the chain must lead to one of ``authorities``.
    public var verifiesChain = true
    /// Whether the certificate must name the host.
    public var verifiesHost = true
    /// Who vouches for the server, and for a proxy that is reached over TLS.
    public var authorities = Authorities.system
    /// Shown to a server that asks for it, never to a proxy; `nil` shows none.
    public var clientCertificate: ClientCertificate?
    /// `nil` for 1.2, or ``maximumVersion`` where that is lower.
    public var minimumVersion: Version?
    /// `nil` for the latest that libcurl and OpenSSL speak.
    public var maximumVersion: Version?
    /// OpenSSL's cipher list for TLS 1.2 and earlier; in TLS 1.3's names, for 1.3.
    public var ciphers: String?
    /// `sha256//BASE64` of accepted public keys, separated by semicolons, or a file (`CURLOPT_PINNEDPUBLICKEY`).
    public var pinnedPublicKey: String?
    /// Asked before the first byte of a request; see ``TrustEvaluation``.
    public var evaluation: TrustEvaluation?

    /// TLS 1.2 or later with a server that the system's authorities vouch for, and no certificate of this side's own.
    public init() {}
}

/// What this side shows a server that asks for a certificate.
public struct ClientCertificate: Hashable, Sendable {
    /// A PEM file, which may hold the key too.
    public var certificatePath: String
    /// The key's PEM file (`CURLOPT_SSLKEY`); `nil` where ``certificatePath`` holds it.
    public var keyPath: String?
    /// Opens an encrypted key (`CURLOPT_KEYPASSWD`). With `nil` such a key is unusable: nobody is asked for it.
    public var keyPassword: String?

    /// Names the files; they are read when a connection is made.
    public init(certificatePath: String, keyPath: String? = nil, keyPassword: String? = nil) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.keyPassword = keyPassword
    }
}

/// A caller's own verdict on a server, passed before any byte of the request is sent.
///
/// It gets the chain of the very connection that the request would take. Throwing refuses it.
public struct TrustEvaluation: Hashable, Sendable {
    /// What a verdict holds for.
    public enum Scope: Hashable, Sendable {
        /// One request: it is asked for each, on new and on reused connections alike.
        case request
        /// A connection, whoever made it: the next request on it is let through. Verifying a chain takes longer than a
        /// small request.
        case connection
    }

    /// Evaluations with equal names may share connections, so the name must tell all that the verdict depends on.
    public let name: String
    /// How long a verdict holds; a refusal always for one request.
    public let scope: Scope
    /// Throws what speaks against the server. Called on the transport's thread.
    public let evaluate: @Sendable (ServerTrust) throws -> Void

    /// A verdict under a name.
    public init(name: String, scope: Scope = .request, evaluate: @escaping @Sendable (ServerTrust) throws -> Void) {
        self.name = name
        self.scope = scope
        self.evaluate = evaluate
    }

    /// By name alone, as closures cannot be compared.
    public static func == (left: TrustEvaluation, right: TrustEvaluation) -> Bool { left.name == right.name }
    /// By name, as equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
