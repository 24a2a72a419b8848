internal import AFFormatting
internal import Glibc

/// The reason why a file cannot be used.
struct FileProblem: ArgumentError, Equatable, Sendable, CustomStringConvertible {
    enum Purpose: Equatable, Sendable { case reading, writing, running }

    /// The cause, which determines the exit status.
    enum Cause: Equatable, Sendable { case file, timeout, interruption(ExitStatus) }

    /// The path; `-` is standard input.
    let path: String
    private(set) var reason: Reason
    var argument: String?
    var value: String?
    var source: String?
    var purpose = Purpose.reading
    private(set) var cause = Cause.file
    /// The remedy in the imperative; `nil` for the usual hint.
    var hint: String?

    /// The hint for a file that grows while it is sent.
    static let sendCopy = "send a copy that is not being written"

    init(path: String, reason: Reason, argument: String? = nil, purpose: Purpose = .reading, hint: String? = nil) {
        self.path = path
        self.reason = reason
        self.argument = argument
        self.purpose = purpose
        self.hint = hint
    }

    /// Creates the problem of a wait that failed.
    init(path: String, _ failure: WaitFailure, argument: String? = nil, purpose: Purpose = .reading) {
        let reason: Reason =
            if case .system(let number) = failure { .system(number) } else { .other(failure.reason(purpose)) }
        self.init(path: path, reason: reason, argument: argument, purpose: purpose)
        switch failure {
        case .timeout(let option, _, _):
            cause = .timeout
            hint = "increase \(option)"
        case .interrupted(let status): cause = .interruption(ExitStatus(code: status))
        case .system: break
        }
    }

    /// Returns the problem of a file or directory that cannot be created.
    static func creation(
        of path: String, _ number: Int32, argument: String? = nil, hint: String? = nil
    ) -> FileProblem {
        // As in /proc.
        let isRefused = number == ENOENT && FileStatus(path.directoryPath)?.isDirectory == true
        let reason = isRefused ? Reason.other("its directory does not allow new files") : .system(number)
        let remedies = [spaceHint(number) ?? (reason == .isMissing ? "create the directory" : nil), hint]
        let remedy = remedies.compactMap(\.self).joined(separator: ", or ")
        return FileProblem(
            path: path, reason: reason, argument: argument, purpose: .writing, hint: remedy.isEmpty ? nil : remedy)
    }

    /// Returns the remedy for a file that may not grow; `nil` for other errors.
    static func spaceHint(_ number: Int32) -> String? {
        switch number {
        case ENOSPC, EDQUOT: "free some space"
        case EFBIG: isSizeLimited ? "raise the limit: ulimit -f unlimited" : "use another file system"
        default: nil
        }
    }

    /// Whether the process has a limit for the size of files.
    private static var isSizeLimited: Bool {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur != rlim_t.max
    }

    /// Returns the problem with another reason.
    func explaining(_ reason: Reason) -> FileProblem {
        var explained = self
        explained.reason = reason
        return explained
    }

    /// Returns the problem with another hint, unless it is a timeout.
    func hinting(_ hint: String) -> FileProblem {
        guard cause == .file else { return self }
        var hinted = self
        hinted.hint = hint
        return hinted
    }

    var description: String { message }

    var problem: String {
        let stream = purpose == .reading ? "standard input" : "standard output"
        let name = path == "-" ? stream : "'\(path)'"
        switch (purpose, reason) {
        case (_, .content(let problem)): return "\(name) \(problem)"
        // A file that is written may be missing, but not its directory.
        case (.writing, .isMissing): return "cannot write \(name): there is no such directory"
        case (.writing, _): return "cannot write \(name): \(reason)"
        case (.reading, _): return "cannot read \(name): \(reason)"
        case (.running, .isMissing): return "cannot run \(name): command not found"
        case (.running, _): return "cannot run \(name): \(reason)"
        }
    }
}

extension FileProblem {
    /// The reason of the problem. Its description ends the message: `no such file`.
    enum Reason: Equatable, Sendable, CustomStringConvertible {
        case isMissing, isDirectory
        /// The contents are invalid: the predicate of the sentence, such as `is not a session file`.
        case content(String)
        case other(String)

        static let isNotUTF8 = Self.content("is not UTF-8 text")

        /// Returns the reason for a value of `errno`.
        static func system(_ number: Int32) -> Reason {
            switch number {
            case ENOENT: .isMissing
            case EISDIR: .isDirectory
            default: .other(systemMessage(number))
            }
        }

        var description: String {
            switch self {
            case .isMissing: systemMessage(ENOENT)
            case .isDirectory: systemMessage(EISDIR)
            case .content(let text), .other(let text): text
            }
        }
    }
}

extension WaitFailure {
    /// Returns the failed operation, as the end of a sentence.
    func reason(_ purpose: FileProblem.Purpose) -> String {
        switch self {
        case .timeout(_, let seconds, let isIdle):
            let event =
                switch (purpose, isIdle) {
                case (.reading, true): "no other process opened it for writing"
                case (.reading, false): "nothing arrived"
                case (.writing, true), (.running, true): "no other process opened it for reading"
                case (.writing, false), (.running, false): "no other process read from it"
                }
            return "\(event) within \(HumanUnits.duration(seconds))"
        case .interrupted: return "interrupted"
        case .system(let number): return systemMessage(number)
        }
    }
}

extension FileProblem {
    /// Returns the problem of an output file whose name is that of a directory.
    static func directoryInTheWay(_ path: String) -> FileProblem {
        FileProblem(
            path: path,
            reason: .isDirectory,
            argument: "--output",
            purpose: .writing,
            hint: "--output DIRECTORY/ downloads into it"
        )
    }
}
