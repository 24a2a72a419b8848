public import AFCore
public import AFFoundation
public import AFHTTP
public import AFTransport
public import Foundation
public import FoundationNetworking

/// A monitor with Alamofire's methods that are named after those of URLSession's delegate.
///
/// It receives all events of ``AFCore/EventMonitor``; the defaults of that protocol call the methods here. A monitor
/// that implements one of those, such as `request(_:task:didFinishCollecting:)`, is not called by both names.
///
/// - The session is always `URLSession.shared`: a request has no URLSession, and the argument has no meaning.
/// - Only monitors of a session receive these events, not those of one request (`Request.eventMonitor(_:)`), as in
///   Alamofire.
/// - Challenges of servers and proxies are reported; those of certificates are not, as trust evaluators decide.
/// - `observesBodies` is `true`, so that `didSendBodyData`, `didReceive data` and `didWriteData` are called. This
///   copies every chunk; a monitor that needs none of the three may return `false`.
public protocol EventMonitor: AFCore.EventMonitor {
    /// The session was deallocated.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    /// The server or the proxy requested credentials, and receives them if the request has any.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)
    /// A chunk of the request body was passed to the network. An unknown total is 0.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// The request body is rewound to its first byte.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)
    /// A redirect is followed.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )
    /// The transfer has ended, with these metrics.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    /// The transfer has ended; transport failures are `URLError`s.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    /// The request waits for a network; see ``AFCore/OfflineRetrier``.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// The final response header was received; not reported for downloads.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
    /// A chunk of the response body was received; not reported for downloads.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
    /// A response is complete and may be stored in the session's cache.
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    )
    /// The response body continues the file of an earlier attempt. An unknown total is 0.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
    /// A chunk of the response body is written to the file. An unknown total is 0.
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    )
    /// The complete body is in the temporary file, before it is moved to its destination.
    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
}

extension ClosureEventMonitor: EventMonitor {}
extension CompositeEventMonitor: EventMonitor {}
extension AlamofireNotifications: EventMonitor {}

// The requirements are documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Defaults that do nothing.
extension EventMonitor {
    public func urlSession(_: URLSession, didBecomeInvalidWithError: (any Error)?) {}
    public func urlSession(_: URLSession, task: URLSessionTask, didReceive: URLAuthenticationChallenge) {}
    public func urlSession(
        _: URLSession, task: URLSessionTask, didSendBodyData: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}
    public func urlSession(_: URLSession, taskNeedsNewBodyStream: URLSessionTask) {}
    public func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection: HTTPURLResponse, newRequest: URLRequest
    ) {}
    public func urlSession(_: URLSession, task: URLSessionTask, didFinishCollecting: URLSessionTaskMetrics) {}
    public func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError: (any Error)?) {}
    public func urlSession(_: URLSession, taskIsWaitingForConnectivity: URLSessionTask) {}
    public func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive: URLResponse) {}
    public func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive: Data) {}
    public func urlSession(_: URLSession, dataTask: URLSessionDataTask, willCacheResponse: CachedURLResponse) {}
    public func urlSession(
        _: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset: Int64, expectedTotalBytes: Int64
    ) {}
    public func urlSession(
        _: URLSession, downloadTask: URLSessionDownloadTask, didWriteData: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}
    public func urlSession(_: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo: URL) {}
}

// The core's events under Alamofire's names. These defaults are more specialized than the core's, so that types
// conforming here use them; the core's protocol documents when each event occurs.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Forwards every transport event to the method of Alamofire's name, unless the monitor is only that of one request.
extension EventMonitor {
    public var observesBodies: Bool { true }

    public func session(_ session: ObjectIdentifier, didBecomeInvalidWithError error: (any Error)?) {
        urlSession(.shared, didBecomeInvalidWithError: error)
    }
    public func request(_ request: Request, task: TransferTask, didReceiveChallenge response: HTTPURLResponse) {
        guard observes(request), let challenge = URLAuthenticationChallenge(response, to: task.currentRequest) else {
            return
        }
        urlSession(.shared, task: task, didReceive: challenge)
    }
    public func request(
        _ request: Request, task: TransferTask, didSendBodyData sent: Int64, totalBytesSent total: Int64,
        totalBytesExpectedToSend length: Int64
    ) {
        guard observes(request) else { return }
        urlSession(.shared, task: task, didSendBodyData: sent, totalBytesSent: total, totalBytesExpectedToSend: length)
    }
    public func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        if observes(request) { urlSession(.shared, taskNeedsNewBodyStream: task) }
    }
    public func request(
        _ request: Request, task: TransferTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {
        guard observes(request) else { return }
        urlSession(.shared, task: task, willPerformHTTPRedirection: response, newRequest: newRequest)
    }
    public func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {
        if observes(request) { urlSession(.shared, task: task, didFinishCollecting: metrics) }
    }
    public func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {
        guard observes(request) else { return }
        let error = error.map { URLErrorConverter().error(for: $0, at: task.currentRequest.url) }
        urlSession(.shared, task: task, didCompleteWithError: error)
    }
    public func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {
        if observes(request) { urlSession(.shared, taskIsWaitingForConnectivity: task) }
    }
    public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        if request.hasDataTask, observes(request) { urlSession(.shared, dataTask: task, didReceive: response) }
    }
    public func request(_ request: Request, task: TransferTask, didReceive data: Data) {
        if request.hasDataTask, observes(request) { urlSession(.shared, dataTask: task, didReceive: data) }
    }
    public func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        if observes(request) { urlSession(.shared, dataTask: task, willCacheResponse: response) }
    }
    public func request(
        _ request: DownloadRequest, task: TransferTask, didResumeAtOffset offset: Int64, expectedTotalBytes total: Int64
    ) {
        guard observes(request) else { return }
        urlSession(.shared, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: total)
    }
    public func request(
        _ request: DownloadRequest, task: TransferTask, didWriteData written: Int64, totalBytesWritten total: Int64,
        totalBytesExpectedToWrite length: Int64
    ) {
        guard observes(request) else { return }
        urlSession(
            .shared, downloadTask: task, didWriteData: written, totalBytesWritten: total,
            totalBytesExpectedToWrite: length)
    }
    public func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        if observes(request) { urlSession(.shared, downloadTask: task, didFinishDownloadingTo: location) }
    }

    /// Whether this is a monitor of the session, and not only of the request.
    private func observes(_ request: Request) -> Bool {
        request.sessionMonitor?.monitors.contains { monitor in
            // A structure has no identity: another one of its type counts.
            guard type(of: self) is AnyClass else { return type(of: monitor) == type(of: self) }
            return (monitor as AnyObject) === (self as AnyObject)
        } == true
    }
}

extension Request {
    /// Whether URLSession would create a data task for the request.
    fileprivate var hasDataTask: Bool { !(self is DownloadRequest || self is SegmentRequest) }
}
