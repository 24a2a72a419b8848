public import AFRequests
internal import AFTransport
public import FoundationEssentials

extension TransferFailure: ResumableError {
    /// The ``DownloadRecord`` of a failed download as JSON; `nil` if it cannot be resumed, and for other requests.
    public var resumeData: Data? { resumption.map { Data($0) } }
}

extension AFError {
    /// Returns the error with resume data.
    func resumable(with data: Data) -> AFError {
        guard case .sessionTaskFailed(let error) = self else { return self }
        if var failure = error as? DownloadFailure {
            failure.resumeData = data
            return .sessionTaskFailed(error: failure)
        }
        // A segment's error may be converted already; the download's is converted later.
        guard var failure = error.transferFailure else { return self }
        failure.resumption = Array(data)
        return .sessionTaskFailed(error: failure)
    }
}
