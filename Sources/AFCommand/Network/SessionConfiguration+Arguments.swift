internal import AFCore
internal import AFHTTP

extension SessionConfiguration {
    /// Creates the settings for connections, redirects and trust.
    ///
    /// - Parameters:
    ///   - url: The URL of the first request.
    ///   - mayLeaveOrigin: Whether redirects, pages or upload resources of other origins are requested.
    ///   - login: The authentication.
    ///   - proxyAuthorities: The authorities trusted for a proxy over TLS; `nil` for those of the server.
    ///   - proxyCredential: The credential for a proxy of the environment that has none.
    /// - Throws: ``UsageError`` if libcurl lacks a feature, and for an invalid proxy.
    init(
        _ network: NetworkArguments,
        _ redirects: RedirectPolicy,
        url: HTTPURL,
        mayLeaveOrigin: Bool,
        login: AuthenticationPlan?,
        tls: TLSOptions,
        proxyAuthorities: TLSOptions.Authorities?,
        proxyCredential: URLCredential?,
        _ environment: Environment
    ) throws(UsageError) {
        self.init(headers: [])
        // Without explicit credentials none are sent, even if a redirect's URL has user info.
        authenticationKinds = login?.challengeCredential?.kind ?? []
        if let limit = environment.idleConnectionLimit { connections.idle = min(connections.idle, limit) }
        httpVersion = try network.version.checked()
        let idle = network.idleLimit
        // A shorter idle timeout also limits connecting.
        let connect = min(NetworkArguments.defaultConnectTimeout, idle ?? .infinity)
        timeouts = Timeouts(connect: network.connectTimeout.map(\.limit) ?? connect, idle: idle)
        self.redirects = redirects
        proxies = try ProxySelection.rules(
            for: url, mayLeaveOrigin: mayLeaveOrigin, network, authorities: proxyAuthorities,
            credential: proxyCredential)
        self.tls = tls
        self.network = try NetworkOptions(network, environment.files)
        messages = network.messages
        decodesContent = network.decodesContent
        limits.headLines = network.maximumHeaders.map { $0 == 0 ? nil : $0 } ?? 1000
        limits.headBytes = network.maximumHeadSize.map { $0.bytes == 0 ? nil : Int($0.bytes) } ?? 256 * 1024
        limits.interimResponses = network.maximumInterims.map { $0 == 0 ? nil : $0 } ?? 20
    }
}

extension HTTPVersion {
    /// Returns the version.
    ///
    /// - Throws: ``UsageError`` if libcurl does not support it.
    fileprivate func checked() throws(UsageError) -> HTTPVersion {
        let (isSupported, name, option): (Bool, String, String)
        switch self {
        case .automatic, .http1_0, .http1_1: return self
        case .http2: (isSupported, name, option) = (CurlFeatures.hasHTTP2, "HTTP/2", "--http2")
        case .http2PriorKnowledge:
            (isSupported, name, option) = (CurlFeatures.hasHTTP2, "HTTP/2", "--http2-prior-knowledge")
        case .http3: (isSupported, name, option) = (CurlFeatures.hasHTTP3, "HTTP/3", "--http3")
        }
        guard isSupported else {
            let library = "libcurl \(CurlFeatures.version)"
            throw UsageError("\(known: library) was built without \(known: name)", argument: option)
        }
        return self
    }
}

extension RedirectPolicy {
    /// Creates the policy.
    ///
    /// - Parameter isDownload: Whether `--download` was typed, which follows redirects without `--no-follow`.
    init(_ typed: RedirectArguments, isDownload: Bool) {
        self.init(
            isFollowing: typed.isFollowed || isDownload,
            limit: typed.maximum ?? 30,
            trustsOtherOrigins: typed.trustsOthers,
            allowsDowngrade: typed.allowsDowngrade,
            preservedMethods: typed.preservedMethods
        )
        scope = typed.scope
    }
}

extension NetworkOptions {
    fileprivate init(_ network: NetworkArguments, _ files: FileAccess) throws(UsageError) {
        self.init()
        unixSocketPath = try network.unixSocket.map { (path) throws(UsageError) in
            try ConnectionArgument.expandedSocket(path, by: files)
        }
        if let name = network.abstractSocket { (unixSocketPath, isSocketAbstract) = (name, true) }
        resolve = network.resolve
        connectTo = network.connectTo
        dohURL = network.resolver
        interface = network.interface
        localPorts = network.localPorts?.range
        addressFamily = network.addressFamily
        maximumReceiveRate = network.rateLimit?.bytes
        maximumSendRate = network.rateLimit?.bytes
    }
}
