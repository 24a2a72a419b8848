public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

/// Hears of everything that happens to requests, in order, on its own queue.
///
/// Every event has an empty default. Where Alamofire passes URLSession's types on, the event is told in terms of
/// ``TransferTask``.
public protocol EventMonitor: Sendable {
    /// Where the events are told; a serial queue keeps their order.
    var queue: DispatchQueue { get }

    // What the transport reports.

    /// A head before the final one came: 1xx, a round of authentication, a proxy's.
    func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead)
    /// The final response's head came.
    func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse)
    /// A redirect came that is not the final response: it is followed, or the task fails with ``RedirectFailure``.
    func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    /// Told before the next hop starts.
    func request(_ request: Request, task: TransferTask, willFollowRedirectTo newRequest: URLRequest)

    // What becomes of a request.

    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    func request(_ request: Request, didCreateTask task: TransferTask)
    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics)
    func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?)
    func requestIsRetrying(_ request: Request)
    func requestDidFinish(_ request: Request)
    func requestDidResume(_ request: Request)
    func request(_ request: Request, didResumeTask task: TransferTask)
    func requestDidSuspend(_ request: Request)
    func request(_ request: Request, didSuspendTask task: TransferTask)
    func requestDidCancel(_ request: Request)
    func request(_ request: Request, didCancelTask task: TransferTask)

    // What the kinds of request add.

    func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    )
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)
    func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    )
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: TransferTask?,
        with result: Result<URL, AFError>
    )
    func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    )
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
}
