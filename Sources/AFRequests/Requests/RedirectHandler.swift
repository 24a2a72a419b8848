public import AFHTTP
internal import Synchronization

/// A handler that decides about redirects.
///
/// The session's ``RedirectPolicy`` applies to the result: credentials and header fields with secret names are not sent
/// to another origin, and https does not redirect to http, unless the policy allows it.
public protocol RedirectHandler: Sendable {
    /// Decides about a redirect; `completion` must be called once, on any thread.
    ///
    /// Called on the session's queue. The body of the response waits for the decision.
    ///
    /// - Parameters:
    ///   - request: The next request; its URL may be invalid.
    ///   - completion: Follows the redirect with the given request; `nil`, or releasing the closure without calling it,
    /// makes the redirect the final response.
    func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    )
}

/// A ``RedirectHandler`` with the same behavior for every redirect.
public struct Redirector: RedirectHandler {
    /// The behavior for a redirect.
    public enum Behavior: Sendable {
        /// Follows the redirect.
        case follow
        /// Makes the redirect the final response.
        case doNotFollow
        /// Follows with the closure's request; `nil` makes the redirect the final response.
        case modify(
            @Sendable (_ task: TransferTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?
        )
    }

    /// The behavior for each redirect.
    public let behavior: Behavior

    /// Creates a handler.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Decides immediately according to ``behavior``.
    public func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        switch behavior {
        case .follow: completion(request)
        case .doNotFollow: completion(nil)
        case .modify(let modify): completion(modify(task, request, response))
        }
    }
}

extension RedirectHandler where Self == Redirector {
    /// A handler that follows every redirect, like a session without a handler.
    public static var follow: Redirector { Redirector(behavior: .follow) }

    /// A handler that makes every redirect the final response.
    public static var doNotFollow: Redirector { Redirector(behavior: .doNotFollow) }

    /// Returns a handler that follows with the closure's requests.
    public static func modify(
        using closure:
            @escaping @Sendable (
                _ task: TransferTask, _ request: URLRequest, _ response: HTTPURLResponse
            ) -> URLRequest?
    ) -> Redirector {
        Redirector(behavior: .modify(closure))
    }
}

extension Request {
    /// Sets a handler for the redirects of this request, which replaces the session's.
    ///
    /// Must be called at most once, before the request starts. A second call is a precondition failure.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        let isFirst = mutableState.withLock { mutableState in
            defer { mutableState.settings.redirectHandler = mutableState.settings.redirectHandler ?? handler }
            return mutableState.settings.redirectHandler == nil
        }
        precondition(isFirst, "A request has one redirect handler.")
        return self
    }
}
