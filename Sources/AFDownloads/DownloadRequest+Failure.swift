@_spi(Requests) internal import AFRequests
internal import AFTransport
internal import FoundationEssentials

extension DownloadRequest {
    /// The failure of an attempt at a download, before it becomes the error of the request.
    enum Failure: Sendable {
        /// The response does not have the expected bytes, or they cannot be saved.
        case download(DownloadFailure)
        /// The complete file cannot be moved to its destination.
        case move(DownloadFailure, from: String, to: String)
        /// The attempt failed like one of any other request.
        case attempt(AttemptFailure)

        /// The reason why the file could not be saved; `nil` if the attempt failed for another reason.
        var reason: DownloadFailure.Reason? {
            switch self {
            case .download(let failure), .move(let failure, _, _): failure.reason
            case .attempt: nil
            }
        }

        /// The failure for the kernel.
        var ofAttempt: AttemptFailure {
            switch self {
            case .download(let failure): .local(failure)
            case .move(let failure, let source, let destination):
                Self.attemptFailure(failure, URL(literalPath: source), URL(literalPath: destination))
            case .attempt(let failure): failure
            }
        }

        private static func attemptFailure(
            _ failure: DownloadFailure, _ source: URL, _ destination: URL
        ) -> AttemptFailure {
            guard !failure.reason.isOfDestination else {
                return .move(failure, source: source, destination: destination)
            }
            return .request(.downloadedFileMoveFailed(error: failure, source: source, destination: destination))
        }

        /// The error of the request, without a converter.
        var error: AFError { ofAttempt.error }

        /// Returns the failure with resume data.
        func resumable(with data: Data) -> Self {
            switch self {
            case .download(var failure):
                failure.resumeData = data
                return .download(failure)
            case .move: return self
            case .attempt(let failure):
                // A segment's error may be converted already; the download's is converted later.
                guard case .sessionTaskFailed(let error) = failure.error, var failure = error.transferFailure else {
                    return self
                }
                failure.resumption = Array(data)
                return .attempt(.transfer(failure))
            }
        }
    }
}
