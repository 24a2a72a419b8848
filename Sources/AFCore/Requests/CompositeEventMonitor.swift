public import AFHTTP
public import AFTransport
public import Dispatch
public import FoundationEssentials

// The methods forward ``EventMonitor``'s events, which are documented there.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// A monitor that forwards events to several others, each on its own queue.
public final class CompositeEventMonitor: EventMonitor {
    /// The queue used if this monitor is part of another one; sessions call it on any thread.
    public let queue: DispatchQueue
    /// The monitors, in the order of forwarding.
    public let monitors: [any EventMonitor]
    private let posters: [AlamofireNotifications]
    private let creationObservers: [any RequestCreationObserver]
    private let hasOthers: Bool

    init(monitors: [any EventMonitor], queue: DispatchQueue = DispatchQueue(label: "org.afcli.compositeEventMonitor")) {
        self.monitors = monitors
        self.queue = queue
        posters = monitors.compactMap { $0 as? AlamofireNotifications }
        hasOthers = posters.count < monitors.count
        creationObservers = hasOthers ? monitors.compactMap { $0 as? any RequestCreationObserver } : []
    }

    /// Whether one of the monitors observes body chunks.
    public var observesBodies: Bool { monitors.contains(where: \.observesBodies) }

    /// Every session posts notifications, and few programs observe them; the others must have no overhead.
    var isListening: Bool { hasOthers || posters.contains { $0.isObserved } }

    /// Whether a monitor is one of these. A structure has no identity: another one of its type counts.
    func contains(_ monitor: any EventMonitor) -> Bool {
        monitors.contains { other in
            if let composite = other as? CompositeEventMonitor, composite.contains(monitor) { return true }
            guard type(of: monitor) is AnyClass else { return type(of: other) == type(of: monitor) }
            return (other as AnyObject) === (monitor as AnyObject)
        }
    }

    /// Calls the observers of new requests on this thread.
    func didCreate(_ request: Request) {
        for observer in creationObservers { observer.didCreate(request) }
    }

    private func notifyAll(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        for monitor in monitors { monitor.queue.async { event(monitor) } }
    }

    private func notifyBodyObservers(_ event: @escaping @Sendable (any EventMonitor) -> Void) {
        for monitor in monitors where monitor.observesBodies { monitor.queue.async { event(monitor) } }
    }

    public func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?) {
        notifyAll { $0.session(session, didBecomeInvalidWithError: error) }
    }

    public func request(_ request: Request, task: TransferTask, didReceiveInterim head: TransferHead) {
        notifyAll { $0.request(request, task: task, didReceiveInterim: head) }
    }

    public func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse) {
        notifyAll { $0.request(request, task: task, didReceiveChallenge: response) }
    }

    public func request(
        _ request: Request,
        task: TransferTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        notifyBodyObservers {
            $0.request(
                request,
                task: task,
                didSendBodyData: bytesSent,
                totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend
            )
        }
    }

    public func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        notifyAll { $0.request(request, taskNeedsNewBodyStream: task) }
    }

    public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        notifyAll { $0.request(request, task: task, didReceive: response) }
    }

    public func request(_ request: Request, task: TransferTask, didReceive data: Data) {
        notifyBodyObservers { $0.request(request, task: task, didReceive: data) }
    }

    public func request(_ request: Request, task: TransferTask, didReceiveRedirect response: HTTPURLResponse) {
        notifyAll { $0.request(request, task: task, didReceiveRedirect: response) }
    }

    public func request(
        _ request: Request,
        task: TransferTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {
        notifyAll { $0.request(request, task: task, willPerformHTTPRedirection: response, newRequest: newRequest) }
    }

    public func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {
        notifyAll { $0.request(request, taskIsWaitingForConnectivity: task) }
    }

    public func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {
        notifyAll { $0.request(request, task: task, didFinishCollecting: metrics) }
    }

    public func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {
        notifyAll { $0.request(request, task: task, didCompleteWithError: error) }
    }

    public func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        notifyAll { $0.request(request, task: task, willCacheResponse: response) }
    }

    public func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
        notifyAll { $0.request(request, didCreateInitialURLRequest: urlRequest) }
    }

    public func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
        notifyAll { $0.request(request, didFailToCreateURLRequestWithError: error) }
    }

    public func request(
        _ request: Request, didAdaptInitialRequest initialRequest: URLRequest, to adaptedRequest: URLRequest
    ) {
        notifyAll { $0.request(request, didAdaptInitialRequest: initialRequest, to: adaptedRequest) }
    }

    public func request(
        _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest, withError error: AFError
    ) {
        notifyAll { $0.request(request, didFailToAdaptURLRequest: initialRequest, withError: error) }
    }

    public func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
        notifyAll { $0.request(request, didCreateURLRequest: urlRequest) }
    }

    public func request(_ request: Request, didCreateTask task: TransferTask) {
        notifyAll { $0.request(request, didCreateTask: task) }
    }

    public func request(_ request: Request, didGatherMetrics metrics: TransferMetrics) {
        notifyAll { $0.request(request, didGatherMetrics: metrics) }
    }

    public func request(_ request: Request, didFailTask task: TransferTask, earlyWithError error: AFError) {
        notifyAll { $0.request(request, didFailTask: task, earlyWithError: error) }
    }

    public func request(_ request: Request, didCompleteTask task: TransferTask, with error: AFError?) {
        notifyAll { $0.request(request, didCompleteTask: task, with: error) }
    }

    public func requestIsRetrying(_ request: Request) {
        notifyAll { $0.requestIsRetrying(request) }
    }

    public func requestDidFinish(_ request: Request) {
        notifyAll { $0.requestDidFinish(request) }
    }

    public func requestDidResume(_ request: Request) {
        notifyAll { $0.requestDidResume(request) }
    }

    public func request(_ request: Request, didResumeTask task: TransferTask) {
        notifyAll { $0.request(request, didResumeTask: task) }
    }

    public func requestDidSuspend(_ request: Request) {
        notifyAll { $0.requestDidSuspend(request) }
    }

    public func request(_ request: Request, didSuspendTask task: TransferTask) {
        notifyAll { $0.request(request, didSuspendTask: task) }
    }

    public func requestDidCancel(_ request: Request) {
        notifyAll { $0.requestDidCancel(request) }
    }

    public func request(_ request: Request, didCancelTask task: TransferTask) {
        notifyAll { $0.request(request, didCancelTask: task) }
    }

    public func request(
        _ request: DataRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        data: Data?,
        withResult result: Request.ValidationResult
    ) {
        notifyAll {
            $0.request(request, didValidateRequest: urlRequest, response: response, data: data, withResult: result)
        }
    }

    public func request(_ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>) {
        notifyAll { $0.request(request, didParseResponse: response) }
    }

    public func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
        notifyAll { $0.request(request, didParseResponse: response) }
    }

    public func request(
        _ request: DataStreamRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        withResult result: Request.ValidationResult
    ) {
        notifyAll { $0.request(request, didValidateRequest: urlRequest, response: response, withResult: result) }
    }

    public func request<Value: Sendable>(_ request: DataStreamRequest, didParseStream result: Result<Value, AFError>) {
        notifyAll { $0.request(request, didParseStream: result) }
    }

    public func request(_ request: UploadRequest, didCreateUploadable uploadable: UploadRequest.Uploadable) {
        notifyAll { $0.request(request, didCreateUploadable: uploadable) }
    }

    public func request(_ request: UploadRequest, didFailToCreateUploadableWithError error: AFError) {
        notifyAll { $0.request(request, didFailToCreateUploadableWithError: error) }
    }

    public func request(_ request: UploadRequest, didProvideInputStream stream: any BodyStream) {
        notifyAll { $0.request(request, didProvideInputStream: stream) }
    }

    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        notifyAll {
            $0.request(request, task: task, didResumeAtOffset: fileOffset, expectedTotalBytes: expectedTotalBytes)
        }
    }

    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        notifyBodyObservers {
            $0.request(
                request,
                task: task,
                didWriteData: bytesWritten,
                totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite
            )
        }
    }

    public func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        notifyAll { $0.request(request, task: task, didFinishDownloadingTo: location) }
    }

    public func request(_ request: DownloadRequest, didCreateDestinationURL url: URL) {
        notifyAll { $0.request(request, didCreateDestinationURL: url) }
    }

    public func request(
        _ request: DownloadRequest,
        didFinishDownloadingUsing task: TransferTask?,
        with result: Result<URL, AFError>
    ) {
        notifyAll { $0.request(request, didFinishDownloadingUsing: task, with: result) }
    }

    public func request(
        _ request: DownloadRequest,
        didValidateRequest urlRequest: URLRequest?,
        response: HTTPURLResponse,
        fileURL: URL?,
        withResult result: Request.ValidationResult
    ) {
        notifyAll {
            $0.request(
                request, didValidateRequest: urlRequest, response: response, fileURL: fileURL, withResult: result)
        }
    }

    public func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>) {
        notifyAll { $0.request(request, didParseResponse: response) }
    }

    public func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
    {
        notifyAll { $0.request(request, didParseResponse: response) }
    }
}

/// A monitor that needs the task-local values of the code that creates a request.
package protocol RequestCreationObserver: Sendable {
    /// Called by the method that creates a request, before it returns.
    func didCreate(_ request: Request)
}
