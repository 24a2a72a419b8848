public import AFRequests

/// The asynchronous result of a download.
public struct DownloadTask<Value: Sendable>: ResponseTask {
    /// The request of the task.
    public let request: Request
    let reply: PendingResponse<AFDownloadResponse<Value>>

    /// The response, after all retries.
    public var response: AFDownloadResponse<Value> { get async { await reply.value(of: request) } }
}
