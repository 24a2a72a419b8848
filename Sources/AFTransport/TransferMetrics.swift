public import AFHTTP
public import FoundationEssentials

/// When everything of one attempt happened: every hop of it, redirects included.
public struct TransferMetrics: Hashable, Sendable {
    /// From the start of the attempt to its end, in wall time.
    public var taskInterval: DateInterval
    /// One for each hop, in order.
    public var transactionMetrics: [TransactionMetrics]

    public var redirectCount: Int { max(0, transactionMetrics.count - 1) }

    /// The attempt's length in seconds.
    public var duration: Double { taskInterval.duration }

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

    public var resourceFetchType = ResourceFetchType.networkLoad
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
    public var responseEnd = 0.0

    public var requestHeadBytes: Int64 = 0
    public var requestBodyBytes: Int64 = 0
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
    public var method: HTTPMethod
    public var url: String
    public var isReusedConnection = false
    public var isProxyConnection = false
    public var localAddress: String?
    public var localPort: Int?
    public var remoteAddress: String?
    public var remotePort: Int?
    /// Such as `TLSv1.3`; `nil` without TLS.
    public var tlsVersion: String?
    public var tlsCipher: String?
    /// What OpenSSL says about the server's certificate: `X509_V_OK`, 0, or why it is none to trust; `nil` without TLS.
    public var certificateVerification: Int?
    /// The server's chain in DER, leaf first; empty without TLS, or where no evaluation asked for it.
    public var certificates: [[UInt8]] = []

    /// Servers may send interim heads without end where nothing limits them.
    public static let maximumEarlierHeads = 64

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
