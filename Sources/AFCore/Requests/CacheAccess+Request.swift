internal import AFHTTP
internal import Dispatch

extension CacheAccess {
    /// Returns `nil` if the request does not use the cache, so that the transfer has no overhead.
    convenience init?(for request: Request, sending urlRequest: URLRequest, in session: Session) {
        let configuration = session.configuration
        let isOrdinary = urlRequest.cachePolicy == .useProtocolCachePolicy
        let policy = isOrdinary ? configuration.requestCachePolicy : urlRequest.cachePolicy
        guard configuration.urlCache != nil || policy == .returnCacheDataDontLoad else { return nil }
        let handler = request.cachedResponseHandler ?? session.cachedResponseHandler
        self.init(
            configuration.urlCache,
            policy: policy,
            isReading: request.isCacheable,
            cookieGeneration: session.cookieGeneration
        ) { [weak request, queue = request.underlyingQueue] response, task, keep, finish in
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
}
