internal import AFHTTP
internal import AFJSON

/// The session of a request: its stored data, and typed data to be stored.
struct ActiveSession: Equatable, Sendable {
    let store: SessionStore
    let isReadOnly: Bool
    /// Whether the file does not exist yet.
    let isNew: Bool
    /// The file when the request was planned.
    let file: SessionFile
    /// The origin of the request; `nil` if secrets may be sent to all origins.
    private let destination: Origin?
    /// Warnings about secrets that are not sent, as they were typed for another origin; a sentence each.
    private(set) var warnings: [String] = []
    private var typedHeaders: [HTTPHeader] = []
    private var typedCookies = ItemEdits.TypedCookies()
    /// The cookies of the file that may be sent to the destination.
    private var sentCookies: [SessionCookie] = []
    private var typedLogin: SessionFile.Authentication?
    private var hasTypedAuthorization = false
    /// Whether the credentials are those of an OAuth 2 client; ``SessionTokens`` stores them.
    private var hasTypedClient = false

    /// Reads a session.
    ///
    /// - Parameters:
    ///   - host: The host of the request, as in ``ConfigurationDirectory/session(_:host:files:)``.
    ///   - destination: The origin that secrets must have been typed for; `nil` if they may be sent to all origins.
    /// - Throws: ``UsageError``, or ``FileProblem`` for a file that is not a session.
    init(
        _ choice: SessionChoice,
        host: String,
        destination: Origin?,
        _ directory: ConfigurationDirectory,
        files: FileAccess
    ) throws {
        self.destination = destination
        store = SessionStore(file: try directory.session(choice.file, host: host, files: files))
        isReadOnly = choice.isReadOnly
        do throws(FileProblem) {
            let loaded = try store.load()
            isNew = loaded == nil
            file = loaded ?? SessionFile()
            if try store.file.isOpenToOthers(closes: !isReadOnly) {
                let remedy = isReadOnly ? "chmod 600 makes it private" : "from now on only its owner can (mode 600)"
                warnings.append("other users can read the secrets in '\(store.file.path)'; \(remedy)")
            }
            if isNew, try store.file.isLeftEmpty() {
                warnings.append("the session file '\(store.file.path)' is empty: a new session starts")
            }
        } catch {
            throw error.naming(choice.isReadOnly ? "--session-read-only" : "--session")
        }
    }

    /// Merges the session's header fields with the typed ones, and takes the typed cookies: they are stored like those
    /// of a server.
    mutating func merge(_ head: inout ItemEdits) {
        typedCookies = head.takeCookies()
        if sendsCookies { takeCookies() }
        typedHeaders = head.edits.compactMap { edit in
            if case .add(let header) = edit, header.isStoredInSessions { header } else { nil }
        }
        hasTypedAuthorization = head.value(for: "Authorization") != nil
        var sentHeaders: [HTTPHeader] = []
        // Older versions stored Transfer-Encoding, which belongs to one request.
        let excluded = Set(head.edits.map { $0.name.lowercased() } + ["transfer-encoding"])
        for stored in file.storedHeaders where !excluded.contains(stored.header.name.lowercased()) {
            if mayGo(stored.origin) {
                sentHeaders.append(stored.header)
            } else {
                warn(of: stored.header.name, typedFor: stored.origin)
            }
        }
        head.edits = sentHeaders.map(HeaderEdit.add) + head.edits
    }

    /// Whether data typed for an origin may be sent to the destination; without an origin it may be sent everywhere.
    private func mayGo(_ origin: Origin?) -> Bool {
        guard let origin, let destination else { return true }
        return origin.isTrusted(at: destination)
    }

    private mutating func warn(of name: String, typedFor origin: Origin?) {
        guard let origin, let destination else { return }
        let warning = """
            the session's \(name) belongs to \(origin) and is not sent to \(destination): give it for this origin as \
            well, or add --trust-redirects
            """
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    private mutating func takeCookies() {
        sentCookies = file.cookies.filter { Safety.requires("26-cookie", mayGo($0.origin)) }
        // There are cookies that were typed for this origin.
        guard typedCookies.cookies.isEmpty, !sentCookies.contains(where: { $0.origin != nil }) else { return }
        let names = Set(sentCookies.map(\.name))
        for cookie in file.cookies where !mayGo(cookie.origin) && !names.contains(cookie.name) {
            warn(of: "Cookie", typedFor: cookie.origin)
        }
    }

    /// Whether stored cookies are sent.
    var sendsCookies: Bool { !typedCookies.areRemoved }

    /// Returns the cookies of the file for a run.
    ///
    /// - Parameter host: The run's first host, as cookies name it.
    func storedCookies(for host: String) -> [HTTPCookie] {
        sentCookies.map { stored in
            var cookie = stored.cookie(for: host)
            if stored.origin != nil, destination == nil {
                // With --trust-redirects, a typed cookie of any origin is sent to this run's host, also over http.
                (cookie.domain, cookie.isSecure) = (host, cookie.hasSecureName)
            }
            return cookie
        }
    }

    /// Returns the typed cookies for a host; secure if the scheme of the URL is https.
    func typedCookies(for url: HTTPURL, cookieHost: String) -> [HTTPCookie] {
        typedCookies.cookies.map { typed in
            var cookie = typed
            cookie.domain = cookieHost
            cookie.isSecure =
                cookie.hasSecureName || Safety.refuses("26-clear-text", url.scheme == .https && destination != nil)
            return cookie
        }
    }

    /// Returns the stored and typed cookies that may be sent to the destination's origin only; none with
    /// --trust-redirects.
    func boundCookies(for url: HTTPURL, cookieHost: String) -> [HTTPCookie] {
        guard destination != nil else { return [] }
        return sentCookies.filter { $0.origin != nil }.map { $0.cookie(for: cookieHost) }
            + typedCookies(for: url, cookieHost: cookieHost)
    }

    /// Returns the typed credentials, else the stored ones for this origin.
    ///
    /// - Throws: ``UsageError`` for an authentication type of an HTTPie plug-in.
    mutating func authentication(
        _ typed: AuthenticationArguments,
        urlCredential: URLCredential?,
        for origin: Origin?
    ) throws(UsageError) -> AuthenticationArguments {
        guard typed.credential == nil, typed.kind == nil, urlCredential == nil, !hasTypedAuthorization else {
            return typed
        }
        guard let login = file.login else { return tokenAuthentication(typed, for: origin) }
        guard mayGo(login.origin) else {
            warn(of: "login", typedFor: login.origin)
            return typed
        }
        guard let kind = AuthenticationKind(rawValue: login.kind.lowercased()) else {
            throw UsageError(
                "the session has the unknown authentication type '\(login.kind)'",
                argument: "--session",
                hint: "set the credentials: --auth and --auth-type override the session"
            )
        }
        var stored = typed
        stored.credential = .typed(login.credential)
        stored.kind = kind
        return stored
    }

    /// Returns the authentication with the stored token of this origin, which is renewed when it has expired.
    private mutating func tokenAuthentication(
        _ typed: AuthenticationArguments,
        for origin: Origin?
    ) -> AuthenticationArguments {
        // Typed options of a token require that its client is typed, too.
        guard typed.tokenURL == nil, typed.deviceURL == nil, typed.authorizeURL == nil, typed.scope == nil,
            typed.refreshToken == nil, let token = file.token,
            token.clientSecret != nil || token.refreshToken != nil || token.requiresUser
        else { return typed }
        guard origin?.description == token.origin else {
            warn(of: "login", typedFor: Origin(.string(token.origin)))
            return typed
        }
        var stored = typed
        stored.kind = .oauth2
        stored.credential = .typed("\(token.clientID):\(token.clientSecret ?? "")")
        stored.tokenURL = token.issuer
        stored.deviceURL = token.deviceURL
        stored.authorizeURL = token.authorizeURL
        stored.redirectURL = token.redirectURL
        stored.scope = token.scope
        stored.refreshToken = token.refreshToken.map { .typed($0) }
        return stored
    }

    /// Records typed credentials from any source, so that they are stored.
    mutating func store(_ authentication: AuthenticationPlan?) {
        typedLogin = authentication?.sessionLogin
        if case .oauth2 = authentication { hasTypedClient = true }
    }

    /// Writes the typed data into the session's current contents.
    func write(into session: inout SessionFile, for url: HTTPURL, cookieHost: String) {
        session.store(typedHeaders, for: url.origin)
        // A session has one kind of credentials: the last typed ones.
        if hasTypedAuthorization || hasTypedClient { session.store(nil as SessionFile.Authentication?) }
        if hasTypedAuthorization || typedLogin != nil { session.token = nil }
        if hasTypedClient { session.removeAuthorization() }
        if var typedLogin {
            typedLogin.origin = url.origin
            session.store(typedLogin)
            session.removeAuthorization()
        }
        let typed = typedCookies(for: url, cookieHost: cookieHost)
        guard !typed.isEmpty else { return }
        let names = Set(typed.map(\.name))
        let others = session.cookies.filter { cookie in
            !names.contains(cookie.name) || !mayGo(cookie.origin)
                || !cookie.cookie(for: cookieHost).isSent(to: url, host: cookieHost)
        }
        session.store(others + typed.map { SessionCookie($0, typedFor: url.origin) })
    }
}

extension HTTPHeader {
    /// Whether the field is stored; some fields belong to one request.
    fileprivate var isStoredInSessions: Bool {
        let name = name.lowercased()
        return !name.hasPrefix("content-") && !name.hasPrefix("if-") && name != "idempotency-key"
            && !["range", "cookie"].contains(name) && !Safety.refuses("25-session", name == "transfer-encoding")
    }
}

extension AuthenticationPlan {
    /// The credentials in the format of the options; `nil` for types that are not stored.
    fileprivate var sessionLogin: SessionFile.Authentication? {
        switch self {
        case .password(let kind, let credential, _):
            SessionFile.Authentication(kind: kind.rawValue, credential: "\(credential.user):\(credential.password)")
        case .bearer(let token): SessionFile.Authentication(kind: AuthenticationKind.bearer.rawValue, credential: token)
        case .aws, .oauth2: nil
        }
    }
}
