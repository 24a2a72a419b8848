internal import AFCore
internal import AFExpressions
internal import AFTransport

/// The message of a failed request in Hurl's form: curl's number and sentence.
struct EntryFailure {
    private let error: AFError
    private let request: DataRequest
    private let run: Run
    private let milliseconds: Int64

    init(_ error: AFError, _ request: DataRequest, _ run: Run, milliseconds: Int64) {
        (self.error, self.request, self.run, self.milliseconds) = (error, request, run, milliseconds)
    }

    var message: String {
        let timeout = run.cancellation.diagnosis
        if timeout?.exitStatus == .timeout {
            return "(28) \(timeoutSentence(Int64((run.plan.totalTime ?? 0) * 1000)))"
        }
        switch error.innermostError {
        case let error as RedirectFailure:
            if case .tooMany = error.reason { return "too many redirect" }
        case let error as TransferFailure:
            if let sentence = sentence(of: error) { return sentence }
        default: break
        }
        let diagnosis = timeout ?? Diagnosis(error, FailureContext(run.plan, request))
        let number = diagnosis.exitStatus.ofCurl(diagnosis.curlCode).code
        return "(\(number)) \(diagnosis.message)"
    }

    /// Returns libcurl's sentence; `nil` if it is not known.
    private func sentence(of failure: TransferFailure) -> String? {
        switch failure.kind {
        case .totalTimedOut, .idleTimedOut: return "(28) \(timeoutSentence(milliseconds))"
        case .connectTimedOut: return "(28) Connection timed out after \(milliseconds) milliseconds"
        case .bodyTooLarge:
            guard let limit = run.plan.session.limits.bodyBytes else { return nil }
            return "exceeded the maximum allowed file size (\(limit) bytes)"
        case .untrustedCertificate where failure.curlCode != 0:
            let subject = failure.reason == .hostMismatch ? "SSL" : "SSL certificate problem"
            return "(\(failure.curlCode)) \(subject): \(failure.detail)"
        case .malformedResponse where failure.reason == .notHTTP: return "(1) Received HTTP/0.9 when not allowed"
        // Its sentence has the functions of its TLS library.
        case .secureConnectionFailed: return nil
        default: return failure.curlCode == 0 ? nil : "(\(failure.curlCode)) \(failure.detail)"
        }
    }

    private func timeoutSentence(_ milliseconds: Int64) -> String {
        let received = request.data?.count ?? 0
        let total = request.response?.headers["Content-Length"].map { " out of \($0)" } ?? ""
        return "Operation timed out after \(milliseconds) milliseconds with \(received)\(total) bytes received"
    }
}

extension EntryFailure {
    /// Returns the subject and the sentence of an error before a request to a URL.
    static func beforeRequest(_ error: any Error, to url: String) -> (title: String, reason: String) {
        let diagnosis = Diagnosis(error)
        let (code, message) = (diagnosis.curlCode, diagnosis.message)
        if let error = error as? UsageError {
            if error.argument == "--http3" {
                return ("Unsupported HTTP version", "HTTP/3 is not supported, check --version")
            }
            if code == 3 { return ("Invalid URL", "invalid URL <\(url)> (\(error.problem))") }
        } else if let code, error is FileProblem {
            return ("HTTP connection", "(\(code)) \(message)")
        }
        return ("Invalid request", message)
    }
}

extension AFError {
    /// The error that caused this one, or this one.
    fileprivate var innermostError: any Error {
        guard let underlyingError else { return self }
        return (underlyingError as? AFError)?.innermostError ?? underlyingError
    }
}

extension HurlResponseValues {
    /// The status and the header for people, up to the empty line.
    var headText: String {
        headers.reduce("HTTP/\(version) \(status)\n") { $0 + "\($1.name): \($1.value)\n" } + "\n"
    }
}
