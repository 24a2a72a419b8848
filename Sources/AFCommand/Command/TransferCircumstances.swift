internal import AFCore
internal import FoundationEssentials

/// What the sentence about a failed transfer names: its ends and its limits, and what was done against failures already.
struct TransferCircumstances: Sendable {
    /// Host and port of the hop that failed.
    let host: String
    /// The way to the host where it is not a connection of its own.
    let proxy: String?
    let timeouts: Timeouts
    let network: NetworkOptions
    /// Whether the server was spoken to in HTTP/2 without being asked whether it knows it.
    let presumesHTTP2: Bool
    /// Of the run's first request.
    let method: HTTPMethod
    let retry: RetryPlan
    /// Whether a part of the body can be read only once.
    let sendsStream: Bool
    let storesBody: Bool
    /// Whether `--resume` was typed.
    let resumes: Bool
    /// Whether the server was asked for the body as it is.
    let asksForIdentity: Bool

    init(_ plan: Plan, latest request: URLRequest?) {
        let url = request?.url.flatMap { try? HTTPURL(parsing: $0.absoluteString) } ?? plan.url
        let place = "\(url.origin == plan.url.origin ? plan.typedHost : url.host):\(url.port)"
        network = plan.session.network
        host = network.unixSocketPath.map { "\(place) through the socket '\($0)'" } ?? place
        proxy = plan.session.proxies.proxy(for: url)?.url
        timeouts = plan.session.timeouts
        presumesHTTP2 = plan.session.httpVersion == .http2PriorKnowledge
        method = plan.request.method
        retry = plan.retry
        sendsStream = plan.request.body.isStreamed
        storesBody = plan.storesBody
        resumes = plan.download?.resume != nil
        asksForIdentity = request?.headers.value(for: "Accept-Encoding")?.lowercased() == "identity"
    }
}
