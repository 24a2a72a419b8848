internal import AFCore
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

extension CurlFailure {
    /// Whether an error before a request ends the command, and not only its transfer.
    static func isFatal(_ error: any Error) -> Bool {
        switch error {
        case let error as UsageError: ![1, 3, 5, 7, 18, 25, 35, 49, 67, 90].contains(Diagnosis(error).curlCode)
        case let error as FileProblem: error.purpose == .reading || Diagnosis(error).curlCode == 26
        default: !(error is DownloadFailure)
        }
    }

    /// Whether `--silent` hides an error before a request: not that of an upload's file. curl reads the files of TLS in the
    /// transfer.
    static func isHidden(_ error: any Error) -> Bool {
        if let error = error as? FileProblem, error.purpose == .reading {
            return [58, 77, 82].contains(Diagnosis(error).curlCode)
        }
        return Diagnosis(error).curlCode ?? 2 != 2
    }
}
