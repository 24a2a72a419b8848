internal import AFCore
internal import AFHTTP
internal import Dispatch
internal import Synchronization

/// Gives a run the cookies of earlier ones, and keeps what it leaves to later ones.
final class MemoryKeeper: Sendable {
    private struct State {
        /// The cookies as the transport listed them before anything was sent.
        var before: [HTTPCookie] = []
        var hasAnswer = false
    }

    private let memory: RunMemory
    private let state = Mutex(State())

    /// `nil` where nothing is kept.
    init?(_ memory: RunMemory) {
        guard !memory.isEmpty else { return nil }
        self.memory = memory
    }

    /// Before the first request.
    func begin(in session: Session) {
        // Of cookies that are alike in length libcurl sends the newest first, against RFC 6265 §5.4.
        session.setCookies(memory.cookies.reversed())
        let cookies = session.cookiesNow()
        state.withLock { $0.before = cookies }
    }

    /// What was typed is kept once it has been of use.
    func noteAnswer() { state.withLock { $0.hasAnswer = true } }

    /// After the last response.
    ///
    /// - Throws: ``FileProblem``
    func end(in session: Session) throws {
        let state = state.withLock { $0 }
        let changes = CookieChanges(from: state.before, to: session.cookiesNow())
        if state.hasAnswer || !changes.isEmpty || !memory.hostChanges.isEmpty { try memory.keep(changes) }
    }

    /// Where nothing was sent: what was typed is kept all the same, as HTTPie does.
    ///
    /// - Throws: ``FileProblem``
    func endOffline() throws { try memory.keep(CookieChanges(from: [], to: [])) }
}

extension Session {
    /// The cookies as they are when everything asked for before is done. Blocks the calling thread.
    fileprivate func cookiesNow() -> [HTTPCookie] {
        let answer = Mutex<[HTTPCookie]>([])
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let cookies = await cookies()
            answer.withLock { $0 = cookies }
            isDone.signal()
        }
        isDone.wait()
        return answer.withLock { $0 }
    }
}
