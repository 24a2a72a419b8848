extension ArgumentSecrets {
    /// The URL of a proxy.
    static let proxy = Self { argument in
        guard let url = try? ProxyChoice(argument: argument).url else { return [] }
        let offset = argument.end(url).lowerBound
        return ArgumentSecrets.url.ranges(url).map { $0.lowerBound + offset..<$0.upperBound + offset }
    }
}

/// A proxy and the requests that it is for.
struct ProxyChoice: Equatable, Sendable, ArgumentValue {
    enum TargetScheme: String, Sendable, CaseIterable { case http, https, all }

    /// The scheme of the requests that use the proxy.
    let scheme: TargetScheme
    /// The URL as typed; empty for no proxy.
    let url: String
    /// The variable of the environment that sets it; `nil` if none does.
    let variable: String?

    init(scheme: TargetScheme, url: String, variable: String? = nil) {
        (self.scheme, self.url, self.variable) = (scheme, url, variable)
    }

    /// Parses `[SCHEME:]URL`: in `https:socks5://host:1080` the first scheme is that of the requests.
    init(argument: String) throws(UsageError) {
        guard !argument.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw UsageError("a proxy's URL must not contain spaces or control characters")
                .ofProxy
        }
        if let colon = argument.firstIndex(of: ":"),
            let scheme = TargetScheme(rawValue: argument[..<colon].lowercased()),
            !argument[colon...].hasPrefix("://")
        {
            self.init(scheme: scheme, url: String(argument[argument.index(after: colon)...]))
        } else {
            self.init(scheme: .all, url: argument)
        }
    }
}
