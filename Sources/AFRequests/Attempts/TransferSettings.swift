internal import AFHTTP
internal import AFTransport

/// The settings that all tasks of a session share.
final class TransferSettings: Sendable {
    let configuration: SessionConfiguration
    private let trust: SessionTrust?
    /// The options of hops without options of their own. Creating them for each hop takes 7,000 of the 220,000
    /// instructions of a small request.
    private let sessionOptions: SharedOptions

    init(_ configuration: SessionConfiguration, serverTrustManager: ServerTrustManager? = nil) {
        self.configuration = configuration
        trust = serverTrustManager.map(SessionTrust.init)
        sessionOptions = SharedOptions(configuration.options)
    }

    /// Returns the request's policy, or the session's if it has none.
    func cachePolicy(for request: URLRequest) -> URLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy
            ? configuration.requestCachePolicy : request.cachePolicy
    }

    /// Returns the transfer of a hop.
    ///
    /// - Throws: `AFError` if the hop's host requires a trust evaluator and has none.
    func transfer(for hop: Hop) throws -> Transfer {
        var transfer = Transfer(
            method: hop.request.method ?? .get,
            url: hop.url,
            headers: hop.headers,
            body: hop.body,
            sharedOptions: try sharedOptions(for: hop)
        )
        transfer.upgradeStream = hop.upgradeStream
        transfer.digestSession = hop.digestSession
        return transfer
    }

    private func sharedOptions(for hop: Hop) throws -> SharedOptions {
        usesSessionOptions(hop) ? sessionOptions : SharedOptions(try options(for: hop))
    }

    /// Whether the hop has no options of its own.
    private func usesSessionOptions(_ hop: Hop) -> Bool {
        (trust == nil || hop.url.scheme == .http) && configuration.proxies.proxy(for: hop.url.scheme) == nil
            && hop.request.timeout == nil && hop.request.httpShouldHandleCookies && hop.sharedRate == nil
            && hop.receiveBufferSize == configuration.receiveBufferSize && hop.credential == nil
            && hop.carriesCredentials && !usesHTTP10(hop)
    }

    private func usesHTTP10(_ hop: Hop) -> Bool { hop.followsHTTP10 && configuration.messages.keepsHTTP10 }

    /// Records the HSTS policy of a response, if it was received over verified TLS.
    func recordStrictTransport(_ response: HTTPURLResponse, of hop: Hop) {
        guard let store = hop.hstsStore, hop.url.scheme == .https, let tls = try? options(for: hop).tls,
            tls.verifiesChain, tls.verifiesHost
        else { return }
        store.record(response, from: hop.url)
    }

    /// Returns the object that stores the hop's accepted credential; `nil` if nothing is to be stored.
    func credentialRecorder(for hop: Hop) -> CredentialRecorder? {
        guard let storage = configuration.urlCredentialStorage, let login = login(for: hop) else { return nil }
        return CredentialRecorder(login, of: hop, storage: storage)
    }

    private func options(for hop: Hop) throws -> TransferOptions {
        var options = configuration.options
        if let trust, hop.url.scheme == .https { try trust.apply(to: &options.tls, for: hop.url.host) }
        options.proxy = configuration.proxies.proxy(for: hop.url.scheme)
        if let timeout = hop.request.timeout { options.timeouts.idle = timeout }
        options.handlesCookies = options.handlesCookies && hop.request.httpShouldHandleCookies
        options.receiveBufferSize = hop.receiveBufferSize
        if usesHTTP10(hop) { options.httpVersion = .http1_0 }
        options.network.sharedReceiveRate = hop.sharedRate ?? options.network.sharedReceiveRate
        options.authentication = login(for: hop)
        if Safety.refuses("01-client-certificate", !hop.carriesCredentials) { options.tls.clientCertificate = nil }
        return options
    }

    /// Returns the credentials for a hop. A credential stored for one scheme is used with that scheme only, so that a
    /// digest password is never sent in clear text.
    private func login(for hop: Hop) -> AuthenticationOptions? {
        guard Safety.requires("01-login", hop.carriesCredentials), let credential = hop.credential else { return nil }
        var login = AuthenticationOptions(credential: credential, kinds: configuration.authenticationKinds)
        // An upgrade is one request on its connection; other schemes need several.
        if hop.upgradeStream != nil { login.kinds.formIntersection(.basic) }
        if let method = hop.protectionSpace?.authenticationMethod {
            login.kinds.formIntersection(method.kind)
            // Other paths of the server may need no credential.
            login.waitsForChallenge = hop.upgradeStream == nil
        }
        return login.kinds.isEmpty ? nil : login
    }
}
