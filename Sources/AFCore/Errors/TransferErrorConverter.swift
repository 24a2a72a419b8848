public import AFTransport
public import FoundationEssentials

/// Converts the failures of transfers to the errors that ``AFError/sessionTaskFailed(error:)`` holds.
///
/// A session without one keeps `TransferFailure` and ``RedirectFailure``; see
/// ``SessionConfiguration/transferErrorConverter``. AFFoundation has one that makes `URLError`s.
public protocol TransferErrorConverter: Sendable {
    /// Returns the error for an attempt that failed. Retriers, monitors and handlers see it from then on.
    ///
    /// An error that is ``TransferFailureConvertible`` keeps the rules of this module working, such as
    /// ``RetryPolicy`` and the resume data of downloads.
    ///
    /// - Parameters:
    ///   - failure: A `TransferFailure` or a ``RedirectFailure``.
    ///   - url: The URL of the attempt's last hop.
    func error(for failure: any Error, at url: URL?) -> any Error
}

/// An error that represents the failure of a transfer, such as Foundation's `URLError` with AFFoundation.
public protocol TransferFailureConvertible: Error {
    /// The failure; `nil` if the error has a cause that no transfer has.
    var transferFailure: TransferFailure? { get }
}

extension Error {
    /// The failure that the error, or the error below an ``AFError``, is or represents; `nil` if it has another cause.
    public var transferFailure: TransferFailure? {
        let error = asAFError?.underlyingError ?? self
        return error as? TransferFailure ?? (error as? any TransferFailureConvertible)?.transferFailure
    }
}
