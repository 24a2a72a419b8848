internal import AFCore
internal import FoundationEssentials

/// The context of a failed transfer for messages: its endpoints and limits, and the options in use.
struct TransferCircumstances: Sendable {
    /// The host and port of the failed hop.
    let host: String
    /// The proxy or socket; `nil` for a direct connection.
    let proxy: String?
    /// Whether the proxy's URL has credentials.
    let hasProxyCredential: Bool
    /// Whether the connection was in clear text and the port is one of TLS.
    let mayNeedTLS: Bool
    /// Whether the proxy receives the request itself, instead of a tunnel.
    let isForwarded: Bool
    let clientCertificate: ClientCertificate?
    let limits: TransferLimits
    let timeouts: Timeouts
    let network: NetworkOptions
    /// Whether HTTP/2 was used without negotiation.
    let presumesHTTP2: Bool
    /// The method of the run's first request.
    let method: HTTPMethod
    let retry: RetryPlan
    /// Whether the body cannot be sent again.
    let sendsStream: Bool
    let storesBody: Bool
    /// Whether `--resume` was typed.
    let resumes: Bool
    /// Whether the request has `Accept-Encoding: identity`.
    let asksForIdentity: Bool

    init(_ plan: Plan, latest request: URLRequest?) {
        let url = request?.url.flatMap { try? HTTPURL(parsing: $0.absoluteString) } ?? plan.url
        let place = "\(url.origin == plan.url.origin ? plan.typedHost : url.host):\(url.port)"
        network = plan.session.network
        host = network.unixSocketPath.map { "\(place) through the socket '\($0)'" } ?? place
        proxy = plan.session.proxies.proxy(for: url)?.url
        hasProxyCredential = plan.session.proxies.proxy(for: url)?.credential != nil
        mayNeedTLS = url.scheme == .http && [443, 8443].contains(url.port)
        isForwarded = url.scheme == .http && proxy != nil
        clientCertificate = plan.session.tls.clientCertificate
        limits = plan.session.limits
        timeouts = plan.session.timeouts
        presumesHTTP2 = plan.session.httpVersion == .http2PriorKnowledge
        method = plan.request.method
        retry = plan.retry
        sendsStream = !plan.request.body.isRepeatable
        storesBody = plan.storesBody
        resumes = plan.download?.resume != nil
        asksForIdentity = request?.headers.value(for: "Accept-Encoding")?.lowercased() == "identity"
    }
}
