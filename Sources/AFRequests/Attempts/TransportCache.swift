internal import AFHTTP
package import AFTransport
internal import Dispatch

/// A cache of responses between a session and its transport; see ``SessionConfiguration/cache``.
package protocol TransportCache: Sendable {
    /// Returns a transport that serves stored responses, and stores the responses of the given one.
    func caching(_ transport: any Transport) -> any Transport
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
