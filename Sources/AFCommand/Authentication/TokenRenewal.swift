internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Puts the token on requests, and gets a new one, once, where the server refuses the one that an earlier run has left.
///
/// A token that this run has got is not asked for again: the server has just said what it thinks of it.
final class TokenRenewal: RequestInterceptor {
    private let interceptor: AuthenticationInterceptor<OAuth2Authenticator>
    /// Whether a refusal leads to another attempt.
    private let isPossible: Mutex<Bool>
    /// The printer's: what came before another attempt has been seen to once that is decided there.
    private let queue: CallbackQueue
    private let origin: Origin
    private let trustsOtherOrigins: Bool

    /// - Parameter stored: What an earlier run has left.
    init(
        _ authenticator: OAuth2Authenticator,
        stored: OAuth2Token?,
        for request: PlannedRequest,
        trustsOtherOrigins: Bool,
        on queue: CallbackQueue
    ) {
        self.queue = queue
        let token = stored ?? .missing()
        interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: token)
        // What can be read only once cannot be sent again.
        isPossible = Mutex(!token.requiresRefresh && !request.plan.body.isStreamed)
        origin = request.url.origin
        self.trustsOtherOrigins = trustsOtherOrigins
    }

    /// Whether another attempt with a new token replaces this response, so that its body is not the answer.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        // Where the token did not go, nobody has refused it.
        guard response.statusCode == 401, response.origin == origin || trustsOtherOrigins else { return false }
        return isPossible.withLock(\.self)
    }

    /// Fails the answer that is to be replaced, so that the core tries again.
    func validate(_ response: HTTPURLResponse) -> Result<Void, any Error> {
        guard replaces(response) else { return .success(()) }
        return .failure(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 401)))
    }

    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        interceptor.adapt(urlRequest, for: session, completion: completion)
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let response = request.response, error.asAFError?.responseCode == 401, replaces(response) else {
            return completion(.doNotRetry)
        }
        queue.async { [self] in
            isPossible.withLock { $0 = false }
            interceptor.retry(request, for: session, dueTo: error, completion: completion)
        }
    }
}

extension HTTPURLResponse {
    fileprivate var origin: Origin? { url.flatMap { try? HTTPURL(parsing: $0.absoluteString) }?.origin }
}
