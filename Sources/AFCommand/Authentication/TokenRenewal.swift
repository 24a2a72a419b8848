internal import AFCore
internal import AFHTTP
internal import AFSigning
internal import FoundationEssentials
internal import Synchronization

/// Applies the token to requests, and obtains a new one once if the server rejects the token of an earlier run.
///
/// A token obtained in this run is not renewed: the authorization server has just issued it.
final class TokenRenewal: RequestInterceptor {
    private let interceptor: AuthenticationInterceptor<OAuth2Authenticator>
    /// Whether a rejection leads to a retry.
    private let isPossible: Mutex<Bool>
    /// The printer's queue: a decision made there comes after the output of the previous attempt.
    private let queue: CallbackQueue
    private let origin: Origin
    private let trustsOtherOrigins: Bool

    /// Creates a renewal.
    ///
    /// - Parameter stored: The token of an earlier run.
    init(
        _ authenticator: OAuth2Authenticator,
        stored: OAuth2Token?,
        for request: RequestPlan,
        trustsOtherOrigins: Bool,
        on queue: CallbackQueue
    ) {
        self.queue = queue
        let token = stored ?? .missing()
        interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: token)
        // A body that can be read only once cannot be sent again.
        isPossible = Mutex(!token.requiresRefresh && request.body.isRepeatable)
        origin = request.url.origin
        self.trustsOtherOrigins = trustsOtherOrigins
    }

    /// Whether a retry with a new token replaces this response, so that its body is not shown.
    func replaces(_ response: HTTPURLResponse) -> Bool {
        // Only an origin that received the token can reject it.
        guard response.statusCode == 401,
            Safety.requires("02-tool-origin", response.origin == origin || trustsOtherOrigins)
        else { return false }
        return isPossible.withLock(\.self)
    }

    /// Fails a response that is replaced, so that the core retries.
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
