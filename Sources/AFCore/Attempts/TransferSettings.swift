internal import AFHTTP
internal import AFTransport

/// What a task needs to know of its session to turn hops into transfers.
///
/// An object, made once for a session: it is large, and every task holds it.
final class TransferSettings: Sendable {
    let redirects: RedirectPolicy
    private let options: TransferOptions
    private let proxies: ProxyRules
    private let handlesCookies: Bool
    private let authenticationKinds: AuthenticationOptions.Kinds
    private let trust: SessionTrust?
    private let credentialStorage: URLCredentialStorage?

    init(_ configuration: SessionConfiguration, serverTrustManager: ServerTrustManager? = nil) {
        trust = serverTrustManager.map(SessionTrust.init)
        credentialStorage = configuration.urlCredentialStorage
        redirects = configuration.redirects
        proxies = configuration.proxies
        handlesCookies = configuration.httpShouldSetCookies
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

    /// Who is told of what passes.
    var eventHandler: TransferEventHandler? { options.eventHandler }

    /// - Throws: `AFError` where the hop's host is one that must have an evaluator and has none.
    func transfer(for hop: Hop) throws -> Transfer {
        Transfer(
            method: hop.request.method ?? .get,
            url: hop.url,
            headers: hop.headers,
            body: hop.body,
            options: try options(for: hop)
        )
    }

    /// Learns from a response whether its host wants TLS, unless anybody could have written it.
    func noteStrictTransport(_ response: HTTPURLResponse, of hop: Hop) {
        guard let store = hop.hstsStore, hop.url.scheme == .https, let tls = try? options(for: hop).tls,
            tls.verifiesChain, tls.verifiesHost
        else { return }
        store.note(response, from: hop.url)
    }

    /// What keeps the hop's credential once it was good; `nil` where nothing is to be kept.
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

    /// A credential that was kept for one method proves itself by no other: what was a digest is never shown in clear.
    private func login(for hop: Hop) -> AuthenticationOptions? {
        guard hop.carriesCredentials, let credential = hop.credential else { return nil }
        var login = AuthenticationOptions(credential: credential, kinds: authenticationKinds)
        if let method = hop.protectionSpace?.authenticationMethod {
            login.kinds.formIntersection(method.kind)
            // Not all of the server may lie in the space.
            login.waitsForChallenge = true
        }
        return login.kinds.isEmpty ? nil : login
    }
}
