internal import AFHTTP
internal import Synchronization

/// The cookies that the loops of a transport share.
final class SharedCookieStore: Sendable {
    private struct State {
        var store = CookieStore()
        /// Whether the transport was shut down: it has no cookies then.
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Returns the unexpired cookies, oldest first.
    func all() -> [HTTPCookie] { state.withLock { $0.store.all() } }

    /// Adds the caller's cookies; an expired one deletes the stored one.
    func set(_ cookies: [HTTPCookie]) { change { $0.set(cookies) } }

    func deleteAll() { change { $0.deleteAll() } }

    /// Stores the cookies that a response to the transfer sets.
    func take(_ fields: [String], of transfer: Transfer) {
        change { store in
            for field in fields { store.take(field, from: transfer.url, host: transfer.cookieHost) }
        }
    }

    /// Returns the cookies that the transfer's request sends, in the order of the field.
    func cookies(for transfer: Transfer) -> [HTTPCookie] {
        state.withLock { state in
            state.store.isEmpty ? [] : state.store.cookies(for: transfer.url, host: transfer.cookieHost)
        }
    }

    /// Deletes all cookies, and accepts no more.
    func close() { state.withLock { $0 = State(isClosed: true) } }

    private func change(_ change: (inout CookieStore) -> Void) {
        state.withLock { state in
            if !state.isClosed { change(&state.store) }
        }
    }
}
