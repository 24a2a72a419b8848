internal import COpenSSL

/// The authentication of servers, and of this client to them, over TLS.
public struct TLSOptions: Hashable, Sendable {
    /// A TLS version. 1.0 and 1.1 are deprecated (RFC 8996), and not every OpenSSL supports them.
    public enum Version: Int, Hashable, Sendable, Comparable, CaseIterable {
        case tls1_0, tls1_1, tls1_2, tls1_3

        /// Whether the first version is older.
        public static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
    }

    /// The source of the trusted certificates.
    public enum Authorities: Hashable, Sendable {
        /// `SSL_CERT_FILE` or `CURL_CA_BUNDLE`, and `SSL_CERT_DIR`, if set; otherwise the system's hashed directory, or
        /// else its bundle.
        case system
        /// A PEM bundle.
        case file(String)
        /// A directory of hashed names, as created by `openssl rehash`.
        case directory(String)
        /// A PEM bundle in memory.
        case bundle([UInt8])
    }

    /// Whether the chain must lead to one of ``authorities``.
    public var verifiesChain = true
    /// Whether the certificate must name the host.
    public var verifiesHost = true
    /// The authorities trusted for servers and for proxies over TLS.
    public var authorities = Authorities.system
    /// The certificate for servers that request one, never for a proxy; `nil` for none.
    public var clientCertificate: ClientCertificate?
    /// The lowest accepted version; `nil` for 1.2, or ``maximumVersion`` if that is lower.
    public var minimumVersion: Version?
    /// The highest accepted version; `nil` for the latest that libcurl and OpenSSL support.
    public var maximumVersion: Version?
    /// OpenSSL's cipher list for TLS 1.2 and earlier; names of TLS 1.3 suites apply to 1.3.
    public var ciphers: String?
    /// OpenSSL's list of suites for TLS 1.3; `nil` for ``ciphers`` or OpenSSL's default.
    public var suites: String?
    /// Whether the metrics have libcurl's descriptions of the server's certificates (`CURLOPT_CERTINFO`).
    public var describesCertificates = false
    /// OpenSSL's list of groups for the key exchange; `nil` for its default (`CURLOPT_SSL_EC_CURVES`).
    public var groups: String?
    /// A PEM file with revoked certificates (`CURLOPT_CRLFILE`).
    public var revocationList: String?
    /// Whether the server must staple a valid OCSP response (`CURLOPT_SSL_VERIFYSTATUS`).
    public var verifiesStatus = false
    /// Whether another connection to a server resumes its TLS session (`CURLOPT_SSL_SESSIONID_CACHE`).
    public var resumesSessions = true
    /// The accepted public keys as `sha256//BASE64`, separated by semicolons, or a file (`CURLOPT_PINNEDPUBLICKEY`).
    public var pinnedPublicKey: String?
    /// An additional evaluation before the first byte of a request; see ``TrustEvaluation``.
    public var evaluation: TrustEvaluation?
    /// Whether ``TransactionMetrics/certificates`` has the server's chain, even if the handshake fails. An evaluation
    /// also reads it.
    public var readsCertificates = false

    /// Returns whether OpenSSL supports a value of ``ciphers``.
    package static func supports(ciphers: String) -> Bool {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return true }
        defer { SSL_CTX_free(context) }
        let isForTLS13 = ciphers.hasPrefix("TLS_")
        let result =
            isForTLS13 ? SSL_CTX_set_ciphersuites(context, ciphers) : SSL_CTX_set_cipher_list(context, ciphers)
        ERR_clear_error()
        return result == 1
    }

    /// Whether OpenSSL supports a list of groups.
    package static func supports(groups: String) -> Bool {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return true }
        defer { SSL_CTX_free(context) }
        let result = groups.withCString {
            SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, UnsafeMutableRawPointer(mutating: $0))
        }
        ERR_clear_error()
        return result == 1
    }

    /// Creates the default options: TLS 1.2 or later, verified against the system's authorities, without a client
    /// certificate.
    public init() {}
}

/// A client certificate.
public struct ClientCertificate: Hashable, Sendable {
    /// The PEM file with the certificate, and optionally its key.
    public var certificatePath: String
    /// The PEM file with the key (`CURLOPT_SSLKEY`); `nil` if ``certificatePath`` contains it.
    public var keyPath: String?
    /// The password of an encrypted key (`CURLOPT_KEYPASSWD`). With `nil` an encrypted key is unusable: there is no
    /// prompt.
    public var keyPassword: String?

    /// Creates a client certificate; its files are read when a connection is established.
    public init(certificatePath: String, keyPath: String? = nil, keyPassword: String? = nil) {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.keyPassword = keyPassword
    }
}

/// A custom evaluation of a server, performed before any byte of the request is sent.
///
/// It receives the chain of the connection that the request will use. Throwing an error rejects the server.
public struct TrustEvaluation: Hashable, Sendable {
    /// The scope of a successful evaluation.
    public enum Scope: Hashable, Sendable {
        /// One request: evaluated for each, on new and on reused connections.
        case request
        /// A connection: later requests on it are not evaluated again. Verifying a chain takes longer than a small
        /// request.
        case connection
    }

    /// The name. Evaluations with equal names may share connections, so it must identify everything that the result
    /// depends on.
    public let name: String
    /// The scope of a success; a failure always applies to one request.
    public let scope: Scope
    /// Throws an error to reject the server. Called on the transport's thread.
    public let evaluate: @Sendable (ServerTrust) throws -> Void

    /// Creates a named evaluation.
    public init(name: String, scope: Scope = .request, evaluate: @escaping @Sendable (ServerTrust) throws -> Void) {
        self.name = name
        self.scope = scope
        self.evaluate = evaluate
    }

    /// Compares names, as closures cannot be compared.
    public static func == (left: TrustEvaluation, right: TrustEvaluation) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
