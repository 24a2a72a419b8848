internal import AFHTTP
internal import FoundationEssentials

/// What a run did to the cookies that it began with.
struct CookieChanges: Equatable, Sendable {
    /// New ones, and old ones with their new values.
    let changed: [HTTPCookie]
    let removed: [HTTPCookie]

    init(from before: [HTTPCookie], to after: [HTTPCookie]) {
        let unchanged = Set(before)
        // What no file can hold is for the run alone: libcurl takes control characters in a path, for one.
        changed = after.filter { !unchanged.contains($0) && $0.netscapeLine != nil }
            .sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
        removed = before.filter { old in !after.contains { $0.isInPlace(of: old) } }
    }

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// The cookies of a file as it is now with the changes made, and without those whose time is over.
    func applied(to cookies: [HTTPCookie], now: Date = .now) -> [HTTPCookie] {
        var cookies = cookies.filter { cookie in !removed.contains { $0.isInPlace(of: cookie) } }
        for new in changed {
            if let place = cookies.firstIndex(where: { $0.isInPlace(of: new) }) {
                cookies[place] = new
            } else {
                cookies.append(new)
            }
        }
        return cookies.filter { $0.isAlive(now) }
    }

    /// The cookies of a session as it is now with the changes made, and without those whose time is over.
    ///
    /// - Parameter host: That the run began at: the host of cookies that are bound to none.
    func applied(to cookies: [SessionCookie], host: String, now: Date = .now) -> [SessionCookie] {
        var cookies = cookies.filter { cookie in !removed.contains { cookie.isInPlace(of: $0, host: host) } }
        for new in changed {
            if let place = cookies.firstIndex(where: { $0.isInPlace(of: new, host: host) }) {
                cookies[place] = SessionCookie(new)
            } else {
                cookies.append(SessionCookie(new))
            }
        }
        return cookies.filter { $0.cookie(for: host).isAlive(now) }
    }
}

extension HTTPCookie {
    func isAlive(_ now: Date = .now) -> Bool { expiresDate.map { $0 > now } ?? true }
}
