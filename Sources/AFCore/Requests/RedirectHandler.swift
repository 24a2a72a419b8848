public import AFHTTP
internal import Synchronization

/// Decides about redirects, each before it is followed.
///
/// Whatever a handler returns, the session's ``RedirectPolicy`` holds: credentials and headers that look secret do not go
/// to another origin, nor does https lead to http, unless the policy says so.
public protocol RedirectHandler: Sendable {
    /// Says what becomes of a redirect; `completion` is to be called once, on any thread.
    ///
    /// Called on the session's queue. The body of the response waits meanwhile.
    ///
    /// - Parameters:
    ///   - request: What would be sent; its URL may be one that cannot be followed.
    ///   - completion: Follows with the request it is given; `nil` makes the redirect the final response, and so does
    ///     letting go of it uncalled.
    func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    )
}

/// A ``RedirectHandler`` that does the same with every redirect.
public struct Redirector: RedirectHandler {
    /// What becomes of a redirect.
    public enum Behavior: Sendable {
        /// It is followed.
        case follow
        /// It is the final response.
        case doNotFollow
        /// It is followed with the request that the closure makes, and is the final response where that is `nil`.
        case modify(
            @Sendable (_ task: TransferTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?
        )
    }

    /// What becomes of redirects.
    public let behavior: Behavior

    /// A handler that does the same with every redirect.
    public init(behavior: Behavior) { self.behavior = behavior }

    /// Answers at once, as ``behavior`` says.
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
    /// Follows every redirect, as happens without a handler.
    public static var follow: Redirector { Redirector(behavior: .follow) }

    /// Makes every redirect the final response.
    public static var doNotFollow: Redirector { Redirector(behavior: .doNotFollow) }

    /// Follows with the requests that the closure makes.
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
    /// Decides about the redirects of this request, in place of the session's handler.
    ///
    /// To be called once, before the request starts; a second handler is a mistake of the program, which ends there.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        let isFirst = contents.withLock { contents in
            defer { contents.redirectHandler = contents.redirectHandler ?? handler }
            return contents.redirectHandler == nil
        }
        precondition(isFirst, "A request has one redirect handler.")
        return self
    }
}
