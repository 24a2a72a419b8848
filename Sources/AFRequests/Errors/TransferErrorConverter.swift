public import AFTransport
public import FoundationEssentials

/// Converts the failures of transfers for ``AFError/sessionTaskFailed(error:)``, and those of destinations for
/// ``AFError/downloadedFileMoveFailed(error:source:destination:)``.
///
/// A session without a converter uses `TransferFailure`, ``RedirectFailure`` and ``DownloadFailure``; see
/// ``SessionConfiguration/transferErrorConverter``. AFFoundation has a converter to `URLError` and `CocoaError`.
public protocol TransferErrorConverter: Sendable {
    /// Returns the error for an attempt that failed, as seen by retriers, monitors and handlers.
    ///
    /// An error that is ``TransferFailureConvertible`` keeps rules of this module working, such as
    /// ``RetryPolicy`` and the resume data of downloads.
    ///
    /// - Parameters:
    ///   - failure: A `TransferFailure` or a ``RedirectFailure``; a ``DownloadFailure`` of the destination.
    ///   - url: The URL of the attempt's last hop.
    func error(for failure: any Error, at url: URL?) -> any Error
}

/// An error that represents the failure of a transfer, such as Foundation's `URLError` with AFFoundation.
public protocol TransferFailureConvertible: Error {
    /// The failure; `nil` if the error has another cause.
    var transferFailure: TransferFailure? { get }
}

extension Error {
    /// The failure that the error, or the error below an ``AFError``, is or represents; `nil` if it has another cause.
    public var transferFailure: TransferFailure? {
        let error = asAFError?.underlyingError ?? self
        return error as? TransferFailure ?? (error as? any TransferFailureConvertible)?.transferFailure
    }
}
