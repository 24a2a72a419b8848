public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

/// A monitor made of closures, each for one event, to be set when the event is of interest.
///
/// Values that serializers make are told to none of them: their types are as many as there are serializers.
///
/// `@unchecked` because it may be subclassed; every closure is kept under a lock, so it may be set at any time.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
    /// Where the closures are called.
    public let queue: DispatchQueue

    /// A monitor that does nothing yet.
    public init(queue: DispatchQueue = .main) {
        self.queue = queue
    }

    /// Whether a closure wants to know of pieces of bodies.
    open var hearsBodies: Bool {
        taskDidSendBodyData != nil || dataTaskDidReceiveData != nil || downloadTaskDidWriteData != nil
    }

    /// A session went away.
    @Guarded open var sessionDidBecomeInvalidWithError: (@Sendable (ObjectIdentifier, (any Error)?) -> Void)?
    /// The server or the proxy asked who we are, and is given an answer.
    @Guarded open var taskDidReceiveChallenge: (@Sendable (Request, TransferTask, HTTPURLResponse) -> Void)?
    /// A piece of the request body was handed to the network: its bytes, those so far, all of them.
    @Guarded open var taskDidSendBodyData: (@Sendable (Request, TransferTask, Int64, Int64, Int64) -> Void)?
    /// The request body is read again from its first byte.
    @Guarded open var taskNeedNewBodyStream: (@Sendable (Request, TransferTask) -> Void)?
    /// A redirect is followed: its response, and the request that is made of it.
    @Guarded open var taskWillPerformHTTPRedirection:
        (@Sendable (Request, TransferTask, HTTPURLResponse, URLRequest) -> Void)?
    /// The transfer is over, and this is when everything of it happened.
    @Guarded open var taskDidFinishCollectingMetrics: (@Sendable (Request, TransferTask, TransferMetrics) -> Void)?
    /// The transfer is over; the error is what the transport met.
    @Guarded open var taskDidComplete: (@Sendable (Request, TransferTask, (any Error)?) -> Void)?
    /// The request waits for a way to the network.
    @Guarded open var taskIsWaitingForConnectivity: (@Sendable (Request, TransferTask) -> Void)?
    /// The final response's head came.
    @Guarded open var dataTaskDidReceiveResponse: (@Sendable (Request, TransferTask, HTTPURLResponse) -> Void)?
    /// A piece of the final response's body came.
    @Guarded open var dataTaskDidReceiveData: (@Sendable (Request, TransferTask, Data) -> Void)?
    /// The whole body is in the file, which is still where it grew.
    @Guarded open var downloadTaskDidFinishDownloadingToURL: (@Sendable (DownloadRequest, TransferTask, URL) -> Void)?
    /// A piece of the body is in the file: its bytes, those so far, all of them.
    @Guarded open var downloadTaskDidWriteData:
        (@Sendable (DownloadRequest, TransferTask, Int64, Int64, Int64) -> Void)?
    /// The body goes on where an earlier attempt left its file: the bytes that are there, all of them.
    @Guarded open var downloadTaskDidResumeAtOffset: (@Sendable (DownloadRequest, TransferTask, Int64, Int64) -> Void)?
    /// What the caller gave became a request.
    @Guarded open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// What the caller gave became no request, or none that may be sent.
    @Guarded open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
    /// The adapters have had their say: the request before, and after.
    @Guarded open var requestDidAdaptInitialRequestToAdaptedRequest:
        (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    /// An adapter refused the request, or made one that may not be sent.
    @Guarded open var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, AFError) -> Void)?
    /// This is what will be sent.
    @Guarded open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    /// The attempt has its task, not yet resumed.
    @Guarded open var requestDidCreateTask: (@Sendable (Request, TransferTask) -> Void)?
    /// The transfer is over, and this is when everything of it happened.
    @Guarded open var requestDidGatherMetrics: (@Sendable (Request, TransferMetrics) -> Void)?
    /// The task ended before anything was sent, as the server was not trusted.
    @Guarded open var requestDidFailTaskEarlyWithError: (@Sendable (Request, TransferTask, AFError) -> Void)?
    /// The attempt is over and validated; the error is what it ended with.
    @Guarded open var requestDidCompleteTaskWithError: (@Sendable (Request, TransferTask, AFError?) -> Void)?
    /// Another attempt begins.
    @Guarded open var requestIsRetrying: (@Sendable (Request) -> Void)?
    /// There is no other attempt: what there is goes to the serializers.
    @Guarded open var requestDidFinish: (@Sendable (Request) -> Void)?
    /// The request was resumed.
    @Guarded open var requestDidResume: (@Sendable (Request) -> Void)?
    /// The request's task was resumed.
    @Guarded open var requestDidResumeTask: (@Sendable (Request, TransferTask) -> Void)?
    /// The request was suspended.
    @Guarded open var requestDidSuspend: (@Sendable (Request) -> Void)?
    /// The request's task was suspended.
    @Guarded open var requestDidSuspendTask: (@Sendable (Request, TransferTask) -> Void)?
    /// The request was cancelled.
    @Guarded open var requestDidCancel: (@Sendable (Request) -> Void)?
    /// The request's task was cancelled.
    @Guarded open var requestDidCancelTask: (@Sendable (Request, TransferTask) -> Void)?
    /// A validator has looked at the response of a data request.
    @Guarded open var requestDidValidateRequestResponseDataWithResult:
        (@Sendable (DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
    /// A handler of the unserialized response is about to be called.
    @Guarded open var requestDidParseResponse: (@Sendable (DataRequest, AFDataResponse<Data?>) -> Void)?
    /// A validator has looked at the response of a stream.
    @Guarded open var requestDidValidateRequestResponseWithResult:
        (@Sendable (DataStreamRequest, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
    /// The body of the attempt is ready to be sent.
    @Guarded open var requestDidCreateUploadable: (@Sendable (UploadRequest, UploadRequest.Uploadable) -> Void)?
    /// There is no body to send.
    @Guarded open var requestDidFailToCreateUploadableWithError: (@Sendable (UploadRequest, AFError) -> Void)?
    /// The body of the attempt is a stream.
    @Guarded open var requestDidProvideInputStream: (@Sendable (UploadRequest, any BodyStream) -> Void)?
    /// The file is at its place, or could not be put there.
    @Guarded open var requestDidFinishDownloadingUsingTaskWithResult:
        (@Sendable (DownloadRequest, TransferTask?, Result<URL, AFError>) -> Void)?
    /// The file has its place from now on, though it is not there yet.
    @Guarded open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
    /// A validator has looked at the response of a download.
    @Guarded open var requestDidValidateRequestResponseFileURLWithResult:
        (@Sendable (DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
    /// A handler of the unserialized download is about to be called.
    @Guarded open var requestDidParseDownloadResponse: (@Sendable (DownloadRequest, AFDownloadResponse<URL?>) -> Void)?

    open func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?) {
        sessionDidBecomeInvalidWithError?(session, error)
    }

    open func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse) {
        taskDidReceiveChallenge?(request, task, response)
    }

    open func request(
        _ request: Request,
        task: TransferTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        taskDidSendBodyData?(request, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    open func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        taskNeedNewBodyStream?(request, task)
    }

    open func request(
        _ request: Request,
        task: TransferTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {
        taskWillPerformHTTPRedirection?(request, task, response, newRequest)
    }

    open func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {
        taskDidFinishCollectingMetrics?(request, task, metrics)
    }

    open func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {
        taskDidComplete?(request, task, error)
    }

    open func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {
        taskIsWaitingForConnectivity?(request, task)
    }

    open func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        dataTaskDidReceiveResponse?(request, task, response)
    }

    open func request(_ request: Request, task: TransferTask, didReceive data: Data) {
        dataTaskDidReceiveData?(request, task, data)
    }

    open func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        downloadTaskDidFinishDownloadingToURL?(request, task, location)
    }

    open func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        downloadTaskDidWriteData?(request, task, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }

    open func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        downloadTaskDidResumeAtOffset?(request, task, fileOffset, expectedTotalBytes)
    }

    open func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        requestDidCreateInitialURLRequest?(request, urlRequest)
    }

    open func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        requestDidFailToCreateURLRequestWithError?(request, error)
    }

    open func request(
        _ request: Request,
        didAdaptInitialRequest initialRequest: URLRequest,
        to adaptedRequest: URLRequest
    ) {
        requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest)
    }

    open func request(
        _ request: Request,
        didFailToAdaptURLRequest initialRequest: URLRequest,
        withError error: AFError
    ) {
        requestDidFailToAdaptURLRequestWithError?(request, initialRequest, error)
    }

    open func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        requestDidCreateURLRequest?(request, urlRequest)
    }

    open func request(_ request: Request, didCreateTask task: TransferTask) { requestDidCreateTask?(request, task) }

    open func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {
        requestDidGatherMetrics?(request, metrics)
    }

    open func request(_ request: Request, didFailTask task: TransferTask, earlyWithError error: AFError) {
        requestDidFailTaskEarlyWithError?(request, task, error)
    }

    open func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        requestDidCompleteTaskWithError?(request, task, error)
    }

    open func requestIsRetrying(_ request: Request) { requestIsRetrying?(request) }

    open func requestDidFinish(_ request: Request) { requestDidFinish?(request) }

    open func requestDidResume(_ request: Request) { requestDidResume?(request) }

    open func request(_ request: Request, didResumeTask task: TransferTask) { requestDidResumeTask?(request, task) }

    open func requestDidSuspend(_ request: Request) { requestDidSuspend?(request) }

    open func request(_ request: Request, didSuspendTask task: TransferTask) { requestDidSuspendTask?(request, task) }

    open func requestDidCancel(_ request: Request) { requestDidCancel?(request) }

    open func request(_ request: Request, didCancelTask task: TransferTask) { requestDidCancelTask?(request, task) }

    open func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result)
    }

    open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        requestDidParseResponse?(request, response)
    }

    open func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseWithResult?(request, urlRequest, response, result)
    }

    open func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        requestDidCreateUploadable?(request, uploadable)
    }

    open func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
        requestDidFailToCreateUploadableWithError?(request, error)
    }

    open func request(_ request: UploadRequest, didProvideInputStream stream: any BodyStream) {
        requestDidProvideInputStream?(request, stream)
    }

    open func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: TransferTask?,
        with result: Result<URL, AFError>
    ) {
        requestDidFinishDownloadingUsingTaskWithResult?(request, task, result)
    }

    open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        requestDidCreateDestinationURL?(request, url)
    }

    open func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result)
    }

    open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        requestDidParseDownloadResponse?(request, response)
    }
}

extension ClosureEventMonitor {
    /// A closure under a lock of its own.
    @propertyWrapper
    public struct Guarded<Value: Sendable>: Sendable {
        private final class Storage: Sendable {
            let value: Mutex<Value>
            init(_ value: Value) { self.value = Mutex(value) }
        }

        private let storage: Storage

        /// A place for a value, with nothing in it.
        public init() where Value: ExpressibleByNilLiteral { storage = Storage(nil) }

        /// The value of the moment.
        public var wrappedValue: Value {
            get { storage.value.withLock { $0 } }
            nonmutating set { storage.value.withLock { $0 = newValue } }
        }
    }
}
