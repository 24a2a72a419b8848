public import AFRequests
internal import AFTransport
public import FoundationEssentials

extension TransferFailure: ResumableError {
    /// The ``DownloadRecord`` of a failed download as JSON; `nil` if it cannot be resumed, and for other requests.
    public var resumeData: Data? { resumption.map { Data($0) } }
}
