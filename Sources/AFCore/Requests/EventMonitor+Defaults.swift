public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

// The requirements and the defaults of the properties are documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Defaults that do nothing.
extension EventMonitor {
    public var queue: DispatchQueue { .main }
    public var observesEvents: Bool { true }
    public var observesBodies: Bool { false }

    public func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?) {}
    public func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead) {}
    public func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse) {}
    public func request(
        _ request: Request,
        task: TransferTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}
    public func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {}
    public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {}
    public func request(_ request: Request, task: TransferTask, didReceive data: Data) {}
    public func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {}
    public func request(
        _ request: Request,
        task: TransferTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {}
    public func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {}
    public func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {}
    public func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {}
    public func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {}
    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {}
    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {}
    public func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
    ) {}
    public func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
    ) {}
    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {}
    public func request(_ request: Request, didCreateTask task: TransferTask) {}
    public func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {}
    public func request(_ request: Request, didFailTask task: TransferTask, earlyWithError error: AFError) {}
    public func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {}
    public func requestIsRetrying(_ request: Request) {}
    public func requestDidFinish(_ request: Request) {}
    public func requestDidResume(_ request: Request) {}
    public func request(_ request: Request, didResumeTask task: TransferTask) {}
    public func requestDidSuspend(_ request: Request) {}
    public func request(_ request: Request, didSuspendTask task: TransferTask) {}
    public func requestDidCancel(_ request: Request) {}
    public func request(_ request: Request, didCancelTask task: TransferTask) {}
    public func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    ) {}
    public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {}
    public func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {}
    public func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {}
    public func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>) {}
    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {}
    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {}
    public func request(_ request: UploadRequest, didProvideInputStream stream: any BodyStream) {}
    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}
    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}
    public func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {}
    public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {}
    public func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: TransferTask?,
        with result: Result<URL, AFError>
    ) {}
    public func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {}
    public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {}
    public func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
    {}
}
