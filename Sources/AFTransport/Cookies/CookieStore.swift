package import AFHTTP
package import FoundationEssentials

/// The cookies of a transport (RFC 6265 §5.3).
package struct CookieStore {
    /// The limits on cookies that responses set.
    private static let (perDomain, inAll) = (180, 3000)

    private struct Entry {
        var cookie: HTTPCookie
        /// The order of creation, which an update keeps.
        let number: Int
    }

    /// The cookies by their domain, without its dot.
    private var entries: [String: [HTTPCookie.Identity: Entry]] = [:]
    /// The cookies that responses set, by registrable domain, oldest first.
    private var counted: [String: [HTTPCookie.Identity]] = [:]
    private var countedInAll = 0
    private var lastNumber = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// Returns the unexpired cookies, oldest first.
    package func all() -> [HTTPCookie] {
        let now = Date.now
        return entries.values.flatMap(\.values).sorted { $0.number < $1.number }.map(\.cookie)
            .filter { $0.isAlive(now) }
    }

    /// Adds the caller's cookies; an expired one deletes the stored one.
    package mutating func set(_ cookies: [HTTPCookie]) {
        let now = Date.now
        for cookie in cookies where cookie.isStorable { store(cookie, now) }
    }

    package mutating func deleteAll() { self = CookieStore() }

    /// Stores the cookie of a `Set-Cookie` field, if its rules permit that.
    ///
    /// - Parameter host: The host that cookies of the URL are for.
    package mutating func take(_ field: String, from url: HTTPURL, host: String, now: Date = .now) {
        let cookie = HTTPCookie(
            setCookie: field, from: url, host: host, now: now, isPublicSuffix: PublicSuffixList.contains)
        if let cookie, !Safety.refuses("03-overlay", overlaysSecure(cookie, from: url, now)) { store(cookie, now) }
    }

    /// Returns the cookies for a request, in the order of the field.
    package func cookies(for url: HTTPURL, host: String) -> [HTTPCookie] {
        guard !entries.isEmpty else { return [] }
        let now = Date.now
        let found = host.withParents.flatMap { entries[$0].map { Array($0.values) } ?? [] }
            .filter { $0.cookie.isSent(to: url, host: host) && $0.cookie.isAlive(now) }
        return HTTPCookie.inOrderOfField(found.sorted { $0.number < $1.number }.map(\.cookie))
    }

    // Changes

    private mutating func store(_ cookie: HTTPCookie, _ now: Date) {
        let (identity, domain) = (cookie.identity, cookie.domainName)
        guard cookie.isAlive(now) else { return remove(identity) }
        if let old = entries[domain]?[identity] {
            var cookie = cookie
            // A cookie of the caller remains uncounted if a response changes its value.
            cookie.isFromResponse = cookie.isFromResponse && old.cookie.isFromResponse
            if old.cookie.isFromResponse, !cookie.isFromResponse { uncount(identity) }
            entries[domain]?[identity]?.cookie = cookie
            return
        }
        if cookie.isFromResponse, !makeRoom(for: identity, now) { return }
        lastNumber += 1
        entries[domain, default: [:]][identity] = Entry(cookie: cookie, number: lastNumber)
    }

    private mutating func remove(_ identity: HTTPCookie.Identity) {
        guard let old = entries[identity.domain]?.removeValue(forKey: identity) else { return }
        if entries[identity.domain]?.isEmpty == true { entries[identity.domain] = nil }
        if old.cookie.isFromResponse { uncount(identity) }
    }

    /// Counts a new cookie of a response; if there are as many as permitted, removes the oldest of its registrable
    /// domain.
    ///
    /// - Returns: `false` if other domains have set as many as permitted: a response never removes theirs.
    private mutating func makeRoom(for identity: HTTPCookie.Identity, _ now: Date) -> Bool {
        let owner = PublicSuffixList.registrableDomain(of: identity.domain)
        if countedInAll >= Self.inAll {
            for other in counted.values.flatMap(\.self) where !isAlive(other, now) { remove(other) }
        }
        let own = counted[owner] ?? []
        if Safety.refuses("07-cookies", own.count >= Self.perDomain || countedInAll >= Self.inAll) {
            guard let oldest = own.first(where: { !isAlive($0, now) }) ?? own.first else { return false }
            remove(oldest)
        }
        counted[owner, default: []].append(identity)
        countedInAll += 1
        return true
    }

    private mutating func uncount(_ identity: HTTPCookie.Identity) {
        let owner = PublicSuffixList.registrableDomain(of: identity.domain)
        guard let index = counted[owner]?.firstIndex(of: identity) else { return }
        counted[owner]?.remove(at: index)
        if counted[owner]?.isEmpty == true { counted[owner] = nil }
        countedInAll -= 1
    }

    private func isAlive(_ identity: HTTPCookie.Identity, _ now: Date) -> Bool {
        entries[identity.domain]?[identity]?.cookie.isAlive(now) ?? false
    }

    /// Whether a cookie that was set in clear text would overlay a secure one of the domain, of a parent or of a subdomain
    /// (RFC 6265bis §5.7).
    private func overlaysSecure(_ cookie: HTTPCookie, from url: HTTPURL, _ now: Date) -> Bool {
        guard !cookie.isSecure, !url.isTrustedWithCookies else { return false }
        let name = cookie.domainName
        return entries.contains { domain, others in
            (domain == name || name.isSubdomain(of: domain) || domain.isSubdomain(of: name))
                && others.values.contains { other in
                    other.cookie.requiresTLS && other.cookie.isAlive(now) && other.cookie.name.isSame(as: cookie.name)
                        && other.cookie.covers(path: cookie.path)
                }
        }
    }
}

extension String {
    /// The name itself and its parent domains.
    fileprivate var withParents: [String] {
        var names = [self]
        var rest = self[...]
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            names.append(String(rest))
        }
        return names
    }
}
