internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFSigning

/// The context of a failed transfer for messages: the plan, and the hop that failed.
struct FailureContext: Sendable {
    let plan: Plan
    /// The settings of the failed hop.
    let session: SessionConfiguration
    /// The URL of the failed hop.
    private let url: HTTPURL
    /// The failed request; `nil` before there is one, and for a request for a token.
    private let request: Request?
    /// Whether another run can resume the upload.
    let resumesUpload: Bool

    /// Creates the context of the latest hop of a request.
    ///
    /// - Parameter upload: The upload that the request is; `nil` for none that can be resumed.
    init(_ plan: Plan, _ request: Request?, _ upload: ResumableUpload? = nil) {
        self.init(
            plan, plan.session, (try? request?.task?.currentRequest.httpURL) ?? plan.url, request,
            resumesUpload: upload?.interruption != nil)
    }

    /// Creates the context of a request for a token; `nil` if the run has none.
    init?(_ plan: Plan, tokenEndpoint url: HTTPURL) {
        guard let session = plan.tokenSession else { return nil }
        self.init(plan, session, url, nil)
    }

    private init(
        _ plan: Plan, _ session: SessionConfiguration, _ url: HTTPURL, _ request: Request?, resumesUpload: Bool = false
    ) {
        (self.plan, self.session, self.url, self.request) = (plan, session, url, request)
        self.resumesUpload = resumesUpload
    }
}

extension FailureContext {
    /// The host and port, as typed if the origin is that of the first request, and the socket.
    var host: String {
        let endpoint = "\(url.origin == plan.url.origin ? plan.typedHost : url.host):\(url.port)"
        return session.network.unixSocketPath.map { "\(endpoint) through the socket '\($0)'" } ?? endpoint
    }

    /// The URL of the proxy or socket; `nil` for a direct connection.
    var proxy: String? { session.proxies.proxy(for: url)?.url }

    /// The URL of the proxy before that one; `nil` if there is no such proxy.
    var precedingProxy: String? {
        session.proxies.proxy(for: url)?.precedingProxy.map(Redaction(revealsSecrets: false).url)
    }

    /// Whether the connection was in clear text and the port is usually one of TLS: 443, 8443, 6443.
    var mayNeedTLS: Bool { url.scheme == .http && url.port % 1000 == 443 }

    /// Whether the proxy receives the request itself, instead of a tunnel.
    var isForwarded: Bool { url.scheme == .http && proxy != nil }

    /// The alias that the host may misspell; `nil` if no alias is similar.
    var nearestAlias: String? { url.origin == plan.url.origin ? plan.nearestAlias : nil }

    /// The hint about a word that is probably the host; `nil` if no word resembles a host.
    var hintAboutMethod: String? { url.origin == plan.url.origin ? plan.hintAboutMethod : nil }

    /// Whether the body cannot be sent again.
    var sendsStream: Bool { !plan.request.body.isRepeatable }

    /// Whether the request opens a WebSocket connection.
    var opensWebSocket: Bool { plan.webSocket != nil }

    /// Whether the path of the file is in the list of `--input`.
    var isListed: Bool { plan.download?.isListed == true }

    /// Whether the request has `Accept-Encoding: identity`.
    var asksForIdentity: Bool {
        request?.task?.currentRequest.headers.value(for: "Accept-Encoding")?.lowercased() == "identity"
    }

    /// Whether a range of the resource was typed.
    var asksForRange: Bool { plan.request.headers.value(for: "Range") != nil }

    /// The variables of trusted certificates in use.
    var trustVariables: TrustVariables { TrustVariables(session.tls, plan.variables) }

    /// The status of the response; `nil` if no response was received.
    var statusCode: Int? { request?.response?.statusCode }

    /// Whether a transfer can continue after the bytes of the response: the server sends ranges of a proven version.
    var isResumable: Bool {
        guard let response = request?.response else { return false }
        let hasValidator = ["ETag", "Last-Modified"].contains { response.value(forHTTPHeaderField: $0) != nil }
        return hasValidator && response.value(forHTTPHeaderField: "Accept-Ranges")?.lowercased() == "bytes"
    }

    /// Whether the response is an event stream.
    var isEventStream: Bool { BodyKind(plan.output.mediaType ?? request?.response?.contentType) == .eventStream }

    /// The requirement of a proxy that responded to CONNECT with 407.
    var proxyRequirement: ProxyRequirement { proxyRequirement(tunnelResponse) }

    /// The last response of a proxy to CONNECT; `nil` if there is none.
    var tunnelResponse: HTTPURLResponse? { request?.lastHops.last?.tunnelResponse }

    /// Returns the requirement of the proxy.
    ///
    /// - Parameter response: A response of the proxy with 407; `nil` if it is unknown.
    func proxyRequirement(_ response: HTTPURLResponse?) -> ProxyRequirement {
        ProxyRequirement(response, session.proxies.proxy(for: url))
    }

    /// The device authorization endpoint; `nil` if the grant does not use one.
    var deviceURL: HTTPURL? {
        if case .oauth2(let client, _)? = plan.login { client.deviceAuthorizationURL } else { nil }
    }
}
