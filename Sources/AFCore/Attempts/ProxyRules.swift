public import AFHTTP
public import AFTransport

/// Which proxy a request goes through: chosen for each redirect anew, by its scheme and its host.
///
/// ```swift
/// configuration.proxies = ProxyRules(https: ProxyOptions(url: "http://proxy.example:3128", bypass: "localhost"))
/// ```
public struct ProxyRules: Hashable, Sendable {
    /// For http URLs; `nil` connects directly.
    public var http: ProxyOptions?
    /// For https URLs; `nil` connects directly.
    public var https: ProxyOptions?

    /// A scheme that is given no proxy connects directly.
    public init(http: ProxyOptions? = nil, https: ProxyOptions? = nil) {
        self.http = http
        self.https = https
    }

    /// One proxy for everything that it does not leave out itself.
    public init(_ proxy: ProxyOptions?) {
        self.init(http: proxy, https: proxy)
    }

    /// The proxy for a URL; `nil` where the host is reached without one.
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
    /// As a transfer needs it: a proxy that is left out still keeps the headers for proxies from the server.
    func option(for url: HTTPURL) -> ProxyOptions? {
        guard let proxy = proxy(for: url.scheme), proxy.isBypassed(for: url) else { return proxy(for: url) }
        return ProxyOptions(url: proxy.url, bypass: "*")
    }
}

extension ProxyOptions {
    /// Whether ``bypass`` names the URL's host: itself, a domain above it, or the host with its port; `*` is every host.
    ///
    /// Ranges of addresses, such as `10.0.0.0/8`, are left to libcurl.
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
    /// The address inside `[::1]`.
    fileprivate var withoutBrackets: String { hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self }
}
