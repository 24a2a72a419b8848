internal import AFCore
internal import AFHTTP

/// Selects the proxies.
enum ProxySelection {
    /// The schemes of SOCKS proxies; `socks` is SOCKS4, as in curl.
    static let socksSchemes = ["socks", "socks4", "socks4a", "socks5", "socks5h"]
    /// Returns the proxy rules.
    ///
    /// - Parameters:
    ///   - mayLeaveOrigin: Whether redirects, pages or upload resources of other origins are requested: the other scheme needs
    ///     a proxy, too.
    ///   - authorities: The authorities trusted for a proxy over TLS; `nil` for those of the server.
    ///   - credential: The credential for a proxy of the environment that has none.
    static func rules(
        for url: HTTPURL,
        mayLeaveOrigin: Bool,
        _ network: NetworkArguments,
        authorities: TLSOptions.Authorities? = nil,
        credential: URLCredential? = nil
    ) throws(UsageError) -> ProxyRules {
        let bypass = network.noProxy?.text ?? ""
        func proxy(_ scheme: HTTPURL.Scheme) throws(UsageError) -> ProxyOptions? {
            guard scheme == url.scheme || mayLeaveOrigin else { return nil }
            let choice = network.proxies.last { $0.scheme == .all || $0.scheme.rawValue == scheme.rawValue }
            guard let choice, !choice.url.isEmpty else { return nil }
            do throws(UsageError) {
                var proxy = try options(choice.url, bypass: bypass, authorities, network)
                if choice.variable != nil { proxy.credential = proxy.credential ?? credential }
                return proxy
            } catch {
                var shown = error
                // With an unescaped slash or colon, a part of the password is parsed as the host, the port or the path.
                if let end = choice.url.lastIndex(of: "@") {
                    let slashes = choice.url.firstRange(of: "://") ?? choice.url.firstRange(of: ":/")
                    let start = slashes?.upperBound ?? choice.url.startIndex
                    let url = choice.url[..<min(start, end)] + choice.url[choice.url.index(after: end)...]
                    shown = Self.error(of: String(url), network) ?? Self.userInfoError
                }
                shown.curlCode = error.ofProxy.curlCode
                guard let variable = choice.variable else { throw shown.naming("--proxy") }
                if isUnused(bypass: bypass, for: url, mayLeaveOrigin: mayLeaveOrigin) { return nil }
                throw UsageError(
                    "the variable \(known: variable): \(shown.statement)",
                    hint: "correct or unset the variable, or override it with --proxy"
                ).numbered(shown.curlCode ?? 5)
            }
        }
        func route(_ scheme: HTTPURL.Scheme) throws(UsageError) -> ProxyOptions? {
            if let found = try proxy(scheme) { return found }
            guard let first = network.precedingProxy else { return nil }
            // Without another proxy it is the only one, as in curl.
            do throws(UsageError) {
                var only = try options(first, bypass: bypass, authorities, network)
                only.precedingProxy = nil
                return only
            } catch {
                throw error.naming("--preproxy").ofProxy
            }
        }
        return ProxyRules(http: try route(.http), https: try route(.https))
    }

    private static let userInfoError = UsageError(
        "the user or the password of the URL is not valid",
        hint: "write special characters as percent escapes, such as %2F for a slash")

    /// Returns the error of a proxy's URL; `nil` for a valid one.
    private static func error(of url: String, _ network: NetworkArguments) -> UsageError? {
        do throws(UsageError) {
            _ = try options(url, bypass: "", nil, network)
            return nil
        } catch {
            return error
        }
    }

    /// Whether no request uses a proxy: the list bypasses it for the URL, and for those of redirects and pages.
    static func isUnused(bypass list: String, for url: HTTPURL, mayLeaveOrigin: Bool) -> Bool {
        guard mayLeaveOrigin else { return ProxyOptions(url: "", bypass: list).isBypassed(for: url) }
        return ProxyOptions.bypassEntries(of: list).contains { $0.text == "*" }
    }

    /// Returns the authorities of `--proxy-cacert`; `nil` if it was not typed.
    static func authorities(
        _ network: NetworkArguments, _ files: FileAccess, isDryRun: Bool
    ) throws -> TLSOptions.Authorities? {
        try network.proxyAuthorities.map { try .init(path: $0, option: "--proxy-cacert", files, isDryRun) }
    }

    /// Returns warnings about a proxy that is not verified, and about entries of `no_proxy` that match no host, if the
    /// list applies to a proxy.
    static func warnings(about rules: ProxyRules, _ network: NetworkArguments) -> [String] {
        guard rules != ProxyRules() else { return [] }
        let isOverTLS = [rules.http, rules.https].contains { $0?.url.hasPrefix("https://") == true }
        let trust = network.trustsAnyProxy && isOverTLS ? ["the proxy's certificate is not verified"] : []
        return trust + (network.noProxy?.warnings ?? [])
    }

    private static func options(
        _ text: String,
        bypass: String,
        _ authorities: TLSOptions.Authorities?,
        _ network: NetworkArguments
    ) throws(UsageError) -> ProxyOptions {
        // As in a URL, a port alone is this machine's.
        let address = text.hasPrefix(":") ? "localhost\(text)" : text
        let hasScheme = address.contains("://")
        if !hasScheme { try Address.checkForScheme(in: address[...]) }
        let full = hasScheme ? address : "http://\(address)"
        let typedScheme = full.prefix { $0 != ":" }
        let scheme = typedScheme.lowercased() == "socks" ? "socks4" : typedScheme.lowercased()
        guard scheme.isProxyScheme else {
            throw UsageError.unsupportedProxy(scheme)
                .hinting("use http, https, socks4, socks4a, socks5 or socks5h")
        }
        let url: HTTPURL
        do {
            // The rules for hosts, ports and user info are the same as for http.
            url = try HTTPURL(parsing: "http" + full.dropFirst(typedScheme.count))
        } catch {
            throw UsageError("\(error)")
        }
        // libcurl would take it for a Unix socket.
        guard Safety.requires("30-socks-path", !scheme.hasPrefix("socks") || url.target == "/") else {
            throw UsageError(
                "the URL of a SOCKS proxy has a path: '\(url.target)'", hint: "a Unix socket is not supported"
            ).numbered(2)
        }
        let authority = full.dropFirst(typedScheme.count + 3).prefix { $0 != "/" }
        let name = authority[(authority.lastIndex(ofAny: "@]") ?? authority.startIndex)...]
        let hasPort = name.halves(around: ":")?.after.isEmpty == false
        let port = hasPort ? url.port : scheme == "https" ? 443 : 1080
        let credential = url.user.map { URLCredential(user: $0, password: url.password ?? "") }
        var options = ProxyOptions(url: "\(scheme)://\(url.host):\(port)", credential: credential, bypass: bypass)
        if !network.proxyKinds.isEmpty {
            options.credentialKinds = network.proxyKinds.reduce(into: []) { $0.formUnion($1.kind) }
        }
        (options.tunnelsAll, options.isHTTP10) = (network.tunnelsAll, network.isProxyHTTP10)
        options.headerLines = network.proxyHeaders
        options.verifiesCertificate = !network.trustsAnyProxy
        (options.authorities, options.precedingProxy) = (authorities, network.precedingProxy)
        return options
    }
}

extension String {
    /// Whether the text is the scheme of a proxy, in lower case.
    var isProxyScheme: Bool { self == "http" || self == "https" || ProxySelection.socksSchemes.contains(self) }
}

extension UsageError {
    /// The error as one of a proxy's URL, for which curl has an exit number of its own.
    var ofProxy: UsageError { numbered(curlCode ?? 5) }

    /// Returns the error of a proxy's URL with this scheme.
    static func unsupportedProxy(_ scheme: String) -> UsageError {
        let error = UsageError("unsupported proxy scheme '\(scheme)'")
        // curl does not recognize other text as a scheme.
        let isScheme = scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme ? error.numbered(7) : error
    }
}
