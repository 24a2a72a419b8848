internal import Synchronization

/// Stands for the cookies of a session, which only the transport sees: what was answered to them is not for others.
///
/// Requests that are under way when it changes may have had other cookies than it says; their responses are not kept.
final class CookieMark: Sendable {
    private let mark = Mutex<UInt64?>(nil)

    /// `nil` as long as the session has met no cookie; means nothing to other sessions and processes.
    var value: UInt64? { mark.withLock { $0 } }

    /// The cookies are others from now on, maybe another user's.
    func renew() { mark.withLock { $0 = .random(in: 0 ... .max) } }

    /// There are cookies now, if there were none.
    func begin() { mark.withLock { $0 = $0 ?? .random(in: 0 ... .max) } }
}
