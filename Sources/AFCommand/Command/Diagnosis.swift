internal import AFCore
internal import AFFormatting
internal import AFSigning
internal import FoundationEssentials

/// The message, the hint, the exit status and curl's exit number of an error: the only type that defines them.
struct Diagnosis: Sendable {
    /// The message, a sentence without full stop.
    private(set) var message: String
    /// The remedy in the imperative; `nil` if nothing helps.
    var hint: String?
    /// The option whose help is the hint if there is no other one; `nil` for none.
    private(set) var helpTopic: String?
    /// The lines shown between message and hint.
    var excerpt: [String] = []
    let exitStatus: ExitStatus
    /// curl's exit number; `nil` if the status determines it.
    var curlCode: Int32?

    init(_ message: String, hint: String? = nil, status: ExitStatus, curlCode: Int32? = nil) {
        self.message = message
        self.hint = hint
        exitStatus = status
        self.curlCode = curlCode
    }

    /// Creates a diagnosis.
    ///
    /// - Parameter context: The context of the transfer; `nil` before there is one.
    init(_ error: any Error, _ context: FailureContext? = nil) {
        switch error {
        case let typed as UsageError:
            let error = typed.withoutSecrets
            self.init(error.message, hint: error.hint, status: .usage, curlCode: typed.curlNumber)
            helpTopic = error.helpTopic
            excerpt = error.excerpt?.lines ?? []
        case let error as FileProblem: self.init(error)
        case let error as OutputFailure: self.init(error)
        case let error as AFError: self.init(error, context)
        case let error as TransferFailure: self.init(error, context)
        case let error as DownloadFailure: self.init(error, context)
        case let error as UploadFailure: self.init(error)
        case let error as RedirectFailure: self.init(error)
        case let error as WebSocketError: self.init(error)
        case let error as AWSSigningError: self.init(error)
        case let error as OAuth2Error: self.init(error, context)
        case let error as ResourceLimitReached: self.init(error)
        case is CancellationError: self = .interrupted(.interrupted)
        default: self.init("\(error)", status: .failure)
        }
    }

    /// Returns the diagnosis without the secrets of the request.
    func masked(by redaction: Redaction) -> Diagnosis {
        var masked = self
        masked.message = redaction.masked(message)
        masked.excerpt = excerpt.map(redaction.masked)
        return masked
    }

    /// Returns the diagnosis of a run that the user or the system ended, or the failure of another transfer.
    static func interrupted(_ status: ExitStatus) -> Diagnosis {
        guard status == .failure else {
            return Diagnosis(status == .terminated ? "terminated" : "interrupted", status: status)
        }
        return Diagnosis("ended by the failure of another transfer", status: status, curlCode: 42)
    }

    /// Returns the diagnosis of a request that took longer than `--max-time` allows.
    static func totalTimedOut(after seconds: Double) -> Diagnosis {
        Diagnosis(
            "the request took longer than \(HumanUnits.duration(seconds))",
            hint: "increase --max-time",
            status: .timeout
        )
    }

    /// Creates the diagnosis of a response with an unsuccessful status code.
    ///
    /// - Parameters:
    ///   - unsentBody: The end of the sentence if not all of the request body was sent.
    ///   - clause: A further clause.
    init(_ response: HTTPURLResponse, status: ExitStatus, unsentBody: String? = nil, clause: String? = nil) {
        let end = unsentBody.map { " \($0)" } ?? ""
        let suffix = clause.map { "; \($0)" } ?? ""
        self.init("\(response.statusMessage)\(end)\(suffix)", status: status)
    }

    private init(_ error: ResourceLimitReached) {
        let (shortage, hint) =
            switch error.resource {
            case .openFiles: ("too many open files", "raise the limit: ulimit -n 256")
            case .threads: ("too few threads", "raise the limits on processes and memory: ulimit -u, ulimit -v")
            }
        self.init(
            "\(shortage): a transfer needs up to \(error.resource.base) more, and the limit allows \(error.free)",
            hint: hint,
            status: .failure
        )
    }

    private init(_ error: FileProblem) {
        switch error.cause {
        case .file:
            self.init(
                error.message, hint: error.hint ?? error.usualHint, status: .file, curlCode: error.curlCode)
        case .timeout: self.init(error.message, hint: error.hint, status: .timeout)
        case .interruption(let status): self = .interrupted(status)
        }
    }

    private init(_ error: AFError, _ context: FailureContext?) {
        if let problem = error.fileProblem {
            self.init(problem)
        } else if case .multipartEncodingFailed(.bodyPartContainsBoundary) = error {
            self.init(error.sentence, hint: BodyPlan.boundaryHint, status: .file)
        } else if case .multipartEncodingFailed = error {
            self.init(error.sentence, status: .file)
        } else if error.isExplicitlyCancelledError {
            self.init("interrupted", status: .interrupted)
        } else if let underlyingError = error.underlyingError {
            self.init(underlyingError, context)
        } else {
            self.init(error.sentence, status: .failure)
        }
    }

    private init(_ failure: OutputFailure) {
        switch failure {
        case .closed: self.init("", status: .outputClosed)
        case .wait(let failure): self.init(FileProblem(path: "-", failure, purpose: .writing))
        case .failed(let number):
            self.init(
                "cannot write the output: \(systemMessage(number))",
                hint: "check the redirection of standard output",
                status: .file
            )
        }
    }
}

extension Messages {
    func error(_ diagnosis: Diagnosis) {
        onFailure(diagnosis.curlCode)
        let isOfStatus = [.clientError, .serverError].contains(diagnosis.exitStatus)
        let failsOnTunnel = if case .curl(_, let failsOnTunnel) = style { failsOnTunnel } else { false }
        let status = diagnosis.exitStatus.ofCurl(
            diagnosis.curlCode, failsOnStatus: isOfStatus, failsOnTunnel: failsOnTunnel)
        // The options of curl have no help.
        let topic = style == .afcli ? diagnosis.helpTopic : nil
        let hint = diagnosis.hint ?? topic.map { "see afcli --help=\($0)" }
        error(diagnosis.message, excerpt: diagnosis.excerpt, hint: hint, curlCode: status.code)
    }
}

extension HTTPURLResponse {
    /// Whether the status allows no body, not even an empty file (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
    var hasNoContent: Bool { [204, 205, 304].contains(statusCode) }

    var statusMessage: String { "the server responded with \(statusWithReason)" }

    /// The status with its reason phrase, if there is one: `404 Not Found`.
    var statusWithReason: String {
        reasonPhrase.isEmpty ? "\(statusCode)" : "\(statusCode) \(reasonPhrase)"
    }
}

extension UsageError {
    /// curl's exit number. It parses the rules for connections in the transfer, where it also reads the URL.
    fileprivate var curlNumber: Int32 {
        if let curlCode { return curlCode }
        if argument == "--resolve" || argument == "--connect-to" { return 49 }
        return argument.map { !$0.hasPrefix("-") && $0 != "curl" } ?? true ? 3 : 2
    }

    /// The option that the error is about; `nil` if that has no argument.
    fileprivate var helpTopic: String? {
        guard let argument, !isSelfExplanatory else { return nil }
        let option = Invocation.options.entries.first { $0.spellings.contains(argument) }
        return option.flatMap { $0.argument == nil ? nil : String($0.name.drop { $0 == "-" }) }
    }
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

    /// The hint about a path; `nil` if the message says what to do.
    fileprivate var usualHint: String? {
        switch reason {
        case .isDirectory: "choose a file in the directory"
        case _ where path == "-": "check the redirection of standard input"
        case .content: nil
        case _ where argument?.firstRange(of: "==@") != nil:
            "check the path; for a text that starts with @, write name==\\@text"
        case _ where argument?.firstRange(of: "=@") != nil && argument?.firstRange(of: ":=@") == nil:
            "check the path; for a text that starts with @, write name=\\@text"
        case .isMissing where purpose == .reading && !path.hasPrefix("/"):
            "check the path, which is relative to the current directory"
        default: nil
        }
    }
}

extension AFError {
    /// The problem with a file of the body; `nil` for other errors.
    fileprivate var fileProblem: FileProblem? {
        let cause = (underlyingError as? TransferFailure)?.underlyingError ?? underlyingError
        return cause as? FileProblem ?? (cause as? AFError)?.fileProblem
    }

    /// The description without its full stop.
    fileprivate var sentence: String {
        let text = errorDescription ?? "\(self)"
        return text.last == "." ? String(text.dropLast()) : text
    }
}

extension Diagnosis {
    /// Creates the diagnosis of all failed expectations.
    ///
    /// - Parameters:
    ///   - failures: The messages; at least one.
    ///   - hint: The option that shows what failed.
    init(unmet failures: [String], hint: String?) {
        let isOne = failures.count == 1
        self.init(
            isOne ? failures[0] : "\(failures.count) expectations failed",
            hint: hint,
            status: .expectation
        )
        if !isOne { excerpt = failures }
    }
}
