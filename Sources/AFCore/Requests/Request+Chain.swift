internal import Synchronization

/// Interceptors and monitors of the request's own, each behind those that were there before: the session's, the one given
/// with the request, then these in the order they are added. They start nothing.
extension Request {
    /// The request's own, in one; the session's comes before it.
    public var interceptor: (any RequestInterceptor)? { contents.withLock { $0.interceptor } }

    /// The session's monitors and the request's own behind them, in one; `nil` where there are none.
    public var eventMonitor: (any EventMonitor)? { contents.withLock { $0.eventMonitor } }

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

    /// Adds a monitor, which hears of what happens from now on.
    @discardableResult
    public func eventMonitor(_ monitor: any EventMonitor) -> Self {
        contents.withLock { contents in
            guard let old = contents.eventMonitor else {
                return contents.eventMonitor = CompositeEventMonitor(monitors: [monitor])
            }
            contents.eventMonitor = CompositeEventMonitor(monitors: old.monitors + [monitor], queue: old.queue)
        }
        return self
    }

    private func chain(adapter: (any RequestAdapter)?, retrier: (any RequestRetrier)?) -> Self {
        contents.withLock { contents in
            let old = contents.interceptor
            let adapters = [old, adapter].compactMap(\.self)
            let retriers = [old, retrier].compactMap(\.self)
            contents.interceptor = Interceptor(adapters: adapters, retriers: retriers)
        }
        return self
    }
}
