internal import AFCore
internal import AFHTTP
internal import FoundationEssentials
internal import Synchronization

/// Restores the persistent state at the start of a run and stores it at the end.
final class StatePersister: Sendable {
    private struct State {
        /// The cookies of the transport before the first request.
        var before: [HTTPCookie] = []
        var hasResponse = false
        weak var session: Session?
        /// Typed cookies that a redirect must not reveal; they stay in the session's file.
        var deleted: [HTTPCookie] = []
    }

    private let persistentState: PersistentState
    private let state = Mutex(State())

    /// Returns `nil` if there is no persistent state.
    init?(_ persistentState: PersistentState) {
        guard !persistentState.isEmpty else { return nil }
        self.persistentState = persistentState
    }

    /// Restores the cookies before the first request.
    func begin(in session: Session) {
        session.setCookies(persistentState.cookies)
        state.withLock { ($0.before, $0.session) = (persistentState.cookies, session) }
    }

    /// Records that a response was received, so that typed data is stored.
    func recordResponse() { state.withLock { $0.hasResponse = true } }

    /// Stores the state after the last response.
    ///
    /// - Throws: ``FileProblem``
    func end(in session: Session) throws {
        let state = state.withLock { $0 }
        let deleted = Set(state.deleted.map(\.identity))
        let before = state.before.filter { !deleted.contains($0.identity) }
        let changes = CookieChanges(from: before, to: waitFor { await session.cookies() })
        let hostChanges = persistentState.hostChanges
        if state.hasResponse || !changes.isEmpty || !hostChanges.isEmpty {
            try persistentState.store(changes, hostChanges)
        }
    }

    /// Stores the typed data of a run without requests, as HTTPie does.
    ///
    /// - Throws: ``FileProblem``
    func endOffline() throws {
        try persistentState.store(CookieChanges(from: [], to: []), persistentState.hostChanges)
    }
}

extension StatePersister {
    /// Returns a redirect handler that does not reveal typed cookies to other origins, and then calls the next one.
    func guarding(_ next: (any RedirectHandler)?) -> (any RedirectHandler)? {
        let cookies = boundCookies
        let isUnguarded = Safety.requires("26-redirect", cookies.isEmpty)
        return isUnguarded ? next : CookieGuard(persister: self, cookies: cookies, next: next)
    }

    /// An adapter that restores cookies deleted by redirects of an earlier attempt; `nil` if none can be deleted.
    var restorer: (any RequestInterceptor)? {
        Safety.requires("26-retry", boundCookies.isEmpty)
            ? nil
            : Adapter { request, _, completion in
                self.restore()
                completion(.success(request))
            }
    }

    private var boundCookies: [HTTPCookie] { persistentState.boundCookies }

    private func restore() {
        let (cookies, session) = state.withLock { state in
            defer { state.deleted = [] }
            return (state.deleted, state.session)
        }
        if !cookies.isEmpty { session?.setCookies(cookies) }
    }

    private struct CookieGuard: RedirectHandler {
        let persister: StatePersister
        let cookies: [HTTPCookie]
        let next: (any RedirectHandler)?

        func task(
            _ task: TransferTask,
            willBeRedirectedTo request: URLRequest,
            for response: HTTPURLResponse,
            completion: @escaping @Sendable (URLRequest?) -> Void
        ) {
            Task {
                await persister.delete(cookies, before: request)
                guard let next else { return completion(request) }
                next.task(task, willBeRedirectedTo: request, for: response, completion: completion)
            }
        }
    }

    /// Deletes the cookies of the redirect's host if it leads to another origin: cookies do not distinguish ports, and
    /// their host may be that of a `Host` field.
    private func delete(_ cookies: [HTTPCookie], before redirect: URLRequest) async {
        guard let target = try? redirect.httpURL, !persistentState.url.origin.isTrusted(at: target.origin),
            let session = state.withLock({ $0.session })
        else { return }
        let host = target.cookieHost(withField: redirect.headers.value(for: "Host"))
        // A cookie that the server has changed no longer contains the origin's secret.
        let bound = await session.cookies().filter { cookie in
            cookie.isOf(host: host)
                && cookies.contains { $0.identity == cookie.identity && $0.value.isSame(as: cookie.value) }
        }
        session.deleteCookies(bound)
        state.withLock { $0.deleted += bound }
    }
}
