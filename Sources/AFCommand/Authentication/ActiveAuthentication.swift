internal import AFCore
internal import AFHTTP
internal import AFSigning
internal import FoundationEssentials
internal import Synchronization

/// The interceptor, redirect handler and token renewal for an authentication.
struct ActiveAuthentication: Sendable {
    /// The interceptor that authenticates requests; `nil` if header fields or the transport authenticate them.
    let interceptor: (any RequestInterceptor)?
    /// The redirect handler; `nil` if none is needed.
    let redirectHandler: (any RedirectHandler)?
    /// The token renewal; `nil` if a rejection is final.
    let renewal: TokenRenewal?
    private let signer: AWSSigner?

    /// Creates the parts for a plan.
    ///
    /// - Parameters:
    ///   - tokenSession: The configuration for requests to a token endpoint.
    ///   - trustsOtherOrigins: Whether credentials are sent to other origins after redirects.
    ///   - queue: The printer's queue.
    ///   - tokens: The persistent tokens.
    ///   - showLogin: Shows the login that the user must perform.
    init(
        _ plan: AuthenticationPlan?,
        for request: RequestPlan,
        tokenSession: SessionConfiguration?,
        trustsOtherOrigins: Bool,
        on queue: CallbackQueue,
        tokens: any OAuth2TokenStore,
        showLogin: @escaping @Sendable (OAuth2Login) -> Void
    ) {
        switch plan {
        case .aws(let credentials, let endpoint):
            let signer = AWSSigner(credentials, for: endpoint)
            (interceptor, redirectHandler, renewal, self.signer) = (signer, signer, nil, signer)
        case .oauth2(let client, let refreshToken):
            let authenticator = OAuth2Authenticator(
                client,
                // A stored refresh token takes precedence, as the server may have replaced this one.
                refreshToken: refreshToken,
                configuration: tokenSession ?? .default,
                store: tokens,
                showLogin: showLogin
            )
            let renewal = TokenRenewal(
                authenticator,
                stored: tokens.token(),
                for: request,
                trustsOtherOrigins: trustsOtherOrigins,
                on: queue
            )
            (interceptor, redirectHandler, self.renewal, signer) = (renewal, nil, renewal, nil)
        case .password, .bearer, nil:
            (interceptor, redirectHandler, renewal, signer) = (nil, nil, nil, nil)
        }
    }

    /// Signs a request that is only displayed, as far as that needs no network.
    func complete(_ request: inout URLRequest, body: BodySource?) throws { try signer?.sign(&request, body: body) }
}

/// A token store for the duration of the process.
final class TokenMemory: OAuth2TokenStore {
    private let stored: Mutex<OAuth2Token?>

    init(_ token: OAuth2Token? = nil) { stored = Mutex(token) }

    func token() -> OAuth2Token? { stored.withLock(\.self) }
    func store(_ token: OAuth2Token) { stored.withLock { $0 = token } }
}
