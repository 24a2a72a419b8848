public import AFTransport
public import FoundationEssentials

/// The reason why an attempt failed, before it becomes the error of the request.
@_spi(Requests) public enum AttemptFailure: Sendable {
    /// The transport failed.
    case transfer(TransferFailure)
    /// A redirect is not followed.
    case redirect(RedirectFailure)
    /// The session's trust manager, which may be the caller's, returned no evaluator for the host.
    case trust(any Error)
    /// The kind of request found the failure: of a WebSocket after the switch of protocols, or of a download.
    case local(any Error)
    /// The file of a download cannot have its destination.
    case move(any Error, source: URL, destination: URL)
    /// Another reason, such as a validation or a cancellation.
    case request(AFError)

    /// The failure as monitors receive it.
    var reported: any Error {
        switch self {
        case .transfer(let failure): failure
        case .redirect(let failure): failure
        case .trust(let error): error
        case .local(let error): error
        case .move(let error, _, _): error
        case .request(let error): error
        }
    }

    /// The error of a request whose attempt failed, without a converter.
    package var error: AFError { error(converting: { $0 }) }

    /// Returns the error of a request whose attempt failed.
    ///
    /// - Parameter convert: Returns the error for a failure that a ``TransferErrorConverter`` may replace.
    func error(converting convert: (any Error) -> any Error) -> AFError {
        switch self {
        case .transfer(let failure) where failure.kind == .cancelled: .explicitlyCancelled
        case .transfer(let failure) where failure.kind == .shutDown: .sessionInvalidated(error: failure)
        case .transfer(let failure) where failure.kind == .trustRefused: SessionTrust.error(for: failure)
        case .transfer(let failure): .sessionTaskFailed(error: convert(failure))
        case .redirect(let failure): .sessionTaskFailed(error: convert(failure))
        case .trust(let error): error.asAFError(or: .sessionTaskFailed(error: error))
        case .local(let error): .sessionTaskFailed(error: error)
        case .move(let error, let source, let destination):
            .downloadedFileMoveFailed(error: convert(error), source: source, destination: destination)
        case .request(let error): error
        }
    }
}

extension TransferFailure.Kind {
    /// Whether the failure ends an attempt even after a redirect.
    var endsChain: Bool { self == .shutDown || self == .totalTimedOut }

    /// Whether the failure ends an attempt even while a handler decides about a redirect.
    var endsAttempt: Bool { self == .cancelled || endsChain }
}
