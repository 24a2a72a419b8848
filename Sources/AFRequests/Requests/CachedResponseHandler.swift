public import AFHTTP

/// A handler that decides how the session's cache stores a response.
///
/// It is asked about complete and storable responses to data, upload and stream requests.
public protocol CachedResponseHandler: Sendable {
    /// Decides about a response, on the session's queue. The response passed to `completion` is stored instead of the
    /// proposed one; `nil` stores none. The request does not wait for a late decision. Only the first decision counts,
    /// and none after another request removed or invalidated the response.
    func dataTask(
        _ task: TransferTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping @Sendable (CachedURLResponse?) -> Void
    )
}

/// A ``CachedResponseHandler`` with the same behavior for every response.
public struct ResponseCacher: CachedResponseHandler {
    /// The behavior for a response.
    public enum Behavior: Sendable {
        /// Stores the response.
        case cache
        /// Does not store the response.
        case doNotCache
        /// Stores the result of the closure; `nil` stores none.
        case modify(@Sendable (_ task: TransferTask, _ cachedResponse: CachedURLResponse) -> CachedURLResponse?)
    }

    /// The behavior for each response.
    public let behavior: Behavior

    /// Creates a handler.
    public init(behavior: Behavior) {
        self.behavior = behavior
    }

    /// Decides before it returns: a closure that modifies the response blocks the session's queue.
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
    /// A handler that stores responses unchanged.
    public static var cache: ResponseCacher { ResponseCacher(behavior: .cache) }

    /// A handler that stores no response.
    public static var doNotCache: ResponseCacher { ResponseCacher(behavior: .doNotCache) }

    /// Returns a handler that stores the result of a closure.
    public static func modify(
        using closure: @escaping @Sendable (TransferTask, CachedURLResponse) -> CachedURLResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
