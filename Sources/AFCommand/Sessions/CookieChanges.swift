internal import AFHTTP
internal import FoundationEssentials

/// The changes of the cookies during a run.
struct CookieChanges: Equatable, Sendable {
    /// New and changed cookies, in the order of their creation.
    let changed: [HTTPCookie]
    let removed: Set<HTTPCookie.Identity>

    init(from before: [HTTPCookie], to after: [HTTPCookie]) {
        let unchanged = Set(before)
        changed = after.filter { !unchanged.contains($0) && $0.netscapeLine != nil }
        removed = Set(before.map(\.identity)).subtracting(after.map(\.identity))
    }

    var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// Returns the current contents of a file with the changes applied, and without expired cookies.
    ///
    /// - Parameters:
    ///   - contents: The cookies of a file, and what else it has between them.
    ///   - cookie: Returns the cookie of an element; `nil` if it is something else, which stays.
    ///   - make: Creates an element for a new or changed cookie.
    func applied<Element>(
        to contents: [Element],
        now: Date = .now,
        _ cookie: (Element) -> HTTPCookie?,
        _ make: (HTTPCookie) -> Element
    ) -> [Element] {
        let new = Dictionary(changed.map { ($0.identity, $0) }) { $1 }
        // Of several elements of a cookie, the last one counts.
        let last = Dictionary(contents.compactMap { cookie($0).map { ($0.identity, $0) } }) { $1 }
        var written: Set<HTTPCookie.Identity> = []
        let updated = contents.compactMap { element -> Element? in
            guard let identity = cookie(element)?.identity else { return element }
            guard let cookie = new[identity] else {
                return removed.contains(identity) || last[identity]?.isAlive(now) != true ? nil : element
            }
            // A second element of the same cookie would be read as the newer one.
            return written.insert(identity).inserted && cookie.isAlive(now) ? make(cookie) : nil
        }
        return updated + changed.filter { !written.contains($0.identity) && $0.isAlive(now) }.map(make)
    }

    /// Returns the current cookies of a session with the changes applied, and without expired ones.
    ///
    /// - Parameter host: The host of the run's first request: the host of cookies without one.
    func applied(to cookies: [SessionCookie], host: String) -> [SessionCookie] {
        applied(to: cookies, { $0.cookie(for: host) }, { SessionCookie($0) })
    }
}
