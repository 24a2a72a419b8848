internal import AFHTTP

/// What a run takes over from earlier ones, and the files that it leaves things in for later ones.
struct RunMemory: Sendable {
    let session: KeptSession?
    let jar: CookieJar?
    /// That the run begins at.
    let url: HTTPURL
    /// Those that the run begins with.
    let cookies: [HTTPCookie]

    /// - Throws: ``FileProblem`` for a cookie file that cannot be read.
    init(_ typed: Invocation.Sessions, _ session: KeptSession?, url: HTTPURL, files: FileAccess) throws(FileProblem) {
        self.session = session
        self.url = url
        do throws(FileProblem) {
            jar = try typed.cookieJar.map { (path) throws(FileProblem) in try CookieJar(path: files.expanding(path)) }
        } catch {
            throw error.naming("--cookie-jar")
        }
        cookies = Self.cookies(session, jar, url)
    }

    var isEmpty: Bool { session == nil && jar == nil }

    /// The cookies that the first request carries, in libcurl's order: long paths, domains and names first.
    var cookiesOfRequest: [HTTPCookie] {
        cookies.filter { $0.goes(to: url) }
            .map { (lengths: ($0.path.utf8.count, $0.domain.utf8.count, $0.name.utf8.count), cookie: $0) }
            // The standard library's sort is stable.
            .sorted { $0.lengths > $1.lengths }
            .map(\.cookie)
    }

    /// Writes what was typed, and what became of the cookies, into the files as they are now.
    func keep(_ changes: CookieChanges) throws {
        if let session, !session.isReadOnly || session.isNew {
            try session.store.change { file in
                session.write(into: &file, for: url)
                file.keep(changes.applied(to: file.cookies, host: url.cookieHost))
            }
        }
        try jar?.apply(changes)
    }

    private static func cookies(_ session: KeptSession?, _ jar: CookieJar?, _ url: HTTPURL) -> [HTTPCookie] {
        guard session?.sendsCookies ?? true else { return [] }
        let host = url.cookieHost
        let kept = (jar?.cookies ?? []) + (session?.file.cookies.map { $0.cookie(for: host) } ?? [])
        let typed = (session?.typedCookies ?? []).map { cookie in
            var cookie = cookie
            cookie.domain = host
            return cookie
        }
        // A typed one takes the place of all that the server would get under its name.
        let others = kept.filter { cookie in
            cookie.isAlive() && !typed.contains { $0.name == cookie.name && cookie.goes(to: url) }
        }
        return others + typed
    }
}
