internal import AFCore
internal import AFHTTP

extension SessionConfiguration {
    /// What a command line asks of connections, trust and limits.
    ///
    /// - Throws: ``UsageError`` where libcurl lacks something, and for a proxy that is none.
    init(
        _ invocation: Invocation,
        url: HTTPURL,
        login: AuthenticationPlan?,
        tls: TLSOptions,
        _ environment: Environment
    ) throws(UsageError) {
        self.init(headers: [])
        // Whoever was not asked for a login gives none, wherever a URL names one.
        authenticationKinds = login?.answer?.kind ?? []
        if let limit = environment.idleConnectionLimit { connections.idle = min(connections.idle, limit) }
        let network = invocation.network
        httpVersion = try network.version.checked()
        let idle = (network.timeout ?? Seconds(60)).limit
        // Who has less patience than that with silence has no more with a connection that does not come about.
        timeouts = Timeouts(connect: network.connectTimeout.map(\.limit) ?? min(30, idle ?? 30), idle: idle)
        redirects = RedirectPolicy(invocation)
        proxies = try ProxySelection.rules(for: url, redirects, network, variables: environment.variables)
        self.tls = tls
        self.network = NetworkOptions(network)
        limits.headLines = network.maximumHeaders.map { $0 == 0 ? nil : $0 } ?? 1000
        limits.headBytes = network.maximumHeadSize.map { $0.bytes == 0 ? nil : Int($0.bytes) } ?? 256 * 1024
        limits.interimResponses = network.maximumInterims.map { $0 == 0 ? nil : $0 } ?? 20
        limits.bodyBytes = invocation.validation.maximumFileSize?.bytes
        expectContinue = invocation.request.expectContinue ?? .automatic
    }
}

extension SessionConfiguration {
    /// For the requests that get a token; `nil` where none are made.
    init?(
        forTokensOf login: AuthenticationPlan?,
        of url: HTTPURL,
        _ invocation: Invocation,
        tls: TLSOptions,
        _ environment: Environment
    ) throws(UsageError) {
        guard case .oauth2(let client, _) = login else { return nil }
        try self.init(invocation, url: client.tokenURL, login: nil, tls: tls, environment)
        guard client.tokenURL.origin != url.origin else { return }
        // What was typed for one server is nothing to another.
        network.unixSocketPath = nil
        self.tls.clientCertificate = nil
        self.tls.pinnedPublicKey = nil
    }
}

extension HTTPVersion {
    /// - Throws: ``UsageError`` where libcurl was built without the version.
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
    fileprivate init(_ invocation: Invocation) {
        let typed = invocation.redirects
        self.init(
            isFollowing: typed.isFollowed || invocation.download.isDownload,
            limit: typed.maximum ?? 30,
            trustsOtherOrigins: typed.trustsOthers,
            allowsDowngrade: typed.allowsDowngrade
        )
        if typed.keepsPostAfter.movedPermanently { keptMethods.insert(.movedPermanently) }
        if typed.keepsPostAfter.found { keptMethods.insert(.found) }
        if typed.keepsPostAfter.seeOther { keptMethods.insert(.seeOther) }
    }
}

extension NetworkOptions {
    fileprivate init(_ network: Invocation.Network) {
        self.init()
        unixSocketPath = network.unixSocket?.text
        resolve = network.resolve.map(\.text)
        connectTo = network.connectTo.map(\.text)
        dohURL = network.resolver?.text
        interface = network.interface?.text
        addressFamily = network.addressFamily
        maximumReceiveRate = network.rateLimit?.bytes
        maximumSendRate = network.rateLimit?.bytes
    }
}

extension Seconds {
    /// The seconds as a limit: zero lifts it.
    var limit: Double? { value > 0 ? value : nil }
}
