public import AFCore
internal import Dispatch

/// The services of a session for its requests.
///
/// The public part of Alamofire's protocol that is useful outside of the library.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The configuration of the session; changes do not affect it.
    var sessionConfiguration: URLSessionConfiguration { get }

    /// Whether adding a response handler resumes a request.
    var startImmediately: Bool { get }

    /// Asks the retrier of the session and the request about an error, on the session's queue. The decision has no
    /// effect.
    func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

// The protocol above documents the requirements.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Session: RequestDelegate {
    public var startImmediately: Bool { startRequestsImmediately }

    public func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let retrier = interceptor(for: request) else { return completion(.doNotRetry) }
        rootQueue.async { retrier.retry(request, for: self, dueTo: error, completion: completion) }
    }
}

extension Request {
    /// The session; `nil` after it was deallocated.
    public var delegate: (any RequestDelegate)? { session }
}
