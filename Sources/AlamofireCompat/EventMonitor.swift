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
