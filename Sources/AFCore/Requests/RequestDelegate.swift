internal import Dispatch

/// What a request can ask of the session that it belongs to.
///
/// Of Alamofire's protocol this is the part that is of use to others; how a session runs its requests is nobody else's.
public protocol RequestDelegate: AnyObject, Sendable {
    /// What all requests of the session have in common.
    var sessionConfiguration: SessionConfiguration { get }

    /// Whether adding a response handler resumes a request.
    var startImmediately: Bool { get }

    /// Asks the retriers of session and request about an error, on the session's queue. Nothing follows from the answer.
    func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

// The session carries out what the protocol above documents.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Session: RequestDelegate {
    public var sessionConfiguration: SessionConfiguration { configuration }
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
    /// The session; `nil` once it is gone.
    public var delegate: (any RequestDelegate)? { session }
}
