public import AFHTTP
public import AFTransport
public import FoundationEssentials

/// What an adapter may want to know of the request it adapts.
public struct RequestAdapterState: Sendable {
    /// The `id` of the request.
    public let requestID: UUID
    /// The session that makes the request.
    public let session: Session
    let makeBody: @Sendable () throws -> BodySource?

    /// The body that an upload will send besides what is in the request; `nil` for none.
    ///
    /// What it holds of streams must not be read: that is the transfer's to do.
    ///
    /// - Throws: What making the body throws.
    public func body() throws -> BodySource? { try makeBody() }
}

/// Changes requests on their way out, once per attempt.
public protocol RequestAdapter: Sendable {
    /// Gives the changed request, or why it must not be sent; once, on any thread.
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    )

    /// The form that is called; by default it calls the other one.
    func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    )
}

extension RequestAdapter {
    /// Calls the form that gets the session alone.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }
}

/// What a retrier makes of a failure.
public enum RetryResult: Sendable {
    /// At once.
    case retry
    /// After so many seconds.
    case retryWithDelay(Double)
    /// The failure stands; the next retrier is asked.
    case doNotRetry
    /// The failure becomes this one, and nobody else is asked.
    case doNotRetryWithError(any Error)
}

extension RetryResult {
    /// Whether there is another attempt.
    public var retryRequired: Bool {
        switch self {
        case .retry, .retryWithDelay: true
        case .doNotRetry, .doNotRetryWithError: false
        }
    }

    /// The error that a failure ends as.
    func error(insteadOf error: AFError) -> AFError {
        guard case .doNotRetryWithError(let retryError) = self else { return error }
        return .requestRetryFailed(retryError: retryError, originalError: error)
    }

    /// The seconds to wait before the other attempt, where it has to wait.
    public var delay: Double? { if case .retryWithDelay(let delay) = self { delay } else { nil } }

    /// The error that takes the place of the failure.
    public var error: (any Error)? { if case .doNotRetryWithError(let error) = self { error } else { nil } }
}

/// Decides whether a failed request is tried again.
public protocol RequestRetrier: Sendable {
    /// Gives the decision; once, on any thread, and as late as it wants.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

/// Both: what it does not implement changes nothing.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// Leaves the request as it is.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Lets the failure stand.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}

/// An adapter as a closure; it calls `completion` once, on any thread.
public typealias AdaptHandler =
    @Sendable (
        _ request: URLRequest, _ session: Session,
        _ completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) -> Void

/// A retrier as a closure; it calls `completion` once, on any thread.
public typealias RetryHandler =
    @Sendable (
        _ request: Request, _ session: Session, _ error: any Error,
        _ completion: @escaping @Sendable (_ result: RetryResult) -> Void
    ) -> Void
