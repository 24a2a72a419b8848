public import Dispatch
internal import FoundationEssentials

/// Operations on all active requests.
extension Session {
    /// Calls back with the active requests, on the session's queue.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        rootQueue.async { action(self.activeRequests) }
    }

    /// Cancels every active request, then calls back. The requests may end later.
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue = .main,
        completion: (@Sendable () -> Void)? = nil
    ) {
        cancelRequests(completingOnQueue: queue, completion: completion) { _ in true }
    }

    /// Cancels every active request that was created for a URL, regardless of adapters and redirects, then calls back.
    /// The requests may end later.
    ///
    /// - Throws: Errors of creating the URL; nothing is canceled then.
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
