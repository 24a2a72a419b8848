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
    /// Returns curl's exit number for an error; `nil` if its status determines it.
    ///
    /// - Parameter tunnelStatus: The last status of a proxy for CONNECT; `nil` for none.
    static func code(of error: any Error, tunnelStatus: Int? = nil) -> Int32? {
        switch error {
        case let error as TransferFailure where error.curlCode == 56 && tunnelStatus ?? 0 >= 400: 22
        case let error as TransferFailure: error.curlCode != 0 ? error.curlCode : error.usualCurlCode
        case let error as UsageError: error.curlCode ?? (error.isOfRule ? 49 : error.isOfURL ? 3 : 2)
        case let error as FileProblem where error.cause == .file: error.curlCode
        case let error as RedirectFailure: error.curlCode
        case let error as DownloadFailure: error.curlCode
        default: nil
        }
    }
}

extension CurlFailure {
    /// Whether an error before a request ends the command, and not only its transfer.
    static func isFatal(_ error: any Error) -> Bool {
        switch error {
        case let error as UsageError: ![1, 3, 5, 7, 18, 25, 35, 49, 67, 90].contains(code(of: error))
        case let error as FileProblem: error.purpose == .reading || code(of: error) == 26
        default: !(error is DownloadFailure)
        }
    }

    /// Whether `--silent` hides an error before a request: not that of an upload's file. curl reads the files of TLS in the
    /// transfer.
    static func isHidden(_ error: any Error) -> Bool {
        if let error = error as? FileProblem, error.purpose == .reading {
            return [58, 77, 82].contains(error.curlCode)
        }
        return code(of: error) ?? 2 != 2
    }
}

extension TransferFailure {
    /// curl's number for a failure that libcurl did not report.
    fileprivate var usualCurlCode: Int32 {
        switch kind {
        case .connectTimedOut, .idleTimedOut, .totalTimedOut: 28
        case .unresolvedProxy: 5
        case .unresolvedHost: 6
        case .cannotConnect: 7
        case .secureConnectionFailed: 35
        case .untrustedCertificate, .trustRefused: 60
        case .pinMismatch: 90
        case .unusableCertificate: 58
        case .truncated: 18
        // curl suspects HTTP/0.9.
        case .malformedResponse where reason == .transferCoding: 61
        case .malformedResponse: reason == .notHTTP || reason == .tlsInstead ? 1 : 8
        case .undecodableBody: 61
        case .decodingOverflow: 23
        case .bodyTooLarge: 63
        case .bodyNotRewindable: 65
        case .bodyUnreadable: 26
        case .unsupported, .missingLibrary: 4
        case .invalidRequest: 43
        case .outOfResources: 27
        default: 56
        }
    }
}

extension UsageError {
    /// Whether the error is about a rule for connections, which curl does not parse before the transfer.
    fileprivate var isOfRule: Bool { argument == "--resolve" || argument == "--connect-to" }

    /// Whether the error is about a URL, and not about an option.
    fileprivate var isOfURL: Bool { argument.map { !$0.hasPrefix("-") && $0 != "curl" } ?? true }
}

extension FileProblem {
    fileprivate var curlCode: Int32 {
        switch argument {
        case "--cacert", "--capath", "--proxy-cacert": 77
        case "--crlfile": 82
        case "--cert", "--key", "--cert-key": 58
        case "--etag-save": 26
        default: purpose == .writing ? 23 : 26
        }
    }
}

extension RedirectFailure {
    fileprivate var curlCode: Int32 {
        switch reason {
        case .tooMany: 47
        case .downgrade, .excludedScheme, .unsupportedScheme, .otherHost: 1
        case .invalidLocation: 3
        case .bodyNotRewindable: 65
        }
    }
}

extension DownloadFailure {
    fileprivate var curlCode: Int32 {
        switch reason {
        case .tooLarge: 63
        case .wrongLength, .contradictoryLength: 18
        case .wrongRange, .codedRange, .unrequestedRange, .rangeRefused, .segmentRejected, .contradictoryNotModified,
            .differentBytes:
            33
        default: 23
        }
    }
}
