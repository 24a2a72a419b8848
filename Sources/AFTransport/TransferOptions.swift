public import AFHTTP

/// The options of a transfer. The defaults verify TLS and limit every wait.
public struct TransferOptions: Hashable, Sendable {
    /// The requested version; ``TransactionMetrics/protocolName`` has the negotiated one.
    public var httpVersion = HTTPVersion.automatic
    /// The timeouts of the transfer.
    public var timeouts = Timeouts()
    /// The proxy; `nil` connects directly, regardless of the environment.
    public var proxy: ProxyOptions?
    /// The trusted authorities and the client certificate.
    public var tls = TLSOptions()
    /// Addresses, sockets and rate limits.
    public var network = NetworkOptions()
    /// The limits on headers and bodies.
    public var limits = TransferLimits()
    /// Unusual forms of the messages.
    public var messages = MessageOptions()
    /// The credentials; `nil` does not authenticate, even if the URL has user info.
    public var authentication: AuthenticationOptions?
    /// Whether the `Content-Encoding` of a body is decoded, see ``DecodableCoding``. Adds no header field.
    public var decodesContent = true
    /// Whether the transport's cookies are sent and stored.
    public var handlesCookies = true
    /// Whether to send `Expect: 100-continue` before a body; the caller's `Expect` field takes precedence.
    public var expectContinue = ExpectContinue.automatic
    /// The names of header fields to omit, the caller's and those that libcurl adds, such as `Host`.
    ///
    /// `Content-Length` and `Transfer-Encoding` are sent nevertheless; ``handlesCookies`` controls the transport's own
    /// cookies.
    public var removedHeaders: [String] = []
    /// The maximum number of bytes per read from the network; a larger size costs less for large bodies.
    ///
    /// Bodies with a rate limit are read in smaller chunks.
    public var receiveBufferSize = 16 * 1024
    /// The observer of events, for verbose output.
    public var eventHandler: TransferEventHandler?

    /// Creates the default options.
    public init() {}
}

/// The version of HTTP (`CURLOPT_HTTP_VERSION`).
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/2 over TLS if the server supports it (ALPN), otherwise 1.1.
    case automatic
    case http1_0
    case http1_1
    /// HTTP/2, with `Upgrade` if there is no TLS.
    case http2
    /// HTTP/2 from the first byte, even without TLS.
    case http2PriorKnowledge
    /// HTTP/3 over QUIC, or an earlier version if QUIC does not connect.
    case http3
}

/// Unusual forms of the messages on a connection. The defaults are those of HTTP.
public struct MessageOptions: Hashable, Sendable {
    /// The target of the request line; `nil` for that of the URL (`CURLOPT_REQUEST_TARGET`).
    public var requestTarget: String?
    /// Whether to request a compressed transfer coding (`CURLOPT_TRANSFER_ENCODING`).
    public var requestsTransferCoding = false
    /// Whether the transfer coding of a body is decoded (`CURLOPT_HTTP_TRANSFER_DECODING`).
    public var decodesTransferCoding = true
    /// Whether a body ends with its connection, regardless of `Content-Length` (`CURLOPT_IGNORE_CONTENT_LENGTH`).
    public var ignoresContentLength = false
    /// Whether a transfer without a request body ends after the header, regardless of its method (`CURLOPT_NOBODY`).
    public var omitsBody = false
    /// Whether a connection starts with a header of HAProxy's PROXY protocol (`CURLOPT_HAPROXYPROTOCOL`).
    public var sendsProxyProtocol = false
    /// Whether a response without a header is accepted, as in HTTP/0.9 (`CURLOPT_HTTP09_ALLOWED`).
    public var acceptsHTTP09 = false
    /// Whether the requests after a challenge or a redirect of HTTP/1.0 have that version, too.
    public var keepsHTTP10 = false
    /// The header lines to send for those with the form `Name: value` that differ from it, such as `Name:value`.
    public var spellings: [String: String] = [:]

    /// Creates the default options.
    public init() {}
}

extension MessageOptions {
    /// Whether the response to a request has no body, regardless of its header.
    ///
    /// - Parameter hasBody: Whether the request has a body.
    package func omitsResponseBody(to method: HTTPMethod, hasBody: Bool) -> Bool {
        method == .head || omitsBody && !hasBody
    }
}

/// The timeouts of a transfer.
///
/// `nil` means no timeout, as does a value that is zero, negative or NaN.
public struct Timeouts: Hashable, Sendable {
    /// The seconds for lookup, connection and handshakes; waiting for a free connection does not count.
    public var connect: Double? { didSet { connect = Self.limit(connect) } }
    /// The seconds without a byte in either direction on an established connection, including waiting for the response.
    public var idle: Double? { didSet { idle = Self.limit(idle) } }
    /// The seconds for one attempt with all its redirects, from the start of its first transfer; a retry starts again.
    public var total: Double? { didSet { total = Self.limit(total) } }

    /// Creates timeouts in seconds; by default 30 for connecting and 60 without a byte.
    public init(connect: Double? = 30, idle: Double? = 60, total: Double? = nil) {
        self.connect = Self.limit(connect)
        self.idle = Self.limit(idle)
        self.total = Self.limit(total)
    }

    private static func limit(_ seconds: Double?) -> Double? {
        seconds.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}

/// A proxy and the hosts that bypass it.
public struct ProxyOptions: Hashable, Sendable {
    /// `http://`, `https://`, `socks4://`, `socks4a://`, `socks5://` or `socks5h://`, without user info.
    public var url: String
    /// The credential for the proxy; never sent inside a tunnel.
    public var credential: URLCredential?
    /// The accepted schemes for the credential. Among several, the proxy's challenge decides (`CURLOPT_PROXYAUTH`).
    public var credentialKinds = AuthenticationOptions.Kinds.basic
    /// Whether http requests use a tunnel, too, as https requests do (`CURLOPT_HTTPPROXYTUNNEL`).
    public var tunnelsAll = false
    /// Whether CONNECT is a request of HTTP/1.0 (`CURLPROXY_HTTP_1_0`).
    public var isHTTP10 = false
    /// Header lines for the proxy alone: `Name: value`, `Name;` for an empty value, or `Name:` to omit the field
    /// (`CURLOPT_PROXYHEADER`).
    public var headerLines: [String] = []
    /// Whether the certificate of a proxy over TLS is verified.
    public var verifiesCertificate = true
    /// The authorities trusted for a proxy over TLS; `nil` for ``TLSOptions/authorities``.
    public var authorities: TLSOptions.Authorities?
    /// Another proxy, through which this one is reached: a URL of SOCKS with user info if it needs any
    /// (`CURLOPT_PRE_PROXY`).
    public var precedingProxy: String?
    /// The hosts that bypass the proxy, separated by commas or blanks: names, which include their subdomains,
    /// addresses, and ranges of them (`10.0.0.0/8`, `fd00::/8`), each with or without a port; `*` matches all.
    public var bypass: String

    /// Creates a proxy for all hosts except those in ``bypass``; by default without a credential.
    public init(url: String, credential: URLCredential? = nil, bypass: String = "") {
        self.url = url
        self.credential = credential
        self.bypass = bypass
    }
}

/// The network options below HTTP.
public struct NetworkOptions: Hashable, Sendable {
    /// The address families to try (`CURLOPT_IPRESOLVE`).
    public enum AddressFamily: Hashable, Sendable { case any, ipv4, ipv6 }

    /// The address family for the server's name, or the proxy's.
    public var addressFamily = AddressFamily.any
    /// A Unix socket to connect to instead of the URL's host (`CURLOPT_UNIX_SOCKET_PATH`).
    public var unixSocketPath: String?
    /// Whether ``unixSocketPath`` is a name in Linux's abstract namespace (`CURLOPT_ABSTRACT_UNIX_SOCKET`).
    public var isSocketAbstract = false
    /// Addresses to use instead of a lookup, each as `HOST:PORT:ADDRESS[,ADDRESS]` (`CURLOPT_RESOLVE`).
    public var resolve: [String] = []
    /// Hosts to connect to instead of others, each as `HOST1:PORT1:HOST2:PORT2` (`CURLOPT_CONNECT_TO`).
    public var connectTo: [String] = []
    /// A DNS-over-HTTPS server (RFC 8484) to use instead of the system's resolver (`CURLOPT_DOH_URL`).
    ///
    /// Its own address is looked up by the system, and its certificate is verified like the server's.
    public var dohURL: String?
    /// The interface, address or host name to send from (`CURLOPT_INTERFACE`).
    public var interface: String?
    /// The seconds without traffic after which TCP probes a connection, and between probes; `nil` for no probes
    /// (`CURLOPT_TCP_KEEPIDLE`).
    public var keepAliveTime: Int?
    /// Whether a transfer waits for a connection that is being opened, to share it if it has HTTP/2
    /// (`CURLOPT_PIPEWAIT`).
    public var sharesUnknownConnections = true
    /// The local ports to send from; `nil` lets the system choose (`CURLOPT_LOCALPORT`).
    public var localPorts: ClosedRange<UInt16>?
    /// The limit on receiving in bytes per second; `nil` for none.
    public var maximumReceiveRate: Int64?
    /// A limit on receiving that is shared with other transfers and replaces ``maximumReceiveRate``.
    public var sharedReceiveRate: SharedRate?
    /// The limit on sending in bytes per second; `nil` for none.
    public var maximumSendRate: Int64?

    /// Creates the default options: any address family, the system's resolver, no rate limits.
    public init() {}
}

/// The limits on a server's response. `nil` removes a limit.
public struct TransferLimits: Hashable, Sendable {
    /// The maximum number of bytes of a header.
    public var headBytes: Int? = 256 * 1024
    /// The maximum number of field lines of a header.
    public var headLines: Int? = 1000
    /// The maximum number of responses with a status from 100 to 199.
    public var interimResponses: Int? = 20
    /// The maximum number of bytes of the body, after decoding.
    public var bodyBytes: Int64?
    /// The maximum ratio of decoded to received bytes.
    ///
    /// 128 KiB are added to the received bytes, so that a small body never exceeds the limit.
    public var decodingRatio: Int?

    /// Creates the default limits: headers are limited, bodies are not.
    public init() {}
}

/// Credentials and authentication schemes.
public struct AuthenticationOptions: Hashable, Sendable {
    /// The authentication schemes. If libcurl supports none of them, the transfer fails with
    /// ``TransferFailure/Kind/unsupported``.
    public struct Kinds: OptionSet, Hashable, Sendable {
        /// The bits of the schemes.
        public let rawValue: Int
        /// Creates schemes from a bit mask.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// User name and password, base64-encoded (RFC 7617).
        public static let basic = Kinds(rawValue: 1 << 0)
        /// A digest of the password and the server's challenge (RFC 7616).
        public static let digest = Kinds(rawValue: 1 << 1)
        /// Microsoft's challenge-response scheme, which authenticates a connection.
        public static let ntlm = Kinds(rawValue: 1 << 2)
        /// A Kerberos ticket (RFC 4559), which authenticates a connection.
        public static let negotiate = Kinds(rawValue: 1 << 3)

        /// The schemes that authenticate a connection and not a request (RFC 4559 §6).
        static let connectionBound: Kinds = [.ntlm, .negotiate]

        /// The names for messages: `NTLM or Negotiate`.
        var names: String {
            let known: [(Kinds, String)] = [
                (.basic, "Basic"), (.digest, "Digest"), (.ntlm, "NTLM"), (.negotiate, "Negotiate"),
            ]
            return known.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
        }
    }

    /// The user name and password (`CURLOPT_USERNAME`, `CURLOPT_PASSWORD`); ``ProxyOptions/credential`` has the
    /// proxy's.
    public var credential: URLCredential
    /// The accepted schemes. A single one is used immediately; among several the server's challenge decides.
    public var kinds: Kinds
    /// Whether even a single scheme is used only after a challenge.
    public var waitsForChallenge = false

    /// Creates authentication options; by default Basic, so that the password is sent with the first request.
    public init(credential: URLCredential, kinds: Kinds = .basic) {
        self.credential = credential
        self.kinds = kinds
    }
}

/// When to send `Expect: 100-continue` (RFC 9110 §10.1.1).
public enum ExpectContinue: Hashable, Sendable {
    /// For bodies of more than 1 MiB; the body is sent after one second without a response.
    case automatic
    case always
    case never
}
