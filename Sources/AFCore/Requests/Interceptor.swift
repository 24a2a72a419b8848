public import AFHTTP

/// An adapter from a closure.
///
/// `@unchecked` because it may be subclassed; its one property is immutable.
open class Adapter: RequestInterceptor, @unchecked Sendable {
    private let handler: AdaptHandler

    /// An adapter that does what the closure does.
    public init(_ adaptHandler: @escaping AdaptHandler) { handler = adaptHandler }

    open func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        handler(urlRequest, session, completion)
    }

    open func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }
}

/// A retrier from a closure.
///
/// `@unchecked` because it may be subclassed; its one property is immutable.
open class Retrier: RequestInterceptor, @unchecked Sendable {
    private let handler: RetryHandler

    /// A retrier that decides as the closure does.
    public init(_ retryHandler: @escaping RetryHandler) { handler = retryHandler }

    open func retry(
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
///
/// `@unchecked` because it may be subclassed; its properties are immutable.
open class Interceptor: RequestInterceptor, @unchecked Sendable {
    /// In the order they are asked.
    public let adapters: [any RequestAdapter]
    /// In the order they are asked.
    public let retriers: [any RequestRetrier]

    /// One adapter and one retrier from closures.
    public init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        adapters = [Adapter(adaptHandler)]
        retriers = [Retrier(retryHandler)]
    }

    /// One adapter and one retrier.
    public init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        adapters = [adapter]
        retriers = [retrier]
    }

    /// Several of each; interceptors are asked after both kinds.
    public init(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    open func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        Self.adapt(urlRequest, adapters, completion) { [weak session] adapter, urlRequest, completion in
            guard let session else { return completion(.failure(AFError.sessionDeinitialized)) }
            adapter.adapt(urlRequest, for: session, completion: completion)
        }
    }

    open func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        let (requestID, session, makeBody) = (state.requestID, state.session, state.makeBody)
        Self.adapt(urlRequest, adapters, completion) { [weak session] adapter, urlRequest, completion in
            guard let session else { return completion(.failure(AFError.sessionDeinitialized)) }
            let state = RequestAdapterState(requestID: requestID, session: session, makeBody: makeBody)
            adapter.adapt(urlRequest, using: state, completion: completion)
        }
    }

    open func retry(
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

extension RequestAdapter where Self == Adapter {
    /// An adapter from a closure.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter { Adapter(closure) }
}

extension RequestRetrier where Self == Retrier {
    /// A retrier from a closure.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier { Retrier(closure) }
}

extension RequestInterceptor where Self == Interceptor {
    /// One adapter and one retrier from closures.
    public static func interceptor(
        adapter: @escaping AdaptHandler,
        retrier: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adapter, retryHandler: retrier)
    }

    /// One adapter and one retrier.
    public static func interceptor(adapter: any RequestAdapter, retrier: any RequestRetrier) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// Several of each; interceptors are asked after both kinds.
    public static func interceptor(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
