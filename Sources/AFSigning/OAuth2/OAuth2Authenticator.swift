public import AFCore
public import AFHTTP
internal import Dispatch
internal import FoundationEssentials

/// Obtains bearer tokens from an authorization server, with the client credentials or a refresh token (RFC 6749 §4.4
/// and §6).
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
/// user.
public final class OAuth2Authenticator: Authenticator {
    /// The credential of requests.
    public typealias Credential = OAuth2Token

    private let client: OAuth2Client
    private let refreshToken: String?
    private let session: Session
    private let store: (any OAuth2TokenStore)?

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - refreshToken: A refresh token for a new authentication, used if the credential has none or an invalid one.
    ///   - configuration: The configuration for requests to the token endpoint. They follow no redirect, store no
    /// cookies and send no credentials but the client's, regardless of its settings.
    ///   - store: A store that may have a newer token, and that receives each new one.
    public init(
        _ client: OAuth2Client,
        refreshToken: String? = nil,
        configuration: SessionConfiguration = .default,
        store: (any OAuth2TokenStore)? = nil
    ) {
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
        let grants = grants(keeping: stored?.refreshToken ?? credential.refreshToken)
        ask(with: grants[...]) { result in
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

    /// Returns the refresh tokens to try, in order of preference; `nil` means the client's own credentials.
    private func grants(keeping kept: String?) -> [String?] {
        guard let refreshToken else { return kept.map { client.secret == nil ? [$0] : [$0, nil] } ?? [nil] }
        guard let kept, kept != refreshToken else { return [refreshToken] }
        return [kept, refreshToken]
    }

    /// Continues with the next grant if the server rejects one.
    private func ask(
        with grants: ArraySlice<String?>,
        completion: @escaping @Sendable (Result<OAuth2Token, OAuth2Error>) -> Void
    ) {
        let others = grants.dropFirst()
        ask(with: grants.first ?? nil) { [self] result in
            if case .failure(.refused(code: "invalid_grant", _)) = result, !others.isEmpty {
                return ask(with: others, completion: completion)
            }
            completion(result)
        }
    }

    private func ask(
        with refreshToken: String?,
        completion: @escaping @Sendable (Result<OAuth2Token, OAuth2Error>) -> Void
    ) {
        let now = Date()
        // The closure retains the session until the response is received.
        session.request(client.request(refreshToken: refreshToken)).response(queue: .global()) { [self] answer in
            let result = Result { () throws(OAuth2Error) in
                guard let response = answer.response else {
                    throw .unanswered(answer.error ?? AFError.sessionDeinitialized)
                }
                let token = try OAuth2Answer.token(response, answer.data, keeping: refreshToken, at: now)
                store?.keep(token)
                return token
            }
            completion(result)
        }
    }
}
