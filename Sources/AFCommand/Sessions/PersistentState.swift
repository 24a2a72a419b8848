internal import AFCore
internal import AFHTTP

/// The persistent state of a run: cookies and HSTS hosts with their files.
struct PersistentState: Sendable {
    let session: ActiveSession?
    let jar: CookieJar?
    let hstsFile: HSTSFile?
    /// The hosts that require TLS, of the file or else of the session; `nil` if none are stored.
    let hosts: HSTSStore?
    /// The first URL of the run, with https if its host requires that.
    let url: HTTPURL
    /// The host that the cookies of the first request are for: that of its `Host` field, or else of the URL.
    let cookieHost: String
    /// The cookies at the start of the run, oldest first.
    let cookies: [HTTPCookie]
    /// The warnings about lines of cookie files that cannot be read, each a sentence.
    let warnings: [String]

    /// Reads the state.
    ///
    /// - Parameters:
    ///   - cookies: Cookies that no file stores.
    ///   - hostField: The `Host` field of the first request, if it has one.
    /// - Throws: ``FileProblem`` for an unreadable file.
    init(
        _ session: ActiveSession?,
        cookieJar: String?,
        cookies: [HTTPCookie] = [],
        hstsFile: String?,
        url: HTTPURL,
        hostField: String?,
        files: FileAccess
    ) throws {
        self.session = session
        jar = try naming("--cookie-jar") {
            try cookieJar.map { try CookieJar(path: files.expanding($0), waits: files.waits) }
        }
        self.hstsFile = try naming("--hsts") {
            try hstsFile.map { try HSTSFile(path: files.expanding($0), waits: files.waits) }
        }
        hosts = (self.hstsFile?.entries ?? session?.file.hstsEntries).map { HSTSStore($0) }
        let url = hosts?.secured(url) ?? url
        self.url = url
        cookieHost = url.cookieHost(withField: hostField)
        self.cookies = Self.cookies(session, (jar?.cookies ?? []) + cookies, url, cookieHost)
        warnings = [jar?.warning].compactMap(\.self)
    }

    /// Creates the state of another URL of the same origin, without cookies.
    init(_ state: PersistentState, url: HTTPURL) {
        (session, jar, hstsFile, hosts) = (state.session, state.jar, state.hstsFile, state.hosts)
        (self.url, cookieHost, cookies, warnings) = (url, state.cookieHost, [], state.warnings)
    }

    /// Creates the state before a later request of the run.
    init(_ state: PersistentState, cookies: [HTTPCookie]) {
        (session, jar, hstsFile, hosts) = (state.session, state.jar, state.hstsFile, state.hosts)
        (url, cookieHost, self.cookies, warnings) = (state.url, state.cookieHost, cookies, state.warnings)
    }

    var isEmpty: Bool { session == nil && jar == nil && hstsFile == nil && cookies.isEmpty }

    /// The cookies of the first request, in the order of the field.
    var cookiesOfRequest: [HTTPCookie] {
        HTTPCookie.inOrderOfField(cookies.filter { $0.isSent(to: url, host: cookieHost) })
    }

    /// The cookies of the command line, which a session stores, too.
    var typedCookies: [HTTPCookie] { session?.typedCookies(for: url, cookieHost: cookieHost) ?? [] }

    /// The changes of the hosts that require TLS.
    var hostChanges: HSTSChanges {
        HSTSChanges(from: hstsFile?.entries ?? session?.file.hstsEntries ?? [], to: hosts?.entries ?? [])
    }

    /// Checks that the files can be written.
    ///
    /// - Throws: ``FileProblem`` with the option.
    func checkWritable() throws {
        func check(_ file: PrivateFile?, _ option: String, isReplaced: Bool = false) throws {
            try naming(option) { try file?.checkWritable(isReplaced: isReplaced) }
        }
        if let session, !session.isReadOnly || session.isNew {
            let option = session.isReadOnly ? "--session-read-only" : "--session"
            try check(session.store.file, option, isReplaced: true)
        }
        try check(jar?.file, "--cookie-jar")
        // An existing file may be for reading only: it is written if a host is added.
        if let file = hstsFile?.file, !file.exists { try check(file, "--hsts") }
    }

    /// Writes typed data, and the changes of cookies and hosts, into the current contents of the files.
    func store(_ changes: CookieChanges, _ hostChanges: HSTSChanges) throws {
        if let session, !session.isReadOnly || session.isNew {
            try session.store.change { file in
                session.write(into: &file, for: url, cookieHost: cookieHost)
                file.store(changes.applied(to: file.cookies, host: cookieHost))
                if hstsFile == nil, !hostChanges.isEmpty {
                    file.hstsEntries = hostChanges.applied(to: file.hstsEntries)
                }
            }
        }
        try jar?.apply(changes)
        try hstsFile?.apply(hostChanges)
    }

    /// The cookies that may be sent to the origin of ``url`` only.
    var boundCookies: [HTTPCookie] { session?.boundCookies(for: url, cookieHost: cookieHost) ?? [] }

    private static func cookies(
        _ session: ActiveSession?,
        _ others: [HTTPCookie],
        _ url: HTTPURL,
        _ host: String
    ) -> [HTTPCookie] {
        let sendsStored = session?.sendsCookies ?? true
        let stored = sendsStored ? others + (session?.storedCookies(for: host) ?? []) : []
        let typed = session?.typedCookies(for: url, cookieHost: host) ?? []
        // A typed cookie replaces all stored ones that the server would receive under its name.
        let typedNames = Set(typed.map(\.name.octets))
        // Of several lines of a cookie, the last one counts.
        let last = Dictionary(stored.enumerated().map { ($1.identity, $0) }) { $1 }
        let others = stored.enumerated().filter { index, cookie in
            cookie.isAlive() && last[cookie.identity] == index
                && !(typedNames.contains(cookie.name.octets) && cookie.isSent(to: url, host: host))
        }
        return others.map(\.element) + typed
    }
}
