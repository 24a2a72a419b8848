internal import Synchronization

/// curl's exit number of the last failure.
final class CurlFailure: Sendable {
    private let code = Mutex<Int32?>(nil)

    /// Records a failure.
    ///
    /// - Parameter code: curl's number; `nil` if the exit status determines it.
    func record(_ code: Int32?) { self.code.withLock { $0 = code } }

    /// The number of the last failure; `nil` if no transfer failed, or its exit status determines it.
    var last: Int32? { code.withLock(\.self) }
}

extension ExitStatus {
    /// Returns curl's exit number for the same result.
    ///
    /// - Parameters:
    ///   - code: The number of the failure; `nil` if no transfer failed, or only its status is known.
    ///   - failsOnStatus: Whether an error of the server is a failure, as with `--fail`.
    ///   - failsOnTunnel: Whether an error of a proxy for CONNECT is the same failure: with `--fail` only.
    func ofCurl(_ code: Int32?, failsOnStatus: Bool = false, failsOnTunnel: Bool = false) -> ExitStatus {
        switch self {
        case .success, .interrupted, .terminated: self
        case .redirected: .success
        case .clientError, .serverError: failsOnStatus ? ExitStatus(code: 22) : .success
        default: ExitStatus(code: code == 22 && !failsOnTunnel ? 56 : code ?? usualCurlCode)
        }
    }

    /// curl's number for a failure of which only the status is known.
    private var usualCurlCode: Int32 {
        switch self {
        case .timeout: 28
        case .redirects: 47
        case .unresolved: 6
        case .unconnected: 7
        case .security: 35
        case .broken: 56
        case .checksum, .file, .outputClosed: 23
        default: 2
        }
    }
}
