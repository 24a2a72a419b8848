public import AFCore
public import AFHTTP
public import AFTransport
public import Foundation
internal import FoundationNetworking

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
        guard let challenge = URLAuthenticationChallenge(response, to: task.currentRequest) else { return }
        forward(request) { urlSession(.shared, task: task, didReceive: challenge) }
    }
    public func request(
        _ request: Request, task: TransferTask, didSendBodyData sent: Int64, totalBytesSent total: Int64,
        totalBytesExpectedToSend length: Int64
    ) {
        forward(request) {
            urlSession(
                .shared, task: task, didSendBodyData: sent, totalBytesSent: total, totalBytesExpectedToSend: length)
        }
    }
    public func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        forward(request) { urlSession(.shared, taskNeedsNewBodyStream: task) }
    }
    public func request(
        _ request: Request, task: TransferTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {
        forward(request) {
            urlSession(.shared, task: task, willPerformHTTPRedirection: response, newRequest: newRequest)
        }
    }
    public func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {
        forward(request) { urlSession(.shared, task: task, didFinishCollecting: metrics) }
    }
    public func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {
        let error = error.map { URLErrorConverter().error(for: $0, at: task.currentRequest.url) }
        forward(request) { urlSession(.shared, task: task, didCompleteWithError: error) }
    }
    public func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {
        forward(request) { urlSession(.shared, taskIsWaitingForConnectivity: task) }
    }
    public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        if request.hasDataTask { forward(request) { urlSession(.shared, dataTask: task, didReceive: response) } }
    }
    public func request(_ request: Request, task: TransferTask, didReceive data: Data) {
        if request.hasDataTask { forward(request) { urlSession(.shared, dataTask: task, didReceive: data) } }
    }
    public func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        forward(request) { urlSession(.shared, dataTask: task, willCacheResponse: response) }
    }
    public func request(
        _ request: DownloadRequest, task: TransferTask, didResumeAtOffset offset: Int64, expectedTotalBytes: Int64
    ) {
        forward(request) {
            urlSession(
                .shared, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expectedTotalBytes)
        }
    }
    public func request(
        _ request: DownloadRequest, task: TransferTask, didWriteData written: Int64, totalBytesWritten total: Int64,
        totalBytesExpectedToWrite length: Int64
    ) {
        forward(request) {
            urlSession(
                .shared, downloadTask: task, didWriteData: written, totalBytesWritten: total,
                totalBytesExpectedToWrite: length)
        }
    }
    public func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        forward(request) { urlSession(.shared, downloadTask: task, didFinishDownloadingTo: location) }
    }

    private func forward(_ request: Request, _ event: () -> Void) {
        if request.isMonitoredBySession(self) { event() }
    }
}

extension Request {
    /// Whether URLSession would create a data task for the request.
    fileprivate var hasDataTask: Bool { !(self is DownloadRequest || self is SegmentRequest) }
}
