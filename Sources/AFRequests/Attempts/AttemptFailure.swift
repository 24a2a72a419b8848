package import AFTransport

/// The reason why an attempt failed, before it becomes the error of the request.
package enum AttemptFailure: Sendable {
    case transfer(TransferFailure)
    case redirect(RedirectFailure)
    /// The session's trust manager, which may be the caller's, returned no evaluator for the host.
    case trust(any Error)
    /// The connection failed after the server had switched protocols, such as a WebSocket's.
    case upgrade(any Error)
    /// The response has another status or another length than the request needs.
    case response(AFError)

    /// The failure as monitors receive it.
    var reported: any Error {
        switch self {
        case .transfer(let failure): failure
        case .redirect(let failure): failure
        case .trust(let error): error
        case .upgrade(let error): error
        case .response(let error): error
        }
    }

    /// The error of a request whose attempt failed.
    package var error: AFError {
        switch self {
        case .transfer(let failure) where failure.kind == .cancelled: .explicitlyCancelled
        case .transfer(let failure) where failure.kind == .shutDown: .sessionInvalidated(error: failure)
        case .transfer(let failure) where failure.kind == .trustRefused: SessionTrust.error(for: failure)
        case .transfer(let failure): .sessionTaskFailed(error: failure)
        case .redirect(let failure): .sessionTaskFailed(error: failure)
        case .trust(let error): error.asAFError(or: .sessionTaskFailed(error: error))
        case .upgrade(let error): .sessionTaskFailed(error: error)
        case .response(let error): error
        }
    }
}
