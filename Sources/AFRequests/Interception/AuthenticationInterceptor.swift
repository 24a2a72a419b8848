public import AFHTTP
internal import Dispatch
internal import Synchronization

/// Applies a credential to every request, and refreshes it when it has expired: once for all requests that need it.
///
/// Requests wait while a credential is refreshed, and again if the new one requires a refresh, too. A request that a
/// server rejected waits for the new credential and is retried; one that was sent with an older credential is retried
/// immediately. If a refresh fails, all waiting requests fail with its error.
///
/// A rejection by an origin that did not receive the credential is ignored.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: OAuth(), credential: stored)
/// let session = Session(interceptor: interceptor)
/// ```
public final class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor {
    /// The type of credential.
    public typealias Credential = AuthenticatorType.Credential

    /// The limit on refreshes, as frequent refreshes indicate a mistake of client or server.
    public struct RefreshWindow: Hashable, Sendable {
        /// The number of seconds in which refreshes are counted.
        public let interval: Double
        /// The maximum number of refreshes within the interval; the next fails with
        /// ``AuthenticationError/excessiveRefresh``.
        public let maximumAttempts: Int

        /// Creates a window.
        ///
        /// - Parameter interval: The interval in seconds.
        public init(interval: Double = 30, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    private let authenticator: AuthenticatorType
    private let state: OrderedMutex<AuthenticationState<Credential>>
    /// The queue of refreshes and of waiting closures.
    private let queue = DispatchQueue(label: "org.afcli.authentication")

    /// Creates an interceptor.
    ///
    /// - Parameter refreshWindow: The limit on refreshes; `nil` allows any number, without end if every credential
    ///   requires one.
    public init(
        authenticator: AuthenticatorType,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.authenticator = authenticator
        let limit = refreshWindow.map { window in
            // A `Duration` cannot be infinite.
            let interval = Duration.seconds(min(max(0, window.interval), 1e9))
            return AuthenticationState<Credential>.Limit(interval: interval, attempts: window.maximumAttempts)
        }
        state = OrderedMutex(AuthenticationState(credential: credential, limit: limit))
    }

    /// The current credential.
    ///
    /// A credential that is set during a refresh replaces its result; `nil` removes the credential.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set {
            // Returned, so that the old credential is released outside the lock.
            _ = state.withLock { state in
                defer { state.credential = newValue }
                return state.credential
            }
        }
    }

    /// Applies the credential, after a refresh if it requires one.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        // The waiting closures must not retain this object, which stores them, nor the session.
        let authenticator = authenticator
        let apply: @Sendable (Result<Credential, any Error>) -> Void = { result in
            completion(
                result.map { credential in
                    var urlRequest = urlRequest
                    authenticator.apply(credential, to: &urlRequest)
                    return urlRequest
                }
            )
        }
        switch state.withLock({ $0.adapt(at: .now, apply) }) {
        case .apply(let credential): apply(.success(credential))
        case .fail(let error): apply(.failure(error))
        case .refresh(let action): queue.async { self.perform(action, for: session) }
        case .wait: break
        }
    }

    /// Retries a request that a server rejected, with a newer credential.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let (urlRequest, response) = request.respondedRequest,
            authenticator.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
        else { return completion(.doNotRetry) }
        let (current, version) = state.withLock { ($0.credential, $0.version) }
        guard let current else { return completion(.doNotRetryWithError(AuthenticationError.missingCredential)) }
        guard authenticator.isRequest(urlRequest, authenticatedWith: current) else { return completion(.retry) }
        switch state.withLock({ $0.retry(version, at: .now, completion) }) {
        case .finish(let result): completion(result)
        case .refresh(let action): queue.async { self.perform(action, for: session) }
        case .wait: break
        }
    }

    /// Runs on the queue.
    private func perform(_ action: AuthenticationState<Credential>.RefreshAction, for session: Session?) {
        switch action {
        case .release(let release): release()
        case .start(let credential, let number):
            guard let session else { return refreshed(number, .failure(AFError.sessionDeinitialized), for: nil) }
            authenticator.refresh(credential, for: session) { [weak self, weak session] result in
                self?.refreshed(number, result, for: session)
            }
        }
    }

    private func refreshed(_ number: Int, _ result: Result<Credential, any Error>, for session: Session?) {
        queue.async {
            let (_, action) = self.state.withLock { state in
                let old = state.credential
                return (old, state.refreshed(number, result, at: .now))
            }
            if let action { self.perform(action, for: session) }
        }
    }
}

extension Request {
    /// The latest request and the response from an origin that received its credentials; `nil` if there is no response,
    /// or if it is from another origin.
    fileprivate var respondedRequest: (URLRequest, HTTPURLResponse)? {
        guard let task = attemptTask, Safety.requires("02-authenticator-origin", task.carriesCredentials),
            let response = task.response
        else { return nil }
        return (task.originalRequest, response)
    }
}
