/// Where a credential is valid: a realm of a server (RFC 9110 §11.5).
public struct URLProtectionSpace: Hashable, Sendable {
    /// How a server lets somebody log in.
    public enum AuthenticationMethod: String, Hashable, Sendable, CaseIterable {
        /// The password in clear, of the four the only one that is worth nothing without TLS.
        case basic = "Basic"
        /// A digest of the password (RFC 7616).
        case digest = "Digest"
        /// Windows' own, bound to the connection.
        case ntlm = "NTLM"
        /// Kerberos for the most part (RFC 4559), bound to the connection.
        case negotiate = "Negotiate"
    }

    /// As in ``HTTPURL/host``: ASCII and lower case.
    public let host: String
    /// The one that is connected to, written in URLs or not.
    public let port: Int
    /// `http` or `https`.
    public let `protocol`: String
    /// The server's name for it; `nil` for whichever it has.
    public let realm: String?
    /// `nil` for whichever the server wants.
    public let authenticationMethod: AuthenticationMethod?

    /// A part of a server, or all of it.
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

    /// The realm that a challenge of this server names.
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

    /// Whether the spaces belong to one server, and neither names a realm or method that the other is not.
    func overlaps(_ other: URLProtectionSpace) -> Bool {
        host == other.host && port == other.port && `protocol` == other.protocol
            && (realm == nil || other.realm == nil || realm == other.realm)
            && (authenticationMethod == nil || other.authenticationMethod == nil
                || authenticationMethod == other.authenticationMethod)
    }
}
