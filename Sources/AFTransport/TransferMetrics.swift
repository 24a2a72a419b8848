public import AFHTTP
public import FoundationEssentials

/// When everything of one attempt happened: every hop of it, redirects included.
public struct TransferMetrics: Hashable, Sendable {
    /// From the start of the attempt to its end, in wall time.
    public var taskInterval: DateInterval
    /// One for each hop, in order.
    public var transactionMetrics: [TransactionMetrics]

    /// How many redirects were followed: one less than there are hops.
    public var redirectCount: Int { max(0, transactionMetrics.count - 1) }

    /// The attempt's length in seconds.
    public var duration: Double { taskInterval.duration }

    /// An attempt of these hops, the first in front.
    public init(taskInterval: DateInterval, transactionMetrics: [TransactionMetrics]) {
        self.taskInterval = taskInterval
        self.transactionMetrics = transactionMetrics
    }
}

/// When everything of one hop happened, as libcurl measured it (`CURLINFO_*_TIME_T`).
///
/// Points in time are seconds since ``start``; one that was never reached, or on a reused connection was not needed,
/// equals the one before it.
public struct TransactionMetrics: Hashable, Sendable {
    /// Where a response came from.
    public enum ResourceFetchType: Hashable, Sendable {
        case networkLoad
        /// Out of the session's cache, without a word to the server. What the server confirmed was a load: its
        /// ``TransactionMetrics/statusCode`` is 304.
        case localCache
    }

    /// Whether the response came from a server or out of the cache.
    public var resourceFetchType = ResourceFetchType.networkLoad
    /// When the hop began, in wall time.
    public var start: Date
    /// The name was looked up.
    public var nameLookupEnd = 0.0
    /// The connection to the server or proxy stood.
    public var connectEnd = 0.0
    /// The TLS handshake was done.
    public var secureConnectEnd = 0.0
    /// The request could begin.
    public var requestStart = 0.0
    /// The first byte of the response was there.
    public var responseStart = 0.0
    /// The last byte of the response was there, or the hop had failed.
    public var responseEnd = 0.0

    /// Bytes of every request head of the hop, rounds of authentication included (`CURLINFO_REQUEST_SIZE`).
    ///
    /// libcurl counts a small body along that goes out in one piece with its head.
    public var requestHeadBytes: Int64 = 0
    /// Bytes of the request body that were sent (`CURLINFO_SIZE_UPLOAD_T`).
    public var requestBodyBytes: Int64 = 0
    /// Bytes of every head that came, interim ones and a proxy's included (`CURLINFO_HEADER_SIZE`).
    public var responseHeadBytes: Int64 = 0
    /// Bytes of the body as they came, before decoding.
    public var responseBodyBytes: Int64 = 0
    /// Bytes of the body as they were handed on.
    public var decodedBodyBytes: Int64 = 0
    /// Bytes per second over the whole hop.
    public var sendRate: Int64 = 0
    /// Bytes per second over the whole hop.
    public var receiveRate: Int64 = 0

    /// `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`; `nil` before a response.
    public var protocolName: String?
    /// The status of ``response``; `nil` before one.
    public var statusCode: Int?
    /// The head of the response, that of a redirect included; `nil` before one.
    public var response: HTTPURLResponse?
    /// The heads that came before the answer, in order: interim ones, a proxy's answers to CONNECT, and those of rounds of
    /// authentication.
    ///
    /// At most ``maximumEarlierHeads``, the first ones.
    public var earlierHeads: [EarlierHead] = []
    /// The head of the latest request as it was sent, with what the transport added. On HTTP/2 it is libcurl's rendering.
    ///
    /// Empty unless a ``TransferEventHandler`` hears of request heads: libcurl tells nobody else.
    public var requestHead: [UInt8] = []
    /// What this hop asked with: a redirect may have made it a GET.
    public var method: HTTPMethod
    /// Where this hop went, without user info and fragment.
    public var url: String
    /// Whether the hop needed no new connection (`CURLINFO_NUM_CONNECTS`); `false` where it never reached a server.
    public var isReusedConnection = false
    /// Whether a proxy answered a CONNECT of this hop; plain http goes through a proxy without one.
    public var isProxyConnection = false
    /// This side's address on the connection, without port; `nil` where no request could begin.
    public var localAddress: String?
    /// This side's port on the connection; `nil` where no request could begin.
    public var localPort: Int?
    /// The address that the connection leads to, a proxy's where one is used; `nil` where no request could begin.
    public var remoteAddress: String?
    /// The port that the connection leads to, a proxy's where one is used; `nil` where no request could begin.
    public var remotePort: Int?
    /// Such as `TLSv1.3`; `nil` without TLS.
    public var tlsVersion: String?
    /// OpenSSL's name of the cipher suite, such as `TLS_AES_256_GCM_SHA384`; `nil` without TLS.
    public var tlsCipher: String?
    /// What OpenSSL says about the server's certificate: `X509_V_OK`, 0, or why it is none to trust; `nil` without TLS.
    public var certificateVerification: Int?
    /// The server's chain in DER, leaf first; empty without TLS, or where no evaluation asked for it.
    public var certificates: [[UInt8]] = []

    /// Servers may send interim heads without end where nothing limits them.
    public static let maximumEarlierHeads = 64

    /// A hop of which nothing is measured yet.
    public init(start: Date, method: HTTPMethod, url: String) {
        self.start = start
        self.method = method
        self.url = url
    }

    /// Of a transfer that starts now.
    public init(_ transfer: Transfer) { self.init(start: .now, method: transfer.method, url: transfer.url.text) }

    /// Seconds from the request's start to the first byte of the response.
    public var waiting: Double { max(0, responseStart - requestStart) }
}
