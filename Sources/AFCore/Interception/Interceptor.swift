public import AFHTTP

/// An adapter from a closure.
public final class Adapter: RequestInterceptor {
    private let handler: AdaptHandler

    public init(_ adaptHandler: @escaping AdaptHandler) { handler = adaptHandler }

    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        handler(urlRequest, session, completion)
    }
}

/// A retrier from a closure.
public final class Retrier: RequestInterceptor {
    private let handler: RetryHandler

    public init(_ retryHandler: @escaping RetryHandler) { handler = retryHandler }

    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        handler(request, session, error, completion)
    }
}

/// Adapters and retriers, each asked in order.
///
/// Adapting ends at the first failure; retrying at the first answer but ``RetryResult/doNotRetry``.
public final class Interceptor: RequestInterceptor {
    /// In the order they are asked.
    public let adapters: [any RequestAdapter]
    /// In the order they are asked.
    public let retriers: [any RequestRetrier]

    public init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        adapters = [Adapter(adaptHandler)]
        retriers = [Retrier(retryHandler)]
    }

    public init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        adapters = [adapter]
        retriers = [retrier]
    }

    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, adapters, completion) { [weak session] adapter, urlRequest, completion in
            guard let session else { return completion(.failure(AFError.sessionDeinitialized)) }
            adapter.adapt(urlRequest, for: session, completion: completion)
        }
    }

    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        let (requestID, session) = (state.requestID, state.session)
        Self.adapt(urlRequest, adapters, completion) { [weak session] adapter, urlRequest, completion in
            guard let session else { return completion(.failure(AFError.sessionDeinitialized)) }
            let state = RequestAdapterState(requestID: requestID, session: session)
            adapter.adapt(urlRequest, using: state, completion: completion)
        }
    }

    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Self.retry(request, session, error, retriers, completion)
    }

    private typealias Completion = @Sendable (Result<URLRequest, any Error>) -> Void

    private static func adapt(
        _ urlRequest: URLRequest,
        _ adapters: [any RequestAdapter],
        _ completion: @escaping Completion,
        _ call: @escaping @Sendable (any RequestAdapter, URLRequest, @escaping Completion) -> Void
    ) {
        guard let first = adapters.first else { return completion(.success(urlRequest)) }
        // Not all of them: one that never answers must not keep itself.
        let rest = Array(adapters.dropFirst())
        call(first, urlRequest) { result in
            guard case .success(let adapted) = result else { return completion(result) }
            adapt(adapted, rest, completion, call)
        }
    }

    private static func retry(
        _ request: Request,
        _ session: Session,
        _ error: any Error,
        _ retriers: [any RequestRetrier],
        _ completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let first = retriers.first else { return completion(.doNotRetry) }
        // One that never answers must keep neither request nor session, nor itself.
        let rest = Array(retriers.dropFirst())
        first.retry(request, for: session, dueTo: error) { [weak request, weak session] result in
            guard case .doNotRetry = result, let request, let session else { return completion(result) }
            retry(request, session, error, rest, completion)
        }
    }
}
