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
        guard request.isMonitoredBySession(self),
            let challenge = URLAuthenticationChallenge(response, to: task.currentRequest)
        else { return }
        urlSession(.shared, task: task, didReceive: challenge)
    }

    public func request(
        _ request: Request,
        task: TransferTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(
            .shared,
            task: task,
            didSendBodyData: bytesSent,
            totalBytesSent: totalBytesSent,
            totalBytesExpectedToSend: totalBytesExpectedToSend
        )
    }

    public func request(_ request: Request, taskNeedsNewBodyStream task: TransferTask) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, taskNeedsNewBodyStream: task)
    }

    public func request(
        _ request: Request,
        task: TransferTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest
    ) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, task: task, willPerformHTTPRedirection: response, newRequest: newRequest)
    }

    public func request(_ request: Request, task: TransferTask, didFinishCollecting metrics: TransferMetrics) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, task: task, didFinishCollecting: metrics)
    }

    public func request(_ request: Request, task: TransferTask, didCompleteWithError error: (any Error)?) {
        guard request.isMonitoredBySession(self) else { return }
        let error = error.map { URLErrorConverter().error(for: $0, at: task.currentRequest.url) }
        urlSession(.shared, task: task, didCompleteWithError: error)
    }

    public func request(_ request: Request, taskIsWaitingForConnectivity task: TransferTask) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, taskIsWaitingForConnectivity: task)
    }

    public func request(_ request: Request, task: TransferTask, didReceive response: HTTPURLResponse) {
        guard request.hasDataTask, request.isMonitoredBySession(self) else { return }
        urlSession(.shared, dataTask: task, didReceive: response)
    }

    public func request(_ request: Request, task: TransferTask, didReceive data: Data) {
        guard request.hasDataTask, request.isMonitoredBySession(self) else { return }
        urlSession(.shared, dataTask: task, didReceive: data)
    }

    public func request(_ request: Request, task: TransferTask, willCacheResponse response: CachedURLResponse) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, dataTask: task, willCacheResponse: response)
    }

    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(
            .shared,
            downloadTask: task,
            didResumeAtOffset: fileOffset,
            expectedTotalBytes: expectedTotalBytes
        )
    }

    public func request(
        _ request: DownloadRequest,
        task: TransferTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(
            .shared,
            downloadTask: task,
            didWriteData: bytesWritten,
            totalBytesWritten: totalBytesWritten,
            totalBytesExpectedToWrite: totalBytesExpectedToWrite
        )
    }

    public func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL) {
        guard request.isMonitoredBySession(self) else { return }
        urlSession(.shared, downloadTask: task, didFinishDownloadingTo: location)
    }
}

extension Request {
    /// Whether URLSession would create a data task for the request.
    fileprivate var hasDataTask: Bool { !(self is DownloadRequest || self is SegmentRequest) }
}

extension URLAuthenticationChallenge {
    /// Creates Foundation's view of a response with status 401 or 407; `nil` if the request has no URL.
    ///
    /// It contains the first challenge. Responses to it have no effect: the request already has its credentials.
    fileprivate convenience init?(_ response: AFHTTP.HTTPURLResponse, to request: AFHTTP.URLRequest) {
        guard let url = request.url, let host = url.host() else { return nil }
        let isProxy = response.statusCode == 407
        let field = response.headers.value(for: isProxy ? "Proxy-Authenticate" : "WWW-Authenticate")
        let challenge = field.flatMap { AuthenticationChallenge.challenges(in: $0).first }
        let method =
            switch challenge?.method {
            case .basic: NSURLAuthenticationMethodHTTPBasic
            case .digest: NSURLAuthenticationMethodHTTPDigest
            case .ntlm: NSURLAuthenticationMethodNTLM
            case .negotiate: NSURLAuthenticationMethodNegotiate
            case nil: NSURLAuthenticationMethodDefault
            }
        let space = FoundationNetworking.URLProtectionSpace(
            host: host,
            port: url.port ?? (url.scheme == "https" ? 443 : 80),
            protocol: url.scheme,
            realm: challenge?.realm,
            authenticationMethod: method
        )
        self.init(
            protectionSpace: space,
            proposedCredential: nil,
            previousFailureCount: 0,
            failureResponse: FoundationNetworking.HTTPURLResponse(response),
            error: nil,
            sender: UnansweredChallengeSender()
        )
    }
}

/// Ignores responses to a challenge that is only reported.
private final class UnansweredChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: FoundationNetworking.URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
