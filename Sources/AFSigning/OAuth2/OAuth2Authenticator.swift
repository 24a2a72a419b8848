public import AFCore
public import AFHTTP
internal import Dispatch
internal import FoundationEssentials

/// Obtains bearer tokens from an authorization server, with the client credentials or a refresh token (RFC 6749 §4.4
/// and §6), or with the authorization of a person on another device (RFC 8628) or in a browser (RFC 6749 §4.1, with the
/// proof key of RFC 7636 and a redirect to this machine as in RFC 8252).
///
/// An ``AFCore/AuthenticationInterceptor`` calls it once for all waiting requests.
///
/// ```swift
/// let client = OAuth2Client(tokenURL: tokenURL, id: "reports", secret: secret, scope: "orders.read")
/// let authenticator = OAuth2Authenticator(client)
/// let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: .missing())
/// let session = Session(interceptor: interceptor)
/// ```
///
/// A refresh token is tried first: that of the credential, then that of the initializer. If the server rejects it, a
/// client with a secret uses its own credentials, unless the initializer had a refresh token, which may be of another
/// user. A client with user authorization asks the user again.
public final class OAuth2Authenticator: Authenticator {
    /// The credential of requests.
    public typealias Credential = OAuth2Token

    private let client: OAuth2Client
    private let refreshToken: String?
    private let session: Session
    private let store: (any OAuth2TokenStore)?
    private let showLogin: @Sendable (OAuth2Login) -> Void
    /// The maximum time for a login in a browser, in seconds.
    private static let browserLifetime = 600.0

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - refreshToken: A refresh token for a new authentication, used if the credential has none or an invalid one.
    ///   - configuration: The configuration for requests to the token endpoint. They follow no redirect, store no
    /// cookies and send no credentials but the client's, regardless of its settings.
    ///   - store: A store that may have a newer token, and that receives each new one.
    ///   - showLogin: Shows the login that a person must perform, for a client with a device authorization endpoint or
    /// an authorization endpoint. May be called on any thread.
    public init(
        _ client: OAuth2Client,
        refreshToken: String? = nil,
        configuration: SessionConfiguration = .default,
        store: (any OAuth2TokenStore)? = nil,
        showLogin: @escaping @Sendable (OAuth2Login) -> Void = { _ in }
    ) {
        self.showLogin = showLogin
        self.client = client
        self.refreshToken = refreshToken
        self.store = store
        var configuration = configuration
        configuration.redirects.isFollowing = false
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.removedHeaders = []
        configuration.eventHandler = nil
        configuration.limits.bodyBytes = 1 << 20
        session = Session(configuration: configuration, eventMonitors: [])
    }

    /// Sets `Authorization` to the bearer token (RFC 6750 §2.1).
    public func apply(_ credential: OAuth2Token, to urlRequest: inout URLRequest) {
        urlRequest.headers.update(.authorization(bearerToken: credential.accessToken))
    }

    /// Uses the store's token if it differs and is valid; otherwise requests a new one and stores it.
    ///
    /// The store's ``OAuth2TokenStore/reserve()`` may block the calling thread. Failures are ``OAuth2Error``.
    public func refresh(
        _ credential: OAuth2Token,
        for session: Session,
        completion: @escaping @Sendable (Result<OAuth2Token, any Error>) -> Void
    ) {
        let reservation = store?.reserve()
        let stored = store?.token()
        if let stored, stored.accessToken != credential.accessToken, !stored.requiresRefresh {
            return completion(.success(stored))
        }
        // The stored token may have a newer refresh token, which invalidated the old one.
        let attempts = attempts(keeping: stored?.refreshToken ?? credential.refreshToken)
        obtain(by: attempts[...]) { result in
            withExtendedLifetime(reservation) { completion(result.mapError { $0 }) }
        }
    }

    /// Whether the status is 401.
    public func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    /// Whether the request's `Authorization` is this token.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuth2Token) -> Bool {
        let authorization = HTTPHeader.authorization(bearerToken: credential.accessToken)
        return urlRequest.headers.value(for: authorization.name) == authorization.value
    }

    /// A method of obtaining a token.
    private enum Attempt {
        case grant(OAuth2Client.Grant)
        /// A person authorizes the client.
        case person
    }

    /// Returns the attempts in order of preference.
    private func attempts(keeping storedToken: String?) -> [Attempt] {
        let tokens = [storedToken, refreshToken].compactMap(\.self).map { Attempt.grant(.refreshToken($0)) }
        let refreshing = storedToken == refreshToken ? Array(tokens.prefix(1)) : tokens
        if client.requiresUser { return refreshing + [.person] }
        // A typed refresh token may be of another user.
        let isOwn = refreshToken == nil && (storedToken == nil || client.secret != nil)
        return refreshing + (isOwn ? [.grant(.clientCredentials)] : [])
    }

    private typealias Completion = @Sendable (Result<OAuth2Token, OAuth2Error>) -> Void

    /// Continues with the next attempt if the server rejects one.
    private func obtain(by attempts: ArraySlice<Attempt>, completion: @escaping Completion) {
        let others = attempts.dropFirst()
        let next: Completion = { [self] result in
            if case .failure(.refused(code: "invalid_grant", _)) = result, !others.isEmpty {
                return obtain(by: others, completion: completion)
            }
            completion(result)
        }
        switch attempts.first {
        case .grant(let grant): exchange(grant, completion: next)
        case .person where client.deviceAuthorizationURL == nil: authorizeInBrowser(completion: next)
        case .person, nil: authorizeOnDevice(completion: next)
        }
    }

    private func exchange(_ grant: OAuth2Client.Grant, completion: @escaping Completion) {
        let now = Date()
        let storedToken: String? = if case .refreshToken(let token) = grant { token } else { nil }
        // The closure retains the session until the response is received.
        session.request(client.request(grant)).response(queue: .global()) { [self] dataResponse in
            let result = Result { () throws(OAuth2Error) in
                guard let response = dataResponse.response else {
                    throw .noResponse(dataResponse.error ?? AFError.sessionDeinitialized, from: client.tokenURL)
                }
                let token = try OAuth2TokenResponse.token(response, dataResponse.data, keeping: storedToken, at: now)
                store?.store(token)
                return token
            }
            completion(result)
        }
    }

    /// Asks a person for the authorization in a browser on this machine.
    private func authorizeInBrowser(completion: @escaping Completion) {
        let typed = client.redirectURL
        // On a thread of its own: this one waits for a person, for up to ten minutes, and the threads of the global queues
        // are as many as processors.
        DispatchQueue(label: "org.afcli.oauth2.browser").async { [self] in
            do throws(OAuth2Error) {
                // Without a port, the address has the default one: the server accepts any port of this machine.
                let port = typed.flatMap { $0.port == $0.scheme.defaultPort ? nil : UInt16(exactly: $0.port) }
                let listener = try RedirectListener(port: port ?? 0)
                let origin = "http://\(typed?.host ?? "127.0.0.1"):\(listener.port)"
                let path = typed?.path ?? "/"
                let login = OAuth2BrowserLogin(redirectURI: origin + path)
                guard let url = client.browserURL(login) else { throw .noLogin }
                showLogin(.browser(url: url, lifetime: Self.browserLifetime))
                let code = try listener.receive(login, path: path, until: .now + .seconds(Self.browserLifetime))
                exchange(.authorizationCode(code, login), completion: completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// Asks a person for the authorization on another device.
    private func authorizeOnDevice(completion: @escaping Completion) {
        guard let request = client.deviceRequest(), let url = client.deviceAuthorizationURL else {
            return completion(.failure(.noToken(status: 0, reason: nil)))
        }
        session.request(request).response(queue: .global()) { [self] dataResponse in
            let result = Result { () throws(OAuth2Error) in
                guard let response = dataResponse.response else {
                    throw .noResponse(dataResponse.error ?? AFError.sessionDeinitialized, from: url)
                }
                return try OAuth2TokenResponse.deviceCode(response, dataResponse.data)
            }
            switch result {
            case .failure(let error): completion(.failure(error))
            case .success(let code):
                showLogin(.device(code))
                poll(code, after: code.interval, until: .now() + code.lifetime, completion: completion)
            }
        }
    }

    /// Requests the token until the person has decided (RFC 8628 §3.5).
    private func poll(
        _ code: OAuth2DeviceCode,
        after interval: Double,
        until end: DispatchTime,
        completion: @escaping Completion
    ) {
        guard .now() + interval < end else {
            return completion(.failure(.refused(code: "expired_token", description: nil)))
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + interval) { [self] in
            exchange(.deviceCode(code.deviceCode)) { [self] result in
                switch result {
                case .failure(.refused(code: "authorization_pending", _)):
                    poll(code, after: interval, until: end, completion: completion)
                case .failure(.refused(code: "slow_down", _)):
                    poll(code, after: interval + 5, until: end, completion: completion)
                // One lost response must not waste the code. Each doubles the interval (RFC 8628 §3.5).
                case .failure(let error) where error.isTransient:
                    poll(code, after: interval * 2, until: end, completion: completion)
                default: completion(result)
                }
            }
        }
    }
}
