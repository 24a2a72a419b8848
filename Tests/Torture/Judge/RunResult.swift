import Glibc
import TestSupport

/// The end of a client's run.
struct RunResult: Sendable {
    /// The exit status as in a shell: 128 plus the signal, if one ended the run.
    var status: Int32
    var signal: Int32?
    var message: String
    /// Whether the client was killed after the time limit.
    var isOverdue = false
    /// The signal sent by the test.
    var sentSignal: Int32?

    init(_ result: ProgramResult, sentSignal: Int32? = nil) {
        (status, signal, message) = (result.status, result.signal, result.errorText)
        self.sentSignal = sentSignal
    }

    private init() { (status, signal, message) = (128 + SIGKILL, SIGKILL, "") }

    static let overdue: RunResult = {
        var ending = RunResult()
        ending.isOverdue = true
        return ending
    }()

    var hasCrashed: Bool { signal != nil && signal != sentSignal }
}
