public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

// The requirements and the defaults of the properties are documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Defaults that do nothing.
extension RequestEventMonitor {
    public var queue: DispatchQueue { .main }
    public var observesEvents: Bool { true }
    public var observesBodies: Bool { false }

    public func session(_: ObjectIdentifier, didBecomeInvalidWithError: (any Error)?) {}
    public func request(_: Request, task: TransferTask, didReceiveInterim: TransferHead) {}
    public func request(_: Request, task: TransferTask, didReceiveChallenge: HTTPURLResponse) {}
    public func request(
        _: Request, task: TransferTask, didSendBodyData: Int64, totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {}
    public func request(_: Request, taskNeedsNewBodyStream: TransferTask) {}
    public func request(_: Request, task: TransferTask, didReceive: HTTPURLResponse) {}
    public func request(_: Request, task: TransferTask, didReceive: Data) {}
    public func request(_: Request, task: TransferTask, didReceiveRedirect: HTTPURLResponse) {}
    public func request(
        _: Request, task: TransferTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest
    ) {}
    public func request(_: Request, taskIsWaitingForConnectivity: TransferTask) {}
    public func request(_: Request, task: TransferTask, didFinishCollecting: TransferMetrics) {}
    public func request(_: Request, task: TransferTask, didCompleteWithError: (any Error)?) {}
    public func request(_: Request, task: TransferTask, willCacheResponse: CachedURLResponse) {}
    public func request(_: Request, didCreateInitialURLRequest: URLRequest) {}
    public func request(_: Request, didFailToCreateURLRequestWithError: AFError) {}
    public func request(_: Request, didAdaptInitialRequest: URLRequest, to: URLRequest) {}
    public func request(_: Request, didFailToAdaptURLRequest: URLRequest, withError: AFError) {}
    public func request(_: Request, didCreateURLRequest: URLRequest) {}
    public func request(_: Request, didCreateTask: TransferTask) {}
    public func request(_: Request, didGatherMetrics: TransferMetrics) {}
    public func request(_: Request, didFailTask: TransferTask, earlyWithError: AFError) {}
    public func request(_: Request, didCompleteTask: TransferTask, with: AFError?) {}
    public func requestIsRetrying(_: Request) {}
    public func requestDidFinish(_: Request) {}
    public func requestDidResume(_: Request) {}
    public func request(_: Request, didResumeTask: TransferTask) {}
    public func requestDidSuspend(_: Request) {}
    public func request(_: Request, didSuspendTask: TransferTask) {}
    public func requestDidCancel(_: Request) {}
    public func request(_: Request, didCancelTask: TransferTask) {}
    public func request(
        _: DataRequest, didValidateRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult: Request.ValidationResult
    ) {}
    public func request(_: DataRequest, didParseResponse: DataResponse<Data?, AFError>) {}
    public func request<Value>(_: DataRequest, didParseResponse: DataResponse<Value, AFError>) {}
    public func request(
        _: DataStreamRequest, didValidateRequest: URLRequest?, response: HTTPURLResponse,
        withResult: Request.ValidationResult
    ) {}
    public func request<Value: Sendable>(_: DataStreamRequest, didParseStream: Result<Value, AFError>) {}
    public func request(_: UploadRequest, didCreateUploadable: UploadRequest.Uploadable) {}
    public func request(_: UploadRequest, didFailToCreateUploadableWithError: AFError) {}
    public func request(_: UploadRequest, didProvideInputStream: any BodyStream) {}
}
