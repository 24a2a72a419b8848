public import AFHTTP
public import AFTransport

/// What all requests of a session have in common.
public struct SessionConfiguration: Sendable {
    /// Sent with every request that has no field of the same name. They never show in `URLRequest.headers`.
    public var headers: HTTPHeaders
    /// Names of header fields that no request carries, not even those that the transport adds, such as `Host`.
    public var removedHeaders: [String] = []
    /// Which version is asked for; `protocolName` of each hop's metrics tells which one came.
    public var httpVersion = HTTPVersion.automatic
    /// A request's own `timeoutInterval` goes before `Timeouts.idle`.
    public var timeouts = Timeouts()
    /// None unless told. The environment is not read: that is for the program to decide.
    public var proxies = ProxyRules()
    /// Whom to trust, and what to show the server.
    public var tls = TLSOptions()
    /// Addresses, sockets and rates below HTTP.
    public var network = NetworkOptions()
    /// How much of a head and of a body is taken.
    public var limits = TransferLimits()
    /// Which redirects are followed, and what goes along.
    public var redirects = RedirectPolicy()
    /// Knows the hosts that are reached over TLS only, and learns of others; `nil` keeps to what URLs say.
    public var hstsStore: HSTSStore?
    /// How many connections may stand at once.
    public var connections = ConnectionLimits()
    /// Which logins credentials may be used for; with more than one the server's challenge decides.
    ///
    /// With Basic alone the password is sent at once, asked for or not. NTLM and Negotiate log in a connection and
    /// not a request; Negotiate takes the ticket that `kinit` has got, and a credential with empty names.
    public var authenticationKinds: AuthenticationOptions.Kinds = [.basic, .digest]
    /// Where credentials come from that no request brings along, and where those go that a server has accepted.
    ///
    /// Each configuration has its own, unlike URLSession's; give several sessions one, or
    /// ``AFHTTP/URLCredentialStorage/shared``, to have it in common. `nil` keeps nothing.
    public var urlCredentialStorage: URLCredentialStorage? = URLCredentialStorage()
    /// Whether a `Content-Encoding` is taken off the body.
    public var decodesContent = true
    /// Whether cookies are kept for the session's life and sent.
    public var httpShouldSetCookies = true
    /// Whether the server is asked before a body is sent.
    public var expectContinue = ExpectContinue.automatic
    /// The size in bytes of the pieces that are read from the network.
    public var receiveBufferSize = 16 * 1024
    /// Where responses are kept; `nil` keeps none.
    public var urlCache: ResponseCache?
    /// For requests that leave their `cachePolicy` at `useProtocolCachePolicy`.
    public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// Converts the failures of transfers for retriers, monitors and handlers; `nil` keeps them as they are.
    public var transferErrorConverter: (any TransferErrorConverter)?
    /// Creates the values of loosely typed JSON.
    public var jsonValueBuilder: any JSONValueBuilder = SwiftJSONValueBuilder()
    /// Told of what passes, for verbose views.
    public var eventHandler: TransferEventHandler?

    /// The defaults, with these headers in place of ``AFHTTP/HTTPHeaders/default``.
    public init(headers: HTTPHeaders = .default) {
        self.headers = headers
    }

    /// Verified TLS, the default headers, time-outs and limits.
    public static var `default`: SessionConfiguration { SessionConfiguration() }

    /// The default without anything that outlives a request: cookies are neither kept nor sent.
    public static var ephemeral: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.httpShouldSetCookies = false
        return configuration
    }
}
