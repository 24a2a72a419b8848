public import AFHTTP
public import AFRequests
public import FoundationEssentials

/// An observer of all events of requests, those of downloads included, called in order on its own queue.
///
/// Every event has an empty default. The events of all requests are documented in ``RequestEventMonitor``;
/// where a session takes one of those, it also reports downloads to a monitor of this kind.
public protocol EventMonitor: RequestEventMonitor {
    /// Called when the body continues the file of an earlier attempt. An unknown total is 0.
    func request(
        _ request: DownloadRequest, task: TransferTask, didResumeAtOffset fileOffset: Int64, expectedTotalBytes: Int64
    )
    /// Called when a chunk of the body was received and is written to the file; see
    /// ``RequestEventMonitor/observesBodies``. An unknown total is 0.
    func request(
        _ request: DownloadRequest, task: TransferTask, didWriteData bytesWritten: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    )
    /// Called when the complete body is in the partial file, before the file is moved.
    func request(_ request: DownloadRequest, task: TransferTask, didFinishDownloadingTo location: URL)
    /// Called when the destination of the file was determined.
    func request(_ request: DownloadRequest, didCreateDestinationURL url: URL)
    /// Called when the file was moved to its destination, or the move failed.
    func request(
        _ request: DownloadRequest, didFinishDownloadingUsing task: TransferTask?, with result: Result<URL, AFError>
    )
    /// Called when a validator has checked the response.
    func request(
        _ request: DownloadRequest, didValidateRequest urlRequest: URLRequest?, response: HTTPURLResponse,
        fileURL: URL?, withResult result: Request.ValidationResult
    )
    /// Called before a handler of the unserialized response is called.
    func request(_ request: DownloadRequest, didParseResponse response: DownloadResponse<URL?, AFError>)
    /// Called when a serializer has succeeded or failed.
    func request<Value>(_ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>)
}

// The requirements are documented in the protocol.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Defaults that do nothing.
extension EventMonitor {
    public func request(_: DownloadRequest, task: TransferTask, didResumeAtOffset: Int64, expectedTotalBytes: Int64) {}
    public func request(
        _: DownloadRequest, task: TransferTask, didWriteData: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {}
    public func request(_: DownloadRequest, task: TransferTask, didFinishDownloadingTo: URL) {}
    public func request(_: DownloadRequest, didCreateDestinationURL: URL) {}
    public func request(_: DownloadRequest, didFinishDownloadingUsing: TransferTask?, with: Result<URL, AFError>) {}
    public func request(
        _: DownloadRequest, didValidateRequest: URLRequest?, response: HTTPURLResponse, fileURL: URL?,
        withResult: Request.ValidationResult
    ) {}
    public func request(_: DownloadRequest, didParseResponse: DownloadResponse<URL?, AFError>) {}
    public func request<Value>(_: DownloadRequest, didParseResponse: DownloadResponse<Value, AFError>) {}
}

extension CompositeEventMonitor: EventMonitor {
    /// Reports an event of a download, or a chunk of it, to each monitor that observes those.
    func notifyOfDownload(isChunk: Bool = false, _ event: @escaping @Sendable (any EventMonitor) -> Void) {
        notify(ofChunk: isChunk) { if let monitor = $0 as? any EventMonitor { event(monitor) } }
    }
}
