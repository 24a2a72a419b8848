/// The scope of a credential: a realm of a server (RFC 9110 §11.5).
public struct URLProtectionSpace: Hashable, Sendable {
    /// The authentication schemes.
    public enum AuthenticationMethod: String, Hashable, Sendable, CaseIterable {
        /// User name and password in clear text, which only TLS protects (RFC 7617).
        case basic = "Basic"
        /// A digest of the password (RFC 7616).
        case digest = "Digest"
        /// Microsoft's scheme, which authenticates the connection.
        case ntlm = "NTLM"
        /// Usually Kerberos (RFC 4559); authenticates the connection.
        case negotiate = "Negotiate"
    }

    /// The host in ASCII and lower case, as in ``HTTPURL/host``.
    public let host: String
    /// The port to connect to, explicit or default.
    public let port: Int
    /// `http` or `https`.
    public let `protocol`: String
    /// The server's name for the space; `nil` for any realm.
    public let realm: String?
    /// The authentication method; `nil` for any method.
    public let authenticationMethod: AuthenticationMethod?

    /// Creates a space for a part of a server or for all of it.
    public init(
        host: String,
        port: Int,
        protocol: String,
        realm: String? = nil,
        authenticationMethod: AuthenticationMethod? = nil
    ) {
        self.host = host
        self.port = port
        self.protocol = `protocol`
        self.realm = realm
        self.authenticationMethod = authenticationMethod
    }

    /// Creates the protection space of an origin, with the realm and method of its challenge.
    public init(
        origin: Origin,
        realm: String? = nil,
        authenticationMethod: AuthenticationMethod? = nil
    ) {
        self.init(
            host: origin.host,
            port: origin.port,
            protocol: origin.scheme.rawValue,
            realm: realm,
            authenticationMethod: authenticationMethod
        )
    }

    /// Whether both spaces are of one server and share realm and method; `nil` matches any.
    func overlaps(_ other: URLProtectionSpace) -> Bool {
        host == other.host && port == other.port && `protocol` == other.protocol
            && (realm == nil || other.realm == nil || realm?.octets == other.realm?.octets)
            && (authenticationMethod == nil || other.authenticationMethod == nil
                || authenticationMethod == other.authenticationMethod)
    }
}
