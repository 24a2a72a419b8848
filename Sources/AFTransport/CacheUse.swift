package import AFHTTP

/// The use of a session's cache by a transfer.
///
/// A class, as transfers are copied, and most sessions have no cache.
package final class CacheUse: Sendable {
    /// Decides whether a response is stored, and in which form.
    ///
    /// - Parameters:
    ///   - store: Receives the response to store; `nil` for none.
    ///   - finish: Called after the last decision.
    package typealias StoreDecision =
        @Sendable (
            _ response: CachedURLResponse,
            _ store: @escaping @Sendable (CachedURLResponse?) -> Void,
            _ finish: @escaping @Sendable () -> Void
        ) -> Void

    package let policy: URLRequest.CachePolicy
    /// Whether responses are served and stored; otherwise the transfer only invalidates stored ones.
    package let isCacheable: Bool
    package let willStore: StoreDecision

    package init(policy: URLRequest.CachePolicy, isCacheable: Bool, willStore: @escaping StoreDecision) {
        (self.policy, self.isCacheable, self.willStore) = (policy, isCacheable, willStore)
    }
}
