internal import AFHTTP
internal import AFTransport

/// What a task needs to know of its session's cache.
///
/// An object: a task without a cache holds no more than the place for it.
final class CacheAccess: Sendable {
    let cache: ResponseCache?
    let policy: URLRequest.CachePolicy
    /// Whether responses are served and kept; else the request only makes them out of date.
    let isReading: Bool
    let cookieMark: CookieMark
    /// Asks whoever has a say whether a response is kept, and as what.
    ///
    /// - Parameters:
    ///   - keep: Given what is to be kept; `nil` for nothing.
    ///   - finish: Called once everybody was asked.
    let offer: Offer

    typealias Offer =
        @Sendable (
            _ response: CachedURLResponse,
            _ task: TransferTask,
            _ keep: @escaping @Sendable (CachedURLResponse?) -> Void,
            _ finish: @escaping @Sendable () -> Void
        ) -> Void

    init(
        _ cache: ResponseCache?,
        policy: URLRequest.CachePolicy,
        isReading: Bool,
        cookieMark: CookieMark,
        offer: @escaping Offer
    ) {
        self.cache = cache
        self.policy = policy
        self.isReading = isReading
        self.cookieMark = cookieMark
        self.offer = offer
    }

    /// Starts a transfer that the cache may answer instead of the transport.
    func start(
        _ transfer: Transfer,
        into sink: any TransferSink,
        of task: TransferTask,
        over transport: any Transport
    ) -> any TransferControl {
        let exchange = CacheExchange(transfer, into: sink, of: task, over: transport, self)
        exchange.start()
        return exchange
    }
}
