public import AFHTTP

/// Has a say in what the session's cache keeps of a response.
///
/// It is asked about responses to data, upload and stream requests that came whole and may be kept.
public protocol CachedResponseHandler: Sendable {
    /// Called on the session's queue. What is given to `completion` is kept instead of the proposal; `nil` keeps nothing.
    /// The request does not wait for an answer that comes after the return. Only the first answer counts, and none once
    /// the response was removed or made out of date by another request.
    func dataTask(
        _ task: TransferTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

/// A ``CachedResponseHandler`` that does the same to every response.
public struct ResponseCacher: CachedResponseHandler {
    /// What is done to a response.
    public enum Behavior: Sendable {
        /// It is kept as it is.
        case cache
        /// It is not kept.
        case doNotCache
        /// What the closure makes of it is kept; `nil` keeps nothing.
        case modify(@Sendable (_ task: TransferTask, _ cachedResponse: CachedURLResponse) -> CachedURLResponse?)
    }

    /// What is done to each response.
    public let behavior: Behavior

    /// A handler that does this to every response it is asked about.
    public init(behavior: Behavior) {
        self.behavior = behavior
    }

    /// Answers before it returns: a closure that modifies the response holds up the session's queue.
    public func dataTask(
        _ task: TransferTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        switch behavior {
        case .cache: completion(response)
        case .doNotCache: completion(nil)
        case .modify(let closure): completion(closure(task, response))
        }
    }
}

extension CachedResponseHandler where Self == ResponseCacher {
    /// Keeps responses as they are.
    public static var cache: ResponseCacher { ResponseCacher(behavior: .cache) }

    /// Keeps no response.
    public static var doNotCache: ResponseCacher { ResponseCacher(behavior: .doNotCache) }

    /// Keeps what the closure makes of a response.
    public static func modify(
        using closure: @escaping @Sendable (TransferTask, CachedURLResponse) -> CachedURLResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
