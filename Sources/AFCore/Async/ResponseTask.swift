/// The asynchronous result of a request, which is started when the task is created.
public struct ResponseTask<Response: SerializedResponse>: Sendable where Response.Failure == AFError {
    private let request: Request
    private let promise: Promise<Response>
    private let isCancelling: Bool

    /// - Parameter start: Starts the request, and passes its response to the promise.
    init(_ request: Request, automaticallyCancelling isCancelling: Bool, _ start: (Promise<Response>) -> Void) {
        self.request = request
        self.isCancelling = isCancelling
        promise = Promise()
        // The response would not be read, so that no request is sent.
        if isCancelling, Task.isCancelled { request.cancel() }
        start(promise)
    }

    /// The response, after all retries.
    public var response: Response {
        get async {
            guard isCancelling else { return await promise.value }
            return await withTaskCancellationHandler {
                await promise.value
            } onCancel: {
                request.cancel()
            }
        }
    }

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
public typealias DataTask<Value: Sendable> = ResponseTask<AFDataResponse<Value>>

/// The asynchronous result of a download.
public typealias DownloadTask<Value: Sendable> = ResponseTask<AFDownloadResponse<Value>>
