internal import AFHTTP
internal import AFTransport
internal import Dispatch

/// What a task needs to know of its session's cache.
///
/// An object: a task without a cache holds no more than the place for it.
final class CacheAccess: Sendable {
    let cache: ResponseCache?
    let policy: URLRequest.CachePolicy
    /// Whether responses are served and kept; else the request only makes them out of date.
    let isReading: Bool
    let cookieMark: CookieMark
    private let handler: (any CachedResponseHandler)?
    /// Where the handler is called.
    private let queue: DispatchQueue
    private weak let request: Request?

    /// `nil` where nothing is asked of any cache: then a transfer costs nothing more.
    init?(for request: Request, sending urlRequest: URLRequest, in session: Session) {
        let configuration = session.configuration
        let isOrdinary = urlRequest.cachePolicy == .useProtocolCachePolicy
        policy = isOrdinary ? configuration.requestCachePolicy : urlRequest.cachePolicy
        cache = configuration.urlCache
        guard cache != nil || policy == .returnCacheDataDontLoad else { return nil }
        isReading = request.isCacheable
        cookieMark = session.cookieMark
        handler = request.cachedResponseHandler ?? session.cachedResponseHandler
        queue = request.underlyingQueue
        self.request = request
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

    /// Asks whoever has a say whether a response is kept, and as what.
    ///
    /// - Parameters:
    ///   - keep: Given what is to be kept; `nil` for nothing.
    ///   - finish: Called once everybody was asked.
    func offer(
        _ response: CachedURLResponse,
        of task: TransferTask,
        keep: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    ) {
        if let request { request.tell { $0.request(request, task: task, willCacheResponse: response) } }
        guard let handler else {
            keep(response)
            return finish()
        }
        queue.async {
            handler.dataTask(task, willCacheResponse: response, completion: keep)
            finish()
        }
    }
}
