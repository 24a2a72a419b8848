/// The result of a client's run, judged by its status and the disk.
enum Verdict: Hashable, Sendable {
    /// Status 0, and the file is the resource, byte for byte.
    case identical
    /// Another status, with a message, and nothing under the final name but what was whole before.
    case failure(Int32)
    /// Another status, and a beginning under the final name.
    case partial(Int32)
    /// Another status, and under the final name what is neither whole nor a beginning.
    case damaged(Int32)
    /// Another status without a word on standard error.
    case mute(Int32)
    /// Status 0, and no file.
    case nothing
    /// Status 0, and under the final name something else than the resource.
    case wrongFile
    /// Something was touched that is not the client's own.
    case trespass(String)
    /// It ended with a signal that was not sent.
    case crash(Int32)
    /// It had to be killed after the time that every run has.
    case hang
    /// There is no such option.
    case unavailable

    /// Whether it is "bytes identical or a clear failure".
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
        case .mute(let status): "failure without a message (\(status))"
        case .nothing: "NO FILE, status 0"
        case .wrongFile: "WRONG FILE, status 0"
        case .trespass(let what): "TRESPASS: \(what)"
        case .crash(let signal): "CRASH by signal \(signal)"
        case .hang: "HANG"
        case .unavailable: "not available"
        }
    }
}
