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

extension ProxyRules {
    /// Returns the proxy for a transfer: a bypassed proxy is included, so that its headers are not sent to the server.
    func option(for url: HTTPURL) -> ProxyOptions? {
        guard let proxy = proxy(for: url.scheme), proxy.isBypassed(for: url) else { return proxy(for: url) }
        return ProxyOptions(url: proxy.url, bypass: "*")
    }
}

extension ProxyOptions {
    /// Whether ``bypass`` matches the URL's host: by name, by a parent domain, or by host and port; `*` matches all.
    ///
    /// libcurl evaluates address ranges such as `10.0.0.0/8`.
    public func isBypassed(for url: HTTPURL) -> Bool {
        let host = url.host.withoutBrackets
        return bypass.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            if entry == "*" { return true }
            let name = String(entry.drop { $0 == "." }).lowercased().withoutBrackets
            return !name.isEmpty && (host == name || host.hasSuffix("." + name) || "\(url.host):\(url.port)" == name)
        }
    }
}

extension String {
    /// The address without the brackets of `[::1]`.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}
