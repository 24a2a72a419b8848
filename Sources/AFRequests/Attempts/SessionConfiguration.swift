public import AFHTTP
public import AFTransport

/// The settings that all requests of a session share.
public struct SessionConfiguration: Sendable {
    /// The default header fields, used for names that a request does not set. They are not part of
    /// `URLRequest.headers`.
    public var headers: HTTPHeaders
    /// The names of header fields that are never sent, including the transport's own, such as `Host`.
    public var removedHeaders: [String] {
        get { options.removedHeaders }
        set { options.removedHeaders = newValue }
    }

    /// The requested version; `protocolName` of each hop's metrics has the negotiated one.
    public var httpVersion: HTTPVersion {
        get { options.httpVersion }
        set { options.httpVersion = newValue }
    }

    /// The timeouts; a request's own `timeoutInterval` replaces `Timeouts.idle`.
    public var timeouts: Timeouts {
        get { options.timeouts }
        set { options.timeouts = newValue }
    }

    /// The proxies; none by default. The environment is not read: the program decides.
    public var proxies = ProxyRules()
    /// The trusted authorities and the client certificate.
    public var tls: TLSOptions {
        get { options.tls }
        set { options.tls = newValue }
    }

    /// Addresses, sockets and rate limits.
    public var network: NetworkOptions {
        get { options.network }
        set { options.network = newValue }
    }

    /// The limits on headers and bodies.
    public var limits: TransferLimits {
        get { options.limits }
        set { options.limits = newValue }
    }

    /// Unusual forms of the messages.
    public var messages: MessageOptions {
        get { options.messages }
        set { options.messages = newValue }
    }

    /// The policy for redirects.
    public var redirects = RedirectPolicy()
    /// The store of hosts that require TLS, which also learns new ones; `nil` for none.
    public var hstsStore: HSTSStore?
    /// The limits on connections.
    public var connections = ConnectionLimits()
    /// The number of threads that transfer data, among which the origins are divided; see
    /// ``AFTransport/CurlTransport/init(connections:threadCount:)``.
    public var transportThreadCount = 1
    /// The accepted authentication schemes; among several the server's challenge decides.
    ///
    /// With Basic alone the password is sent with the first request. NTLM and Negotiate authenticate a connection and
    /// not a request; Negotiate uses the ticket of `kinit` and a credential with empty strings.
    public var authenticationKinds: AuthenticationOptions.Kinds = [.basic, .digest]
    /// The storage for credentials that servers have accepted, which is also the source for requests without their own.
    ///
    /// Each configuration has its own, unlike URLSession's; assign one, or ``AFHTTP/URLCredentialStorage/shared``, to
    /// several sessions to share it. `nil` stores nothing.
    public var urlCredentialStorage: URLCredentialStorage? = URLCredentialStorage()
    /// Whether the `Content-Encoding` of a body is decoded.
    public var decodesContent: Bool {
        get { options.decodesContent }
        set { options.decodesContent = newValue }
    }

    /// Whether cookies are stored in memory and sent.
    public var httpShouldSetCookies: Bool {
        get { options.handlesCookies }
        set { options.handlesCookies = newValue }
    }

    /// When to send `Expect: 100-continue` before a body.
    public var expectContinue: ExpectContinue {
        get { options.expectContinue }
        set { options.expectContinue = newValue }
    }

    /// The maximum number of bytes per read from the network.
    public var receiveBufferSize: Int {
        get { options.receiveBufferSize }
        set { options.receiveBufferSize = newValue }
    }

    /// The cache of responses, set as `urlCache` of AFCache; `nil` for none.
    package var cache: (any TransportCache)?
    /// The cache policy of requests that have `useProtocolCachePolicy`.
    public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    /// The converter of transfer failures for retriers, monitors and handlers; `nil` keeps them.
    public var transferErrorConverter: (any TransferErrorConverter)?
    /// The builder of values for untyped JSON.
    public var jsonValueBuilder: any JSONValueBuilder = SwiftJSONValueBuilder()
    /// The observer of transfer events, for verbose output.
    public var eventHandler: TransferEventHandler? {
        get { options.eventHandler }
        set { options.eventHandler = newValue }
    }

    /// The options of every transfer; requests change a copy.
    var options = TransferOptions()

    /// Creates the default configuration, with these header fields instead of ``AFHTTP/HTTPHeaders/default``.
    public init(headers: HTTPHeaders = .default) {
        self.headers = headers
    }

    /// The default configuration: verified TLS, the default header fields, timeouts and limits.
    public static var `default`: SessionConfiguration { SessionConfiguration() }

    /// The default configuration without cookies, so that nothing outlives a request.
    public static var ephemeral: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.httpShouldSetCookies = false
        return configuration
    }
}
