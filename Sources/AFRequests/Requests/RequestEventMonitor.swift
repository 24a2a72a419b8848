public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

/// An observer of the events of requests, called in order on its own queue. `EventMonitor` adds those of downloads.
///
/// Every event has an empty default. Where Alamofire passes URLSession's types, the event has the ``Request`` and its
/// ``TransferTask``.
///
/// The events of a successful data request, in order: `requestDidResume`, `didCreateInitialURLRequest`,
/// `didAdaptInitialRequest` if there are adapters, `didCreateURLRequest`, `didCreateTask`, `didResumeTask`, the
/// transport's events, `didFinishCollecting`, `didGatherMetrics`, `didCompleteWithError`, `didValidateRequest` for each
/// validator, `didCompleteTask`, `requestDidFinish` (or `requestIsRetrying` and all of it again), and
/// `didParseResponse` for each handler.
public protocol RequestEventMonitor: Sendable {
    /// The queue on which the events are reported; a serial queue preserves their order.
    var queue: DispatchQueue { get }
    /// Whether the monitor observes events at present; `true` by default. If no monitor does, requests create none.
    var observesEvents: Bool { get }
    /// Whether the monitor observes body chunks: `didSendBodyData`, `didReceive data`, `didWriteData` of downloads. A
    /// large body has tens of thousands, each copied for the monitor; `false` by default.
    var observesBodies: Bool { get }

    // Events of the session and the transport

    /// Called when the session was deallocated. It is identified by its `ObjectIdentifier`, as it no longer exists.
    func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?)
    /// Called when a header before the final one was received: interim, of an authentication round, or a proxy's.
    func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead)
    /// Called when the server or the proxy requested credentials (401 or 407), which are sent.
    func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse)
    /// Called when a chunk of the request body was passed to the network; see ``observesBodies``. An unknown total
    /// is 0.
    func request(
        _ request: Request, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// Called when the request body is rewound to its first byte, for a redirect.
    func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask)
    /// Called when the final response's header was received.
    func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse)
    /// Called when a chunk of the final response's body was received; see ``observesBodies``.
    func request(_ request: Request, task: TransferTask, didReceive data: Data)
    /// Called when a redirect was received that is not the final response: it is followed, or the task fails with
    /// ``RedirectFailure``.
    func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse)
    /// Called before a redirect is followed.
    func request(
        _ request: Request, task: TransferTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    )
    /// Called when the request starts to wait for network connectivity.
    func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask)
    /// Called when the transfer has ended, with its metrics.
    func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics)
    /// Called when the transfer has ended, with the transport's error.
    func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?)
    /// Called when a response is complete and may be stored in the session's cache.
    func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse)

    // Events of a request

    /// Called when the initial request of an attempt was created, before adapters.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// Called when the request could not be created or is invalid.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// Called when the adapters have changed the request.
    func request(_ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest)
    /// Called when an adapter rejected the request, or returned an invalid one.
    func request(_ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError)
    /// Called when the final request was created.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// Called when the task of an attempt was created and is suspended.
    func request(_ request: Request, didCreateTask task: TransferTask)
    /// Called when the transfer has ended, with its metrics.
    func request(_ request: Request, didGatherMetrics metrics: TransferMetrics)
    /// Called when the task ended before a request was sent, as the server was not trusted.
    func request(_ request: Request, didFailTask task: TransferTask, earlyWithError error: AFError)
    /// Called when the attempt has ended and was validated, possibly with an error.
    func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?)
    /// Called when another attempt starts that is a retry, and not the next exchange of a resumable upload.
    func requestIsRetrying(_ request: Request)
    /// Called when the request has no further attempts, before its serializers. Without serializers, its state is
    /// final.
    func requestDidFinish(_ request: Request)
    /// Called when the request was resumed, by its caller or by a new handler.
    func requestDidResume(_ request: Request)
    /// Called when the task was resumed.
    func request(_ request: Request, didResumeTask task: TransferTask)
    /// Called when the request was suspended.
    func requestDidSuspend(_ request: Request)
    /// Called when the task was suspended.
    func request(_ request: Request, didSuspendTask task: TransferTask)
    /// Called when the request was canceled.
    func requestDidCancel(_ request: Request)
    /// Called when the task was canceled.
    func request(_ request: Request, didCancelTask task: TransferTask)

    // Events of data, stream and upload requests

    /// Called when a validator has checked the response.
    func request(
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    )
    /// Called before a handler of the unserialized response is called.
    func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>)
    /// Called when a serializer has succeeded or failed.
    func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>)
    /// Called when a validator has checked the response.
    func request(
        _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    )
    /// Called when a serializer has succeeded or failed for a chunk of the stream; not called if the bytes themselves
    /// are delivered.
    func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>)
    /// Called when the body of the attempt was created.
    func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable)
    /// Called when the body could not be created.
    func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError)
    /// Called when the body of the attempt is a stream.
    func request(_ request: UploadRequest, didProvideInputStream stream: any BodyStream)
}

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
