public import AFHTTP
public import AFTransport
public import FoundationEssentials

/// The context of an adapter.
public struct RequestAdapterState: Sendable {
    /// The `id` of the request.
    public let requestID: UUID
    /// The session of the request.
    public let session: Session
    let makeBody: @Sendable () throws -> BodySource?

    /// Returns the body that an upload will send in addition to the request; `nil` for none.
    ///
    /// Its streams must not be read: the transfer does that.
    ///
    /// - Throws: Errors of creating the body.
    public func body() throws -> BodySource? { try makeBody() }
}

/// Changes requests before they are sent, once per attempt.
public protocol RequestAdapter: Sendable {
    /// Returns the changed request or an error through `completion`, once, on any thread.
    func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    )

    /// Adapts a request with its context; by default calls the other method.
    func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    )
}

extension RequestAdapter {
    /// Calls the method without context.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }
}

/// The decision of a retrier.
public enum RetryResult: Sendable {
    /// Retry immediately.
    case retry
    /// Retry after a number of seconds.
    case retryWithDelay(Double)
    /// Keep the failure; the next retrier is asked.
    case doNotRetry
    /// Replace the failure with this error; no other retrier is asked.
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

    /// Returns the final error of a failed request.
    func error(insteadOf error: AFError) -> AFError {
        guard case .doNotRetryWithError(let retryError) = self else { return error }
        return .requestRetryFailed(retryError: retryError, originalError: error)
    }

    /// The seconds to wait before the retry; `nil` for an immediate one.
    public var delay: Double? { if case .retryWithDelay(let delay) = self { delay } else { nil } }

    /// The error that replaces the failure.
    public var error: (any Error)? { if case .doNotRetryWithError(let error) = self { error } else { nil } }
}

/// Decides whether to retry a failed request.
public protocol RequestRetrier: Sendable {
    /// Returns the decision through `completion`, once, on any thread, at any time.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

/// An adapter and retrier; by default it changes nothing.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

extension RequestInterceptor {
    /// Returns the request unchanged.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Keeps the failure.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}

/// An adapter closure; it calls `completion` once, on any thread.
public typealias AdaptHandler =
    @Sendable (
        _ request: URLRequest, _ session: Session,
        _ completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) -> Void

/// A retrier closure; it calls `completion` once, on any thread.
public typealias RetryHandler =
    @Sendable (
        _ request: Request, _ session: Session, _ error: any Error,
        _ completion: @escaping @Sendable (_ result: RetryResult) -> Void
    ) -> Void
