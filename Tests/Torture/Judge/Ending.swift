import Glibc
import TestSupport

/// How a client's run ended.
struct Ending: Sendable {
    /// As a shell shows it.
    var status: Int32
    var signal: Int32?
    var message: String
    /// Whether it had to be killed.
    var isOverdue = false
    /// The signal sent to it while it ran.
    var sentSignal: Int32?

    init(_ result: ProgramResult, sentSignal: Int32? = nil) {
        (status, signal, message) = (result.status, result.signal, result.errorText)
        self.sentSignal = sentSignal
    }

    private init() { (status, signal, message) = (128 + SIGKILL, SIGKILL, "") }

    static let overdue: Ending = {
        var ending = Ending()
        ending.isOverdue = true
        return ending
    }()

    var isByOwnFault: Bool { signal != nil && signal != sentSignal }
}
