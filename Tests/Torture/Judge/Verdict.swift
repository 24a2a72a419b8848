/// The result of a client's run, judged by its status and the disk.
enum Verdict: Hashable, Sendable {
    /// Status 0, and the file is identical to the resource.
    case identical
    /// Another status with a message, and no file under the final name except an earlier complete one.
    case failure(Int32)
    /// Another status, and a prefix of the resource under the final name.
    case partial(Int32)
    /// Another status, and other bytes under the final name, neither complete nor a prefix.
    case damaged(Int32)
    /// Another status without a message on standard error.
    case silentFailure(Int32)
    /// Status 0, and no file.
    case nothing
    /// Status 0, and other bytes than the resource under the final name.
    case wrongFile
    /// A file of another program was changed, or an unexpected file was left.
    case damagedOtherFile(String)
    /// The client ended by a signal that the test did not send.
    case crash(Int32)
    /// The client was killed after the time limit.
    case hang
    /// The client does not have the option.
    case unavailable

    /// Whether the bytes are identical or the failure is clear.
    var isRight: Bool {
        switch self {
        case .identical, .failure: true
        default: false
        }
    }

    var isFailure: Bool { if case .failure = self { true } else { false } }

    var text: String {
        switch self {
        case .identical: "identical"
        case .failure(let status): "clear failure (\(status))"
        case .partial(let status): "partial under the final name (\(status))"
        case .damaged(let status): "DAMAGED under the final name (\(status))"
        case .silentFailure(let status): "failure without a message (\(status))"
        case .nothing: "NO FILE, status 0"
        case .wrongFile: "WRONG FILE, status 0"
        case .damagedOtherFile(let what): "OTHER FILE DAMAGED: \(what)"
        case .crash(let signal): "CRASH by signal \(signal)"
        case .hang: "HANG"
        case .unavailable: "not available"
        }
    }
}
