public import Dispatch
internal import FoundationEssentials

/// What concerns all requests that are under way.
extension Session {
    /// Calls back with the requests that are under way, on the session's queue.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        rootQueue.async { action(self.activeRequests) }
    }

    /// Cancels every request that is under way, then calls back. The requests may end later.
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue = .main,
        completion: (@Sendable () -> Void)? = nil
    ) {
        cancelRequests(completingOnQueue: queue, completion: completion) { _ in true }
    }

    /// Cancels every request under way that was made for a URL, whatever adapters and redirects made of it since, then calls
    /// back. The requests may end later.
    ///
    /// - Throws: What making the URL threw; then nothing is cancelled.
    public func cancelRequests(
        to url: any URLConvertible,
        completingOnQueue queue: DispatchQueue = .main,
        completion: (@Sendable () -> Void)? = nil
    ) throws {
        let url = try url.asURL()
        cancelRequests(completingOnQueue: queue, completion: completion) { request in
            request.requests.contains { $0.url == url }
        }
    }

    private func cancelRequests(
        completingOnQueue queue: DispatchQueue,
        completion: (@Sendable () -> Void)?,
        where isMeant: @escaping @Sendable (Request) -> Bool
    ) {
        withAllRequests { requests in
            for request in requests where isMeant(request) { request.cancel() }
            if let completion { queue.async(execute: completion) }
        }
    }
}
