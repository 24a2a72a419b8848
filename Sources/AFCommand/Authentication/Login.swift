internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// The interceptor, redirect handler and token renewal of a login.
struct Login: Sendable {
    /// Puts the login on requests; `nil` where the plan's headers and the transport see to it.
    let interceptor: (any RequestInterceptor)?
    /// `nil` where redirects need nothing.
    let redirectHandler: (any RedirectHandler)?
    /// `nil` where a refusal is final.
    let renewal: TokenRenewal?
    private let signer: AWSSigner?

    /// - Parameters:
    ///   - tokenSession: For requests to a token endpoint.
    ///   - trustsOtherOrigins: Whether redirects take the login to other origins.
    ///   - queue: The printer's.
    ///   - tokens: What an earlier run has left, and what this one leaves.
    init(
        _ plan: AuthenticationPlan?,
        for request: PlannedRequest,
        tokenSession: SessionConfiguration?,
        trustsOtherOrigins: Bool,
        on queue: CallbackQueue,
        tokens: any OAuth2TokenStore
    ) {
        switch plan {
        case .amazon(let credentials, let endpoint):
            let signer = AWSSigner(credentials, for: endpoint)
            (interceptor, redirectHandler, renewal, self.signer) = (signer, signer, nil, signer)
        case .oauth2(let client, let refreshToken):
            let authenticator = OAuth2Authenticator(
                client,
                // A stored one goes before it, as servers replace refresh tokens by newer ones.
                refreshToken: refreshToken,
                configuration: tokenSession ?? .default,
                store: tokens
            )
            let renewal = TokenRenewal(
                authenticator,
                stored: tokens.token(),
                for: request,
                trustsOtherOrigins: trustsOtherOrigins,
                on: queue
            )
            (interceptor, redirectHandler, self.renewal, signer) = (renewal, nil, renewal, nil)
        case .basic, .bearer, .digest, .negotiate, .ntlm, nil:
            (interceptor, redirectHandler, renewal, signer) = (nil, nil, nil, nil)
        }
    }

    /// Does to a request that is only shown what would be done to one that is sent, as far as that needs no network.
    func complete(_ request: inout URLRequest, body: BodySource?) throws { try signer?.sign(&request, body: body) }
}

/// A token for as long as the program runs.
final class TokenMemory: OAuth2TokenStore {
    private let kept: Mutex<OAuth2Token?>

    init(_ token: OAuth2Token? = nil) { kept = Mutex(token) }

    func token() -> OAuth2Token? { kept.withLock(\.self) }
    func keep(_ token: OAuth2Token) { kept.withLock { $0 = token } }
}
