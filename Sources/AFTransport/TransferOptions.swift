public import AFHTTP

/// How a transfer is to be carried out. The defaults are those of a careful client: verified TLS, no wait without end.
public struct TransferOptions: Hashable, Sendable {
    /// Which version is asked for; ``TransactionMetrics/protocolName`` tells which one came.
    public var httpVersion = HTTPVersion.automatic
    /// When the transfer is given up.
    public var timeouts = Timeouts()
    /// `nil` connects directly, whatever the environment says.
    public var proxy: ProxyOptions?
    /// Whom to trust, and what to show the server.
    public var tls = TLSOptions()
    /// Addresses, sockets and rates below HTTP.
    public var network = NetworkOptions()
    /// How much of a head and of a body is taken.
    public var limits = TransferLimits()
    /// `nil` logs in nowhere, whatever user info the URL holds.
    public var authentication: AuthenticationOptions?
    /// Whether a `Content-Encoding` is taken off the body, see ``DecodableCoding``. It adds no header.
    public var decodesContent = true
    /// Whether the transport's cookies are sent and set.
    public var handlesCookies = true
    /// Whether the server is asked before a body is sent; an `Expect` field of the caller's own goes before it.
    public var expectContinue = ExpectContinue.automatic
    /// Names of header fields that are not sent, be they the caller's or those that libcurl adds, such as `Host`.
    ///
    /// What frames the body, `Content-Length` and `Transfer-Encoding`, is sent nevertheless; the transport's own cookies
    /// are a matter of ``handlesCookies``.
    public var removedHeaders: [String] = []
    /// The size in bytes of the pieces that are read from the network; large ones cost less for large bodies.
    ///
    /// It is a limit: bodies that come slowed down are read in smaller ones.
    public var receiveBufferSize = 16 * 1024
    /// Told of what passes, for verbose views.
    public var eventHandler: TransferEventHandler?

    /// Every option at its default.
    public init() {}
}

/// Which version of HTTP to speak (`CURLOPT_HTTP_VERSION`).
public enum HTTPVersion: Hashable, Sendable {
    /// HTTP/2 over TLS where the server agrees (ALPN), 1.1 otherwise.
    case automatic
    case http1_0
    case http1_1
    /// HTTP/2, by upgrade where there is no TLS.
    case http2
    /// HTTP/2 from the first byte, without TLS too.
    case http2PriorKnowledge
    /// HTTP/3 over QUIC, or an earlier version where that does not connect.
    case http3
}

/// When to give up. `nil` waits for ever.
///
/// `nil` is for ever, and so is a number that is no time to wait: zero, a negative one, NaN.
public struct Timeouts: Hashable, Sendable {
    /// Seconds for looking up the name, connecting and shaking hands; waiting for a free connection does not count.
    public var connect: Double? { didSet { connect = Self.limit(connect) } }
    /// Seconds without a byte in either direction once the connection stands, the wait for the response included.
    public var idle: Double? { didSet { idle = Self.limit(idle) } }
    /// Seconds for one attempt with all its redirects, from the start of its first transfer; a retry starts again.
    public var total: Double? { didSet { total = Self.limit(total) } }

    /// Seconds each; 30 to connect and 60 without a byte unless told otherwise.
    public init(connect: Double? = 30, idle: Double? = 60, total: Double? = nil) {
        self.connect = Self.limit(connect)
        self.idle = Self.limit(idle)
        self.total = Self.limit(total)
    }

    private static func limit(_ seconds: Double?) -> Double? {
        seconds.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }
}

/// A proxy and the hosts that are reached without it.
public struct ProxyOptions: Hashable, Sendable {
    /// `http://`, `https://`, `socks4://`, `socks4a://`, `socks5://` or `socks5h://`, without user info.
    public var url: String
    /// Sent to the proxy only, never inside a tunnel.
    public var credential: URLCredential?
    /// Host names separated by commas; a leading dot or none covers subdomains, `*` covers all (`CURLOPT_NOPROXY`).
    public var bypass: String

    /// A proxy for every host that ``bypass`` does not name, without a login unless one is given.
    public init(url: String, credential: URLCredential? = nil, bypass: String = "") {
        self.url = url
        self.credential = credential
        self.bypass = bypass
    }
}

/// The way to the server's address.
public struct NetworkOptions: Hashable, Sendable {
    /// Which addresses of a name are tried (`CURLOPT_IPRESOLVE`).
    public enum AddressFamily: Hashable, Sendable { case any, ipv4, ipv6 }

    /// Of the server's name, or the proxy's.
    public var addressFamily = AddressFamily.any
    /// Connect to this socket instead of the URL's host (`CURLOPT_UNIX_SOCKET_PATH`).
    public var unixSocketPath: String?
    /// `HOST:PORT:ADDRESS[,ADDRESS]` each, used instead of a look-up (`CURLOPT_RESOLVE`).
    public var resolve: [String] = []
    /// `HOST1:PORT1:HOST2:PORT2` each (`CURLOPT_CONNECT_TO`).
    public var connectTo: [String] = []
    /// A server that is asked for addresses over HTTPS (RFC 8484) in place of the system's resolver (`CURLOPT_DOH_URL`).
    ///
    /// Its own address is looked up in the usual way, and its certificate is judged as the server's is.
    public var dohURL: String?
    /// An interface, an address or a host name to send from (`CURLOPT_INTERFACE`).
    public var interface: String?
    /// Bytes per second; `nil` for as fast as it goes.
    public var maximumReceiveRate: Int64?
    /// Kept together with other transfers, in place of a rate of the transfer's own.
    public var sharedReceiveRate: SharedRate?
    /// Bytes per second; `nil` for as fast as it goes.
    public var maximumSendRate: Int64?

    /// Any address of the host, looked up by the system, as fast as it goes.
    public init() {}
}

/// What a server may send before it is cut off. `nil` lifts a limit.
public struct TransferLimits: Hashable, Sendable {
    /// Bytes of one head.
    public var headBytes: Int? = 256 * 1024
    /// Field lines of one head.
    public var headLines: Int? = 1000
    /// Heads with a status of 100 to 199.
    public var interimResponses: Int? = 20
    /// Bytes of the body, after decoding.
    public var bodyBytes: Int64?
    /// How many times as long as what came the body may become by decoding.
    ///
    /// 128 KiB more are reckoned to have come, so that a small body is never too much.
    public var decodingRatio: Int?

    /// The limits of heads at their defaults; bodies have none.
    public init() {}
}

/// Who to log in as, and how.
public struct AuthenticationOptions: Hashable, Sendable {
    /// Ways to log in (`CURLOPT_HTTPAUTH`). With none that libcurl has, ``TransferFailure/Kind/unsupported``.
    public struct Kinds: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Kinds of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Name and password as they are, only encoded (RFC 7617).
        public static let basic = Kinds(rawValue: 1 << 0)
        /// A hash of the password and what the server gave for it (RFC 7616).
        public static let digest = Kinds(rawValue: 1 << 1)
        /// Windows' challenge and response, which log in a connection.
        public static let ntlm = Kinds(rawValue: 1 << 2)
        /// A Kerberos ticket (RFC 4559), which logs in a connection.
        public static let negotiate = Kinds(rawValue: 1 << 3)

        /// Logins that belong to a connection and not to a request (RFC 4559 §6).
        static let connectionBound: Kinds = [.ntlm, .negotiate]

        /// For sentences: `NTLM or Negotiate`.
        var names: String {
            let known: [(Kinds, String)] = [
                (.basic, "Basic"), (.digest, "Digest"), (.ntlm, "NTLM"), (.negotiate, "Negotiate"),
            ]
            return known.filter { contains($0.0) }.map(\.1).joined(separator: " or ")
        }
    }

    /// Whose login it is (`CURLOPT_USERNAME`, `CURLOPT_PASSWORD`); the proxy's is ``ProxyOptions/credential``.
    public var credential: URLCredential
    /// With one kind it is used at once; with several the server's challenge decides.
    public var kinds: Kinds
    /// Whether a single kind, too, is used only once the server asks for it (`CURLAUTH_ONLY`).
    public var waitsForChallenge = false

    /// A login, by Basic unless told otherwise: the password goes along at once.
    public init(credential: URLCredential, kinds: Kinds = .basic) {
        self.credential = credential
        self.kinds = kinds
    }
}

/// Whether to ask before sending a body (RFC 9110 §10.1.1).
public enum ExpectContinue: Hashable, Sendable {
    /// For bodies known to be above 1 MiB, with one second's wait.
    case automatic
    case always
    case never
}
