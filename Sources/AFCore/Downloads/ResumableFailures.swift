internal import AFTransport
public import FoundationEssentials

extension TransferFailure: ResumableError {
    /// What the download left, as JSON of its ``DownloadRecord``; `nil` for transfers that were no downloads, too.
    public var resumeData: Data? { resumption.map { Data($0) } }
}

extension AFError {
    /// The same error, with what it takes to go on.
    func resumable(with data: Data) -> AFError {
        guard case .sessionTaskFailed(let error) = self else { return self }
        if var failure = error as? DownloadFailure {
            failure.resumeData = data
            return .sessionTaskFailed(error: failure)
        }
        // That of a segment may be converted already; the download's is converted later.
        guard var failure = error.transferFailure else { return self }
        failure.resumption = Array(data)
        return .sessionTaskFailed(error: failure)
    }
}
