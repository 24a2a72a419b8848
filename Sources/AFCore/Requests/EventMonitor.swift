public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

/// Hears of everything that happens to requests, in order, on its own queue.
///
/// Every event has an empty default. Where Alamofire passes URLSession's types on, the event names the ``Request`` and
/// its ``TransferTask``.
///
/// A data request that goes well tells, in this order: `requestDidResume`, `didCreateInitialURLRequest`,
/// `didAdaptInitialRequest` where there are adapters, `didCreateURLRequest`, `didCreateTask`, `didResumeTask`, what the
/// transport reports, `didFinishCollecting`, `didGatherMetrics`, `didCompleteWithError`, `didValidateRequest` for each
/// validator, `didCompleteTask`, `requestDidFinish` (or `requestIsRetrying` and all of it again), and
/// `didParseResponse` for each handler.
public protocol EventMonitor: Sendable {
    /// Where the events are told; a serial queue keeps their order.
    var queue: DispatchQueue { get }
    /// Whether the monitor is told of every piece of a body, sent or received: `didSendBodyData`, `didReceive data`,
    /// `didWriteData`. Large bodies have ten thousands, and each is copied for it; `false` unless implemented.
    var hearsBodies: Bool { get }

    // What the session and the transport report.

    /// The session went away. It is named by what `ObjectIdentifier` makes of it, as it is gone by the time this is told.
    func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?)
    /// A head before the final one came: 1xx, a round of authentication, a proxy's.
    func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead)
    /// The server or the proxy asked who we are (401 or 407), and is given an answer.
    func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse)
    /// A piece of the request body was handed to the network; see ``hearsBodies``. A total that is unknown is 0.
    func request(
        _ request: Request,
        task: TransferTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// The request body is read again from its first byte, as a redirect asked for it.
    func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask)
    /// The final response's head came.
    func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse)
    /// A piece of the final response's body came; see ``hearsBodies``.
    func request(_ request: Request, task: TransferTask, didReceive data: Data)
    /// A redirect came that is not the final response: it is followed, or the task fails with ``RedirectFailure``.
    func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    /// Told before the next hop starts.
    func request(
        _ request: Request,
        task: TransferTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    )
    /// The request waits for a way to the network.
    func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask)
    /// The transfer is over, and this is when everything of it happened.
    func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics)
    /// The transfer is over; the error is what the transport met, not what becomes of it.
    func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?)
    /// A response came whole, and the session's cache may keep it.
    func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse)

    // What becomes of a request.

    /// What the caller gave became a request; for each attempt, before adapters.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// What the caller gave became no request, or none that may be sent.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// The adapters have had their say.
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)
    /// An adapter refused the request, or made one that may not be sent.
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)
    /// This is what will be sent.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// The attempt has its task, not yet resumed.
    func request(_ request: Request, didCreateTask task: TransferTask)
    /// The transfer is over, and this is when everything of it happened.
    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics)
    /// The task ended before anything was sent, as the server was not trusted.
    func request(_ request: Request, didFailTask task: TransferTask, earlyWithError error: AFError)
    /// The attempt is over and validated; the error is what it ended with.
    func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?)
    /// Another attempt begins.
    func requestIsRetrying(_ request: Request)
    /// There is no other attempt: what there is goes to the serializers.
    func requestDidFinish(_ request: Request)
    /// The request was resumed, by its caller or by a handler that was added.
    func requestDidResume(_ request: Request)
    /// The task obeyed that.
    func request(_ request: Request, didResumeTask task: TransferTask)
    /// The request was suspended.
    func requestDidSuspend(_ request: Request)
    /// The task obeyed that.
    func request(_ request: Request, didSuspendTask task: TransferTask)
    /// The request was cancelled.
    func requestDidCancel(_ request: Request)
    /// The task obeyed that.
    func request(_ request: Request, didCancelTask task: TransferTask)

    // What the kinds of request add.

    /// A validator has looked at the response.
    func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    )
    /// A handler of the unserialized response is about to be called.
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// A serializer has made, or not made, its value.
    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)
    /// A validator has looked at the response.
    func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    )
    /// A serializer has made, or not made, a value of a piece of the stream; not told where the bytes themselves are
    /// handed over.
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
    /// The body of the attempt is ready to be sent.
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    /// There is no body to send.
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)
    /// The body of the attempt is a stream.
    func request(_ request: UploadRequest, didProvideInputStream stream: any BodyStream)
    /// The body goes on where an earlier attempt left its file. A total that is unknown is 0.
    func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
    /// A piece of the body has come, and is in the file or about to be; see ``hearsBodies``. A total that is unknown is 0.
    func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
    /// The whole body is in the file, which is still where it grew.
    func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL)
    /// The file has its place from now on, though it is not there yet.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// The file is at its place, or could not be put there.
    func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: TransferTask?,
        with result: Result<URL, AFError>
    )
    /// A validator has looked at the response.
    func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    )
    /// A handler of the unserialized response is about to be called.
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// A serializer has made, or not made, its value.
    func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
}
