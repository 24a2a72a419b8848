internal import AFCore
internal import AFHTTP

/// What a run takes over from earlier ones, and the files that it leaves things in for later ones.
struct RunMemory: Sendable {
    let session: KeptSession?
    let jar: CookieJar?
    let hstsFile: HSTSFile?
    /// Hosts that want TLS: those of the file, else those of the session. `nil` where none are remembered.
    let hosts: HSTSStore?
    /// That the run begins at, over TLS where its host wants that.
    let url: HTTPURL
    /// Those that the run begins with, oldest first.
    let cookies: [HTTPCookie]

    /// - Throws: ``FileProblem`` for a file that cannot be read.
    init(
        _ session: KeptSession?,
        cookieJar: String?,
        hstsFile: String?,
        url: HTTPURL,
        files: FileAccess
    ) throws(FileProblem) {
        self.session = session
        do throws(FileProblem) {
            jar = try cookieJar.map { (path) throws(FileProblem) in
                try CookieJar(path: files.expanding(path), waits: files.waits)
            }
        } catch {
            throw error.naming("--cookie-jar")
        }
        do throws(FileProblem) {
            self.hstsFile = try hstsFile.map { (path) throws(FileProblem) in
                try HSTSFile(path: files.expanding(path), waits: files.waits)
            }
        } catch {
            throw error.naming("--hsts")
        }
        hosts = (self.hstsFile?.entries ?? session?.file.hstsEntries).map { HSTSStore($0) }
        let url = hosts?.secured(url) ?? url
        self.url = url
        cookies = Self.cookies(session, jar, url)
    }

    var isEmpty: Bool { session == nil && jar == nil && hstsFile == nil }

    /// The cookies that the first request carries, in libcurl's order: long paths, domains and names first.
    var cookiesOfRequest: [HTTPCookie] {
        cookies.filter { $0.goes(to: url) }
            .map { (lengths: ($0.path.utf8.count, $0.domain.utf8.count, $0.name.utf8.count), cookie: $0) }
            // The standard library's sort is stable.
            .sorted { $0.lengths > $1.lengths }
            .map(\.cookie)
    }

    /// What became of the hosts that want TLS.
    var hostChanges: HSTSChanges {
        HSTSChanges(from: hstsFile?.entries ?? session?.file.hstsEntries ?? [], to: hosts?.entries ?? [])
    }

    /// Writes what was typed, and what became of cookies and hosts, into the files as they are now.
    func keep(_ changes: CookieChanges) throws {
        let hostChanges = hostChanges
        if let session, !session.isReadOnly || session.isNew {
            try session.store.change { file in
                session.write(into: &file, for: url)
                file.keep(changes.applied(to: file.cookies, host: url.cookieHost))
                if hstsFile == nil, !hostChanges.isEmpty {
                    file.hstsEntries = hostChanges.applied(to: file.hstsEntries)
                }
            }
        }
        try jar?.apply(changes)
        try hstsFile?.apply(hostChanges)
    }

    private static func cookies(_ session: KeptSession?, _ jar: CookieJar?, _ url: HTTPURL) -> [HTTPCookie] {
        let sendsKept = session?.sendsCookies ?? true
        let kept = sendsKept ? (jar?.cookies ?? []) + (session?.keptCookies(for: url) ?? []) : []
        let typed = session?.typedCookies(for: url) ?? []
        // A typed one takes the place of all that the server would get under its name.
        let others = kept.enumerated().filter { place, cookie in
            cookie.isAlive() && !typed.contains { $0.name == cookie.name && cookie.goes(to: url) }
                && !kept[(place + 1)...].contains { $0.isInPlace(of: cookie) }
        }
        return others.map(\.element) + typed
    }
}
