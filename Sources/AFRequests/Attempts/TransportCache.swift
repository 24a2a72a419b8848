package import AFHTTP
package import AFTransport
internal import Dispatch

/// A cache of responses between a session and its transport; see ``SessionConfiguration/cache``.
package protocol TransportCache: Sendable {
    /// Returns a transport that serves stored responses, and stores the responses of the given one.
    func caching(_ transport: any Transport) -> any Transport
}

/// A sink that decides how its transfers use the cache.
package protocol CachingSink: TransferSink {
    var cachePolicy: URLRequest.CachePolicy { get }

    /// Whether responses are served and stored; otherwise the transfers only invalidate stored ones.
    var isCacheable: Bool { get }

    /// Decides whether a response is stored, and in which form.
    ///
    /// - Parameters:
    ///   - store: Receives the response to store; `nil` for none.
    ///   - finish: Called after the last decision.
    func willCache(
        _ response: CachedURLResponse,
        store: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    )
}

/// The transport of requests that only a cache may serve, in a session without one: every transfer fails.
final class EmptyCacheTransport: Transport, TransferControl {
    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        let failure = TransferFailure(.notCached, "the cache has no response for the request")
        let outcome = TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
        DispatchQueue.global().async { sink.finish(outcome) }
        return self
    }

    func cookies() async -> [HTTPCookie] { [] }
    func setCookies(_ cookies: [HTTPCookie]) {}
    func deleteAllCookies() {}
    func shutdown() {}
    func cancel() {}
    func suspend() {}
    func resume() {}
    func drain() {}
}
