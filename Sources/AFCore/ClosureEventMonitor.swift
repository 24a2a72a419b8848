public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials
internal import Synchronization

// The closures and methods are those of ``EventMonitor``, which documents them.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A monitor with a closure for each event.
///
/// A closure is called for the event of its name, with the arguments of the event's method in ``EventMonitor``, where
/// the events are documented. There are no closures for serialized values, as their types differ by serializer.
///
/// `@unchecked` because it may be subclassed; every closure has a lock, so it may be set at any time.
open class ClosureEventMonitor: EventMonitor, @unchecked Sendable {
    /// The queue on which the closures are called.
    public let queue: DispatchQueue

    /// Creates a monitor without closures.
    public init(queue: DispatchQueue = .main) {
        self.queue = queue
    }

    /// Whether a closure for body chunks is set.
    open var observesBodies: Bool {
        taskDidSendBodyData != nil || dataTaskDidReceiveData != nil || downloadTaskDidWriteData != nil
    }

    @Guarded open var sessionDidBecomeInvalidWithError: (@Sendable (ObjectIdentifier, (any Error)?) -> Void)?
    @Guarded open var taskDidReceiveChallenge: (@Sendable (Request, TransferTask, HTTPURLResponse) -> Void)?
    @Guarded open var taskDidSendBodyData: (@Sendable (Request, TransferTask, Int64, Int64, Int64) -> Void)?
    @Guarded open var taskNeedNewBodyStream: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var taskWillPerformHTTPRedirection:
        (@Sendable (Request, TransferTask, HTTPURLResponse, URLRequest) -> Void)?
    @Guarded open var taskDidFinishCollectingMetrics: (@Sendable (Request, TransferTask, TransferMetrics) -> Void)?
    @Guarded open var taskDidComplete: (@Sendable (Request, TransferTask, (any Error)?) -> Void)?
    @Guarded open var taskIsWaitingForConnectivity: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var dataTaskDidReceiveResponse: (@Sendable (Request, TransferTask, HTTPURLResponse) -> Void)?
    @Guarded open var dataTaskDidReceiveData: (@Sendable (Request, TransferTask, Data) -> Void)?
    @Guarded open var dataTaskWillCacheResponse: (@Sendable (Request, TransferTask, CachedURLResponse) -> Void)?
    @Guarded open var downloadTaskDidFinishDownloadingToURL: (@Sendable (DownloadRequest, TransferTask, URL) -> Void)?
    @Guarded open var downloadTaskDidWriteData:
        (@Sendable (DownloadRequest, TransferTask, Int64, Int64, Int64) -> Void)?
    @Guarded open var downloadTaskDidResumeAtOffset: (@Sendable (DownloadRequest, TransferTask, Int64, Int64) -> Void)?
    @Guarded open var requestDidCreateInitialURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    @Guarded open var requestDidFailToCreateURLRequestWithError: (@Sendable (Request, AFError) -> Void)?
    @Guarded open var requestDidAdaptInitialRequestToAdaptedRequest:
        (@Sendable (Request, URLRequest, URLRequest) -> Void)?
    @Guarded open var requestDidFailToAdaptURLRequestWithError: (@Sendable (Request, URLRequest, AFError) -> Void)?
    @Guarded open var requestDidCreateURLRequest: (@Sendable (Request, URLRequest) -> Void)?
    @Guarded open var requestDidCreateTask: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var requestDidGatherMetrics: (@Sendable (Request, TransferMetrics) -> Void)?
    @Guarded open var requestDidFailTaskEarlyWithError: (@Sendable (Request, TransferTask, AFError) -> Void)?
    @Guarded open var requestDidCompleteTaskWithError: (@Sendable (Request, TransferTask, AFError?) -> Void)?
    @Guarded open var requestIsRetrying: (@Sendable (Request) -> Void)?
    @Guarded open var requestDidFinish: (@Sendable (Request) -> Void)?
    @Guarded open var requestDidResume: (@Sendable (Request) -> Void)?
    @Guarded open var requestDidResumeTask: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var requestDidSuspend: (@Sendable (Request) -> Void)?
    @Guarded open var requestDidSuspendTask: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var requestDidCancel: (@Sendable (Request) -> Void)?
    @Guarded open var requestDidCancelTask: (@Sendable (Request, TransferTask) -> Void)?
    @Guarded open var requestDidValidateRequestResponseDataWithResult:
        (@Sendable (DataRequest, URLRequest?, HTTPURLResponse, Data?, Request.ValidationResult) -> Void)?
    @Guarded open var requestDidParseResponse: (@Sendable (DataRequest, AFDataResponse<Data?>) -> Void)?
    @Guarded open var requestDidValidateRequestResponseWithResult:
        (@Sendable (DataStreamRequest, URLRequest?, HTTPURLResponse, Request.ValidationResult) -> Void)?
    @Guarded open var requestDidCreateUploadable: (@Sendable (UploadRequest, UploadRequest.Uploadable) -> Void)?
    @Guarded open var requestDidFailToCreateUploadableWithError: (@Sendable (UploadRequest, AFError) -> Void)?
    @Guarded open var requestDidProvideInputStream: (@Sendable (UploadRequest, any BodyStream) -> Void)?
    @Guarded open var requestDidFinishDownloadingUsingTaskWithResult:
        (@Sendable (DownloadRequest, TransferTask?, Result<URL, AFError>) -> Void)?
    @Guarded open var requestDidCreateDestinationURL: (@Sendable (DownloadRequest, URL) -> Void)?
    @Guarded open var requestDidValidateRequestResponseFileURLWithResult:
        (@Sendable (DownloadRequest, URLRequest?, HTTPURLResponse, URL?, Request.ValidationResult) -> Void)?
    @Guarded open var requestDidParseDownloadResponse: (@Sendable (DownloadRequest, AFDownloadResponse<URL?>) -> Void)?

    open func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?) {
        sessionDidBecomeInvalidWithError?(session, error)
    }
    open func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse) {
        taskDidReceiveChallenge?(request, task, response)
    }
    open func request(
        _ request: Request, task: TransferTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        taskDidSendBodyData?(request, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }
    open func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        taskNeedNewBodyStream?(request, task)
    }
    open func request(
        _ request: Request, task: TransferTask, willPerformHTTPRedirection response: HTTPURLResponse,
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
    open func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        dataTaskWillCacheResponse?(request, task, response)
    }
    open func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        downloadTaskDidFinishDownloadingToURL?(request, task, location)
    }
    open func request(
        _ request: DownloadRequest, task: TransferTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        downloadTaskDidWriteData?(request, task, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }
    open func request(
        _ request: DownloadRequest, task: TransferTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
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
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
    ) {
        requestDidAdaptInitialRequestToAdaptedRequest?(request, initialRequest, adaptedRequest)
    }
    open func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
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
        _ request: DataRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse, data: Data?,
        withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseDataWithResult?(request, urlRequest, response, data, result)
    }
    open func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        requestDidParseResponse?(request, response)
    }
    open func request(
        _ request: DataStreamRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
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
        _ request: DownloadRequest, didFinishDownloadingUsing task: TransferTask?, with result: Result<URL, AFError>
    ) {
        requestDidFinishDownloadingUsingTaskWithResult?(request, task, result)
    }
    open func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        requestDidCreateDestinationURL?(request, url)
    }
    open func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        fileURL: URL?, withResult result: Request.ValidationResult
    ) {
        requestDidValidateRequestResponseFileURLWithResult?(request, urlRequest, response, fileURL, result)
    }
    open func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        requestDidParseDownloadResponse?(request, response)
    }
}

extension ClosureEventMonitor {
    /// A closure with its own lock.
    @propertyWrapper
    public final class Guarded<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        /// Creates an empty storage.
        public init() where Value: ExpressibleByNilLiteral { value = Mutex(nil) }

        /// The current value.
        public var wrappedValue: Value {
            get { value.withLock { $0 } }
            set {
                // The old closure is released outside the lock.
                var value = newValue
                self.value.withLock { swap(&$0, &value) }
            }
        }
    }
}
