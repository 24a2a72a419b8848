internal import AFTransport

extension Request {
    /// Returns the error as the session's converter has it.
    func converted(_ error: AFError) -> AFError {
        guard let converter = session?.configuration.transferErrorConverter,
            case .sessionTaskFailed(let failure) = error, failure is TransferFailure || failure is RedirectFailure
        else { return error }
        return .sessionTaskFailed(error: converter.error(for: failure, at: task?.currentRequest.url))
    }
}
