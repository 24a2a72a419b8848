public import AFHTTP
public import AFTransport

/// The proxies of a session, selected for each hop by scheme and host.
///
/// ```swift
/// configuration.proxies = ProxyRules(https: ProxyOptions(url: "http://proxy.example:3128", bypass: "localhost"))
/// ```
public struct ProxyRules: Hashable, Sendable {
    /// The proxy for http URLs; `nil` connects directly.
    public var http: ProxyOptions?
    /// The proxy for https URLs; `nil` connects directly.
    public var https: ProxyOptions?

    /// Creates rules; a scheme without a proxy connects directly.
    public init(http: ProxyOptions? = nil, https: ProxyOptions? = nil) {
        self.http = http
        self.https = https
    }

    /// Creates rules with one proxy for both schemes.
    public init(_ proxy: ProxyOptions?) {
        self.init(http: proxy, https: proxy)
    }

    /// Returns the proxy for a URL; `nil` if the connection is direct.
    public func proxy(for url: HTTPURL) -> ProxyOptions? {
        proxy(for: url.scheme).flatMap { $0.isBypassed(for: url) ? nil : $0 }
    }

    func proxy(for scheme: HTTPURL.Scheme) -> ProxyOptions? {
        switch scheme {
        case .http: http
        case .https: https
        }
    }
}
