public import AFHTTP
public import FoundationEssentials

/// The timings of one attempt, with all of its hops.
public struct TransferMetrics: Hashable, Sendable {
    /// The wall time from the start of the attempt to its end.
    public var taskInterval: DateInterval
    /// The metrics of each hop, in order.
    public var transactionMetrics: [TransactionMetrics]

    /// The number of redirects that were followed: one less than the number of hops.
    public var redirectCount: Int { max(0, transactionMetrics.count - 1) }

    /// The trailer fields of the final response, received after its body (RFC 9110 §6.5).
    public var trailers: HTTPHeaders { transactionMetrics.last?.trailers ?? HTTPHeaders() }

    /// The duration of the attempt in seconds.
    public var duration: Double { taskInterval.duration }

    /// Creates the metrics of an attempt.
    public init(taskInterval: DateInterval, transactionMetrics: [TransactionMetrics]) {
        self.taskInterval = taskInterval
        self.transactionMetrics = transactionMetrics
    }
}

/// The timings and sizes of one hop, as libcurl measured them (`CURLINFO_*_TIME_T`).
///
/// Points in time are seconds since ``start``. One that was not reached is 0; one that was not needed, as on a reused
/// connection, equals the previous one.
public struct TransactionMetrics: Hashable, Sendable {
    /// The source of a response.
    public enum ResourceFetchType: Hashable, Sendable {
        case networkLoad
        /// The session's cache, without a request. A response that the server validated is a network load with the
        /// ``TransactionMetrics/statusCode`` 304.
        case localCache
    }

    /// Whether the response came from the network or the cache.
    public var resourceFetchType = ResourceFetchType.networkLoad
    /// The wall time at which the hop began.
    public var start: Date
    /// The end of the name lookup.
    public var nameLookupEnd = 0.0
    /// The end of establishing the connection to the server or proxy.
    public var connectEnd = 0.0
    /// The end of the TLS handshake.
    public var secureConnectEnd = 0.0
    /// The start of the request.
    public var requestStart = 0.0
    /// The first byte of the response.
    public var responseStart = 0.0
    /// The time of the last byte of the response, or of the failure of the hop.
    public var responseEnd = 0.0

    /// The bytes of all request headers of the hop, including authentication rounds (`CURLINFO_REQUEST_SIZE`).
    ///
    /// libcurl includes a small body that is sent together with its header.
    public var requestHeadBytes: Int64 = 0
    /// The bytes of the request body that were sent, without the framing of chunks.
    public var requestBodyBytes: Int64 = 0
    /// The length of the request body in bytes; `nil` if it is unknown, or without a body.
    public var requestBodyLength: Int64?
    /// Whether the complete request body was sent, as far as it was due: a server may respond before it has the body.
    public var isRequestBodyComplete = true
    /// Whether the request had `Expect: 100-continue`, and no 100 (Continue) preceded the response.
    public var lacksContinue = false
    /// The bytes of all response headers, including interim ones and a proxy's (`CURLINFO_HEADER_SIZE`).
    public var responseHeadBytes: Int64 = 0
    /// The bytes of the response body as received, before decoding.
    public var responseBodyBytes: Int64 = 0
    /// The bytes of the response body as delivered.
    public var decodedBodyBytes: Int64 = 0
    /// The average rate of sending the body in bytes per second of the hop, as `CURLINFO_SPEED_UPLOAD_T`.
    public var sendRate: Int64 { rate(of: requestBodyBytes) }
    /// The average rate of receiving the body in bytes per second of the hop, as `CURLINFO_SPEED_DOWNLOAD_T`.
    public var receiveRate: Int64 { rate(of: responseBodyBytes) }

    /// The protocol: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`; `nil` before a response.
    public var protocolName: String?
    /// The status code of ``response``; `nil` before a response.
    public var statusCode: Int?
    /// The header of the response, including a redirect's; `nil` before a response.
    public var response: HTTPURLResponse?
    /// The received part of a header that is not complete, or is not accepted; `nil` if there is none.
    package var incompleteHead: HTTPURLResponse?
    /// The trailer fields, received after the body (RFC 9110 §6.5).
    public var trailers = HTTPHeaders()
    /// The headers received before the final one, in order: interim ones, a proxy's responses to CONNECT, and those of
    /// authentication rounds.
    ///
    /// The first ``maximumEarlierHeads`` at most.
    public var earlierHeads: [EarlierHead] = []
    /// The header of the latest request as sent, with the transport's additions. Over HTTP/2 it is libcurl's rendering.
    ///
    /// Empty unless a ``TransferEventHandler`` observes request headers: libcurl reports them only then.
    public var requestHead: [UInt8] = []
    /// The method of this hop: a redirect may have changed it to GET.
    public var method: HTTPMethod
    /// The URL of this hop, without user info and fragment.
    public var url: String
    /// Whether the hop needed no new connection (`CURLINFO_NUM_CONNECTS`); `false` if it did not reach a server.
    public var isReusedConnection = false
    /// The number of connections that the hop opened (`CURLINFO_NUM_CONNECTS`): several if the server closes one after a
    /// challenge.
    public var connectionCount = 0
    /// Whether a proxy responded to a CONNECT of this hop; plain http uses a proxy without CONNECT.
    public var isProxyConnection = false
    /// Whether the hop was sent through a proxy.
    public var usesProxy = false
    /// The local address of the connection, without port; `nil` without a request or response to CONNECT.
    public var localAddress: String?
    /// The local port of the connection; `nil` without a request or response to CONNECT.
    public var localPort: Int?
    /// The remote address of the connection, a proxy's if one is used; `nil` without a request or response to CONNECT.
    public var remoteAddress: String?
    /// The remote port of the connection, a proxy's if one is used; `nil` without a request or response to CONNECT.
    public var remotePort: Int?
    /// The TLS version, such as `TLSv1.3`; `nil` without TLS.
    public var tlsVersion: String?
    /// OpenSSL's name of the cipher suite, such as `TLS_AES_256_GCM_SHA384`; `nil` without TLS.
    public var tlsCipher: String?
    /// OpenSSL's verification result: `X509_V_OK`, 0, or the error; `nil` without TLS.
    public var certificateVerification: Int?
    /// The server's certificate chain in DER as sent, leaf first; known even if its verification failed.
    ///
    /// Empty without TLS, and unless ``TLSOptions/readsCertificates`` is set or an evaluation needed the chain.
    public var certificates: [[UInt8]] = []
    /// libcurl's descriptions of the server's certificates, each with lines such as `Expire date:…`; leaf first.
    ///
    /// Empty on a reused connection, and unless ``TLSOptions/describesCertificates`` is set.
    public var certificateDescriptions: [[String]] = []

    /// A limit for servers that send interim headers endlessly.
    public static let maximumEarlierHeads = 64

    /// Creates the metrics of a hop that has just begun.
    public init(start: Date, method: HTTPMethod, url: String) {
        self.start = start
        self.method = method
        self.url = url
    }

    /// Creates the metrics of a transfer that starts now.
    public init(_ transfer: Transfer) { self.init(start: .now, method: transfer.method, url: transfer.url.text) }

    private func rate(of bytes: Int64) -> Int64 {
        responseEnd > 0 ? Int64(exactly: (Double(bytes) / responseEnd).rounded(.down)) ?? .max : 0
    }

    /// The seconds from the start of the request to the first byte of the response, or to the end if there was none.
    public var waiting: Double {
        requestStart > 0 ? (responseStart > 0 ? responseStart : responseEnd) - requestStart : 0
    }
}
