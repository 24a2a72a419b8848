internal import AFCore
internal import AFSigning
internal import FoundationEssentials

/// The context of a failed transfer for messages: its endpoints and limits, and the options in use.
struct TransferCircumstances: Sendable {
    /// The host and port of the failed hop.
    let host: String
    /// The proxy or socket; `nil` for a direct connection.
    let proxy: String?
    /// Whether the proxy's URL has credentials.
    let hasProxyCredential: Bool
    /// Whether the connection was in clear text and the port is usually one of TLS: 443, 8443, 6443.
    let mayNeedTLS: Bool
    /// Whether the proxy receives the request itself, instead of a tunnel.
    let isForwarded: Bool
    /// The alias that the host may misspell; `nil` if there is none.
    let nearestAlias: String?
    let clientCertificate: ClientCertificate?
    /// The variables of trusted certificates in use.
    let trustVariables: TrustVariables
    let limits: TransferLimits
    let timeouts: Timeouts
    /// Whether `--timeout` limits connecting, too.
    let idleLimitsConnecting: Bool
    let network: NetworkOptions
    /// Whether HTTP/2 was used without negotiation.
    let presumesHTTP2: Bool
    /// The method of the run's first request.
    let method: HTTPMethod
    let retry: RetryPlan
    /// Whether the body cannot be sent again.
    let sendsStream: Bool
    /// The source of the body; `nil` if it has several.
    let bodySource: String?
    let storesBody: Bool
    /// Whether the path of the file is in the list of `--input`.
    let isListed: Bool
    /// The sources of the file's checksums.
    let checksums: [ChecksumSource]
    /// Whether `--resume` was typed.
    let resumes: Bool
    /// Whether a range of the resource was typed.
    let asksForRange: Bool
    /// Whether the request has `Accept-Encoding: identity`.
    let asksForIdentity: Bool
    /// Whether the request opens a WebSocket connection.
    let opensWebSocket: Bool
    /// Whether the response is an event stream.
    var isEventStream = false
    /// The status of the response; `nil` if there is none.
    var statusCode: Int?
    /// The response of the proxy to CONNECT; `nil` if there is none.
    var proxyResponse: HTTPURLResponse?
    /// The device authorization endpoint; `nil` unless the context is that of a request for a token.
    private(set) var deviceURL: HTTPURL?

    /// The requirement of a proxy that responded with 407.
    var proxyRequirement: ProxyRequirement { ProxyRequirement(proxyResponse, hasCredential: hasProxyCredential) }

    /// Creates the context of a request of the run; `nil` is the first one.
    init(_ plan: Plan, latest request: URLRequest?) {
        let url = request?.url.flatMap { try? HTTPURL(parsing: $0.absoluteString) } ?? plan.url
        self.init(plan, url, plan.session, latest: request)
    }

    /// Creates the context of a request for a token; `nil` if the run has none.
    init?(_ plan: Plan, tokenEndpoint url: HTTPURL) {
        guard case .oauth2(let client, _)? = plan.login, let session = plan.tokenSession else { return nil }
        self.init(plan, url, session, latest: nil)
        deviceURL = client.deviceAuthorizationURL
    }

    private init(_ plan: Plan, _ url: HTTPURL, _ session: SessionConfiguration, latest request: URLRequest?) {
        let endpoint = "\(url.origin == plan.url.origin ? plan.typedHost : url.host):\(url.port)"
        network = session.network
        host = network.unixSocketPath.map { "\(endpoint) through the socket '\($0)'" } ?? endpoint
        proxy = session.proxies.proxy(for: url)?.url
        hasProxyCredential = session.proxies.proxy(for: url)?.credential != nil
        mayNeedTLS = url.scheme == .http && url.port % 1000 == 443
        isForwarded = url.scheme == .http && proxy != nil
        nearestAlias = url.origin == plan.url.origin ? plan.nearestAlias : nil
        clientCertificate = session.tls.clientCertificate
        limits = session.limits
        timeouts = session.timeouts
        idleLimitsConnecting = plan.idleLimitsConnecting
        presumesHTTP2 = session.httpVersion == .http2PriorKnowledge
        method = plan.request.method
        retry = plan.retry
        trustVariables = TrustVariables(session.tls, plan.variables)
        bodySource = plan.request.body.sourceName
        sendsStream = !plan.request.body.isRepeatable
        storesBody = plan.storesBody
        isListed = plan.download?.isListed == true
        checksums = plan.download?.checksums ?? []
        resumes = plan.download?.resume != nil
        asksForRange = plan.request.headers.value(for: "Range") != nil
        opensWebSocket = plan.webSocket != nil
        asksForIdentity = request?.headers.value(for: "Accept-Encoding")?.lowercased() == "identity"
    }
}
