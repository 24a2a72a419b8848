internal import AFCore
internal import FoundationEssentials
internal import Glibc

/// What to say about an error, and what to exit with: the only place that knows both.
struct Diagnosis: Sendable {
    /// One sentence without its end.
    let message: String
    /// What to type or look at instead.
    var hint: String?
    /// Lines shown between the two.
    var excerpt: [String] = []
    let status: ExitStatus

    init(_ message: String, hint: String? = nil, status: ExitStatus) {
        self.message = message
        self.hint = hint
        self.status = status
    }

    init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            self.init(error.message, hint: error.hint, status: .usage)
            excerpt = error.excerpt?.lines ?? []
        case let error as FileProblem: self.init(error.message, status: .file)
        case let error as OutputFailure: self.init(error)
        case let error as AFError: self.init(error)
        case let error as TransferFailure: self.init(error)
        case let error as DownloadFailure: self.init(error)
        case let error as RedirectFailure: self.init(error)
        case is CancellationError: self.init("interrupted", status: .interrupted)
        default: self.init("\(error)", status: .failure)
        }
    }

    private init(_ error: AFError) {
        switch error {
        case .explicitlyCancelled: self.init("interrupted", status: .interrupted)
        case .downloadedFileMoveFailed(let beneath, _, _): self.init(beneath)
        case .multipartEncodingFailed:
            self.init(error.errorDescription ?? "the multipart body cannot be made", status: .file)
        case .createURLRequestFailed(let beneath), .sessionTaskFailed(let beneath),
            .createUploadableFailed(let beneath):
            self.init(beneath)
        default:
            self.init(error.underlyingError.map { "\($0)" } ?? error.errorDescription ?? "\(error)", status: .failure)
        }
    }

    private init(_ failure: OutputFailure) {
        switch failure {
        case .closed: self.init("", status: .outputClosed)
        case .failed(let number):
            self.init("cannot write the output: \(String(cString: strerror(number)))", status: .file)
        }
    }

    private init(_ failure: DownloadFailure) {
        let hint: String? =
            switch failure.reason {
            case .busy: "wait for it, or choose another name with --output"
            case .notOwnFile: "take it away, or choose another name with --output"
            case .destinationIsDirectory: "end the name with a slash to download into it"
            case .system(ENOSPC), .system(EDQUOT): "make room and go on with --resume"
            case .system(ENOENT): "make the folder, or let --create-dirs do it"
            default: nil
            }
        switch failure.reason {
        case .wrongRange, .rangeRefused, .wrongLength: self.init(failure.description, hint: hint, status: .broken)
        default: self.init(failure.description, hint: hint, status: .file)
        }
    }

    private init(_ failure: RedirectFailure) {
        let hint: String? =
            switch failure.reason {
            case .tooMany: "allow more with --max-redirects"
            case .downgrade: "allow it with --allow-downgrade"
            default: nil
            }
        self.init(failure.description, hint: hint, status: .redirects)
    }
}
