internal import AFCore

extension CurlFailure {
    /// Whether an error before a request is one of its transfer, and not of the command line or an interruption.
    static func isOfTransfer(_ error: any Error) -> Bool {
        if let error = error as? FileProblem, error.cause != .file { return false }
        return Diagnosis(error).curlCode ?? 2 != 2
    }

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
        return isOfTransfer(error)
    }
}
