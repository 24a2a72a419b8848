public import AFCore
public import AFHTTP
public import AFTransport
public import Foundation
public import FoundationNetworking

/// A monitor with Alamofire's methods that are named after those of URLSession's delegate.
///
/// It is told of everything that ``AFCore/EventMonitor`` tells; the methods here are called by its defaults for the same
/// events. A monitor that implements one of those, such as `request(_:task:didFinishCollecting:)`, is not called by both
/// names.
///
/// - The session is always `URLSession.shared`: there is no URLSession behind a request, and the argument says nothing.
/// - Challenges of servers and proxies are reported, those of certificates are not: evaluators decide about them.
/// - `hearsBodies` is `true`, so that `didSendBodyData`, `didReceive data` and `didWriteData` are called. Every chunk is
///   copied for that; a monitor that has none of the three may return `false`.
public protocol EventMonitor: AFCore.EventMonitor {
    /// The session is gone.
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    /// The server or the proxy asked for credentials, and gets them if the request has any.
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge)
    /// A chunk of the request body was handed to the network. A total that is unknown is 0.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    )
    /// The request body is read again from its first byte.
    func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask)
    /// A redirect is followed.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    )
    /// The transfer is over, with these timings and sizes.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    /// The transfer is over; the error of a transport failure is a `URLError`.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
    /// The request waits for a network; see ``AFCore/OfflineRetrier``.
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    /// The head of the final response came; not reported for downloads.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse)
    /// A chunk of the response body came; not reported for downloads.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
    /// A response is complete, and the session's cache may store it.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse
    )
    /// The response body continues the file of an earlier attempt. A total that is unknown is 0.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    )
    /// A chunk of the response body is in the file, or about to be. A total that is unknown is 0.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
    /// The complete body is in the file, which does not have its destination yet.
    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    )
}

extension ClosureEventMonitor: EventMonitor {}
extension CompositeEventMonitor: EventMonitor {}
extension AlamofireNotifications: EventMonitor {}

// The requirements are documented where they are declared.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Nothing happens by default.
extension EventMonitor {
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) {}
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}
    public func urlSession(_ session: URLSession, taskNeedsNewBodyStream task: URLSessionTask) {}
    public func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse) {}
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse
    ) {}
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {}
    public func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
}
