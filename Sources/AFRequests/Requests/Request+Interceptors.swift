internal import Synchronization

/// The request's own interceptors and monitors, in order: the session's, the one given with the request, then these.
/// Adding them does not start the request.
extension Request {
    /// The request's own interceptors combined; the session's is called before.
    public var interceptor: (any RequestInterceptor)? { mutableState.withLock { $0.settings.interceptor } }

    /// The session's monitors and the request's own combined; `nil` if neither has monitors.
    public var eventMonitor: CompositeEventMonitor? { mutableState.withLock { $0.settings.eventMonitor } }

    /// Adds an interceptor.
    @discardableResult
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        chain(adapter: interceptor, retrier: interceptor)
    }

    /// Adds an adapter.
    @discardableResult
    public func adapt(using adapter: any RequestAdapter) -> Self { chain(adapter: adapter, retrier: nil) }

    /// Adds a retrier.
    @discardableResult
    public func retry(using retrier: any RequestRetrier) -> Self { chain(adapter: nil, retrier: retrier) }

    /// Adds a monitor, which receives later events.
    @discardableResult
    public func eventMonitor(_ monitor: any RequestEventMonitor) -> Self {
        hasOwnMonitors.store(true, ordering: .releasing)
        mutableState.withLock { mutableState in
            let others = mutableState.settings.eventMonitor?.monitors ?? []
            mutableState.settings.eventMonitor = CompositeEventMonitor(monitors: others + [monitor])
        }
        return self
    }

    private func chain(adapter: (any RequestAdapter)?, retrier: (any RequestRetrier)?) -> Self {
        mutableState.withLock { mutableState in
            let old = mutableState.settings.interceptor
            let adapters = [old, adapter].compactMap(\.self)
            let retriers = [old, retrier].compactMap(\.self)
            mutableState.settings.interceptor = Interceptor(adapters: adapters, retriers: retriers)
        }
        return self
    }
}
