internal import AFHTTP
internal import FoundationEssentials

/// The changes of the cookies during a run.
struct CookieChanges: Equatable, Sendable {
    /// New and changed cookies.
    let changed: [HTTPCookie]
    let removed: [HTTPCookie]

    init(from before: [HTTPCookie], to after: [HTTPCookie]) {
        let unchanged = Set(before)
        // A cookie that no file can store is for the run only: libcurl accepts control characters in a path, for
        // example.
        changed = after.filter { !unchanged.contains($0) && $0.netscapeLine != nil }
            .sorted { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
        removed = before.filter { old in !after.contains { $0.isInPlace(of: old) } }
    }

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// Returns the current cookies of a file with the changes applied, and without expired ones.
    func applied(to cookies: [HTTPCookie], now: Date = .now) -> [HTTPCookie] {
        var cookies = cookies.filter { cookie in !removed.contains { $0.isInPlace(of: cookie) } }
        for new in changed {
            if let index = cookies.firstIndex(where: { $0.isInPlace(of: new) }) {
                cookies[index] = new
            } else {
                cookies.append(new)
            }
        }
        return cookies.filter { $0.isAlive(now) }
    }

    /// Returns the current cookies of a session with the changes applied, and without expired ones.
    ///
    /// - Parameter host: The host of the run's first request: the host of cookies without one.
    func applied(to cookies: [SessionCookie], host: String, now: Date = .now) -> [SessionCookie] {
        var cookies = cookies.filter { cookie in !removed.contains { cookie.isInPlace(of: $0, host: host) } }
        for new in changed {
            if let index = cookies.firstIndex(where: { $0.isInPlace(of: new, host: host) }) {
                cookies[index] = SessionCookie(new)
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
