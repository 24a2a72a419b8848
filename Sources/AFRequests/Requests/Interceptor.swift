public import AFHTTP

/// An adapter implemented by a closure.
///
/// `@unchecked` because it may be subclassed; its property is immutable.
open class Adapter: RequestInterceptor, @unchecked Sendable {
    private let handler: AdaptHandler

    /// Creates an adapter.
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

/// A retrier implemented by a closure.
///
/// `@unchecked` because it may be subclassed; its property is immutable.
open class Retrier: RequestInterceptor, @unchecked Sendable {
    private let handler: RetryHandler

    /// Creates a retrier.
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

/// Adapters and retriers that are asked in order.
///
/// Adapting ends at the first failure; retrying at the first decision other than ``RetryResult/doNotRetry``.
///
/// `@unchecked` because it may be subclassed; its properties are immutable.
open class Interceptor: RequestInterceptor, @unchecked Sendable {
    /// The adapters, in order.
    public let adapters: [any RequestAdapter]
    /// The retriers, in order.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor from an adapter closure and a retrier closure.
    public init(adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler) {
        adapters = [Adapter(adaptHandler)]
        retriers = [Retrier(retryHandler)]
    }

    /// Creates an interceptor from an adapter and a retrier.
    public init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        adapters = [adapter]
        retriers = [retrier]
    }

    /// Creates an interceptor from several; interceptors come after adapters and retriers.
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
        // Only the remaining ones: an adapter that never calls back must not retain itself.
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
        // One that never calls back must retain neither the request nor the session nor itself.
        let rest = Array(retriers.dropFirst())
        first.retry(request, for: session, dueTo: error) { [weak request, weak session] result in
            guard case .doNotRetry = result, let request, let session else { return completion(result) }
            retry(request, session, error, rest, completion)
        }
    }
}

extension RequestAdapter where Self == Adapter {
    /// Returns an adapter implemented by a closure.
    public static func adapter(using closure: @escaping AdaptHandler) -> Adapter { Adapter(closure) }
}

extension RequestRetrier where Self == Retrier {
    /// Returns a retrier implemented by a closure.
    public static func retrier(using closure: @escaping RetryHandler) -> Retrier { Retrier(closure) }
}

extension RequestInterceptor where Self == Interceptor {
    /// Returns an interceptor from an adapter closure and a retrier closure.
    public static func interceptor(
        adapter: @escaping AdaptHandler,
        retrier: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adapter, retryHandler: retrier)
    }

    /// Returns an interceptor from an adapter and a retrier.
    public static func interceptor(adapter: any RequestAdapter, retrier: any RequestRetrier) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// Returns an interceptor from several; interceptors come after adapters and retriers.
    public static func interceptor(
        adapters: [any RequestAdapter] = [],
        retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
