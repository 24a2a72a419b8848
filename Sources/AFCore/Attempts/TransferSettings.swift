internal import AFHTTP
internal import AFTransport

/// The session's settings that tasks need to create transfers.
///
/// An object created once per session: it is large, and every task refers to it.
final class TransferSettings: Sendable {
    let redirects: RedirectPolicy
    private let options: TransferOptions
    private let proxies: ProxyRules
    private let handlesCookies: Bool
    private let cachePolicy: URLRequest.CachePolicy
    private let authenticationKinds: AuthenticationOptions.Kinds
    private let trust: SessionTrust?
    private let credentialStorage: URLCredentialStorage?

    init(_ configuration: SessionConfiguration, serverTrustManager: ServerTrustManager? = nil) {
        trust = serverTrustManager.map(SessionTrust.init)
        credentialStorage = configuration.urlCredentialStorage
        redirects = configuration.redirects
        proxies = configuration.proxies
        handlesCookies = configuration.httpShouldSetCookies
        cachePolicy = configuration.requestCachePolicy
        authenticationKinds = configuration.authenticationKinds
        var options = TransferOptions()
        options.httpVersion = configuration.httpVersion
        options.timeouts = configuration.timeouts
        options.tls = configuration.tls
        options.network = configuration.network
        options.limits = configuration.limits
        options.decodesContent = configuration.decodesContent
        options.expectContinue = configuration.expectContinue
        options.removedHeaders = configuration.removedHeaders
        options.eventHandler = configuration.eventHandler
        self.options = options
    }

    /// The observer of transfer events.
    var eventHandler: TransferEventHandler? { options.eventHandler }

    /// Returns the request's policy, or the session's if it has none.
    func cachePolicy(for request: URLRequest) -> URLRequest.CachePolicy {
        request.cachePolicy == .useProtocolCachePolicy ? cachePolicy : request.cachePolicy
    }

    /// Returns the transfer of a hop.
    ///
    /// - Throws: `AFError` if the hop's host requires a trust evaluator and has none.
    func transfer(for hop: Hop) throws -> Transfer {
        Transfer(
            method: hop.request.method ?? .get,
            url: hop.url,
            headers: hop.headers,
            body: hop.body,
            options: try options(for: hop)
        )
    }

    /// Records the HSTS policy of a response, if it was received over verified TLS.
    func noteStrictTransport(_ response: HTTPURLResponse, of hop: Hop) {
        guard let store = hop.hstsStore, hop.url.scheme == .https, let tls = try? options(for: hop).tls,
            tls.verifiesChain, tls.verifiesHost
        else { return }
        store.note(response, from: hop.url)
    }

    /// Returns the object that stores the hop's accepted credential; `nil` if nothing is to be stored.
    func credentialMemory(for hop: Hop) -> CredentialMemory? {
        guard let credentialStorage, let login = login(for: hop) else { return nil }
        return CredentialMemory(login, of: hop, storage: credentialStorage)
    }

    private func options(for hop: Hop) throws -> TransferOptions {
        var options = options
        if let trust, hop.url.scheme == .https { try trust.apply(to: &options.tls, for: hop.url.host) }
        options.proxy = proxies.option(for: hop.url)
        if let timeout = hop.request.timeout { options.timeouts.idle = timeout }
        options.handlesCookies = handlesCookies && hop.request.httpShouldHandleCookies
        options.receiveBufferSize = hop.receiveBufferSize
        options.network.sharedReceiveRate = hop.sharedRate ?? options.network.sharedReceiveRate
        options.authentication = login(for: hop)
        if !hop.carriesCredentials { options.tls.clientCertificate = nil }
        return options
    }

    /// Returns the credentials for a hop. A credential stored for one scheme is used with that scheme only, so that a
    /// digest password is never sent in clear text.
    private func login(for hop: Hop) -> AuthenticationOptions? {
        guard hop.carriesCredentials, let credential = hop.credential else { return nil }
        var login = AuthenticationOptions(credential: credential, kinds: authenticationKinds)
        if let method = hop.protectionSpace?.authenticationMethod {
            login.kinds.formIntersection(method.kind)
            // The space may cover only a part of the server.
            login.waitsForChallenge = true
        }
        return login.kinds.isEmpty ? nil : login
    }
}
