/// The asynchronous result of a request, which is started when the task is created: a ``DataTask`` or a
/// `DownloadTask`.
public protocol ResponseTask<Response>: Sendable {
    /// The type of the response.
    associatedtype Response: SerializedResponse where Response.Failure == AFError

    /// The request of the task.
    var request: Request { get }

    /// The response, after all retries.
    var response: Response { get async }
}

extension ResponseTask {
    /// The value or the error.
    public var result: Result<Response.Success, AFError> { get async { await response.result } }

    /// The value.
    ///
    /// - Throws: ``AFError`` after all retries.
    public var value: Response.Success { get async throws { try await result.get() } }

    /// Cancels the request: awaiting tasks receive `AFError.explicitlyCancelled`, unless it failed before. A download
    /// keeps the received bytes, so that another one can resume.
    public func cancel() { request.cancel() }
    /// Starts or resumes the request.
    public func resume() { request.resume() }
    /// Suspends the transfer until ``resume()``.
    public func suspend() { request.suspend() }
}

/// The asynchronous result of a data request or an upload.
public struct DataTask<Value: Sendable>: ResponseTask {
    /// The request of the task.
    public let request: Request
    let reply: PendingResponse<AFDataResponse<Value>>

    /// The response, after all retries.
    public var response: AFDataResponse<Value> { get async { await reply.value(of: request) } }
}

/// A response that arrives later.
package struct PendingResponse<Response: Sendable>: Sendable {
    private let promise = Promise<Response>()
    private let isCancelling: Bool

    /// - Parameter isCancelling: Whether the request is canceled with the task that waits for the response.
    package init(to request: Request, automaticallyCancelling isCancelling: Bool) {
        self.isCancelling = isCancelling
        // The response would not be read, so that no request is sent.
        if isCancelling, Task.isCancelled { request.cancel() }
    }

    package func fulfill(_ response: Response) { promise.fulfill(response) }

    package func value(of request: Request) async -> Response {
        guard isCancelling else { return await promise.value }
        return await withTaskCancellationHandler {
            await promise.value
        } onCancel: {
            request.cancel()
        }
    }
}
