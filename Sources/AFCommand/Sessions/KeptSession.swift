internal import AFHTTP

/// A session that a request belongs to: what it brings along, and what was typed to be kept in it.
struct KeptSession: Equatable, Sendable {
    let store: SessionStore
    let isReadOnly: Bool
    /// Whether there is no such file yet.
    let isNew: Bool
    /// As it was when the request was planned.
    let file: SessionFile
    /// That the request goes to; `nil` where everything goes everywhere.
    private let destination: Origin?
    /// What the user should know of secrets that were typed for another origin and are not sent, in sentences.
    private(set) var warnings: [String] = []
    private var typedHeaders: [HTTPHeader] = []
    private var typedCookies = HeadItems.TypedCookies()
    /// Those of the file that may go to the destination.
    private var sentCookies: [SessionCookie] = []
    private var typedLogin: SessionFile.Login?
    private var hasTypedAuthorization = false

    /// - Parameters:
    ///   - host: That the request goes to, as in ``ConfigurationFolder/session(_:host:files:)``.
    ///   - destination: That secrets must have been typed for; `nil` where they go everywhere.
    /// - Throws: ``UsageError``, or ``FileProblem`` for a file that is no session.
    init(
        _ choice: SessionChoice,
        host: String,
        destination: Origin?,
        _ folder: ConfigurationFolder,
        files: FileAccess
    ) throws {
        self.destination = destination
        store = SessionStore(file: try folder.session(choice.place, host: host, files: files))
        isReadOnly = choice.isReadOnly
        do throws(FileProblem) {
            let loaded = try store.load()
            isNew = loaded == nil
            file = loaded ?? SessionFile()
            if try store.file.isOpenToOthers(closes: !isReadOnly) {
                let remedy = isReadOnly ? "chmod 600 closes it to them" : "from now on only its owner can (mode 600)"
                warnings.append("others can read the secrets in '\(store.file.path)'; \(remedy)")
            }
        } catch {
            throw error.naming(choice.isReadOnly ? "--session-read-only" : "--session")
        }
    }

    /// Lays what was typed over the headers of the session, and takes the typed cookies: they are kept like those that a
    /// server sets.
    mutating func merge(_ head: inout HeadItems) {
        typedCookies = head.takeCookies()
        if sendsCookies { takeCookies() }
        typedHeaders = head.edits.compactMap { edit in
            if case .add(let header) = edit, header.isKeptInSessions { header } else { nil }
        }
        hasTypedAuthorization = head.value(for: "Authorization") != nil
        var sentHeaders: [HTTPHeader] = []
        // Older versions stored Transfer-Encoding, which belongs to one request.
        let excluded = Set(head.edits.map { $0.name.lowercased() } + ["transfer-encoding"])
        for kept in file.keptHeaders where !excluded.contains(kept.header.name.lowercased()) {
            if mayGo(kept.origin) {
                sentHeaders.append(kept.header)
            } else {
                warn(of: kept.header.name, typedFor: kept.origin)
            }
        }
        head.edits = sentHeaders.map(HeaderEdit.add) + head.edits
    }

    /// Whether what was typed for an origin may go to the destination; `nil` for what goes everywhere.
    private func mayGo(_ origin: Origin?) -> Bool {
        guard let origin, let destination else { return true }
        return origin.isTrusted(at: destination)
    }

    private mutating func warn(of name: String, typedFor origin: Origin?) {
        guard let origin, let destination else { return }
        let warning = """
            the \(name) of the session was typed for \(origin) and is not sent to \(destination): type it for this one \
            as well, or --trust-redirects
            """
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    private mutating func takeCookies() {
        sentCookies = file.cookies.filter { mayGo($0.origin) }
        // Cookies were typed for this origin, too.
        guard typedCookies.cookies.isEmpty, !sentCookies.contains(where: { $0.origin != nil }) else { return }
        let names = Set(sentCookies.map(\.name))
        for cookie in file.cookies where !mayGo(cookie.origin) && !names.contains(cookie.name) {
            warn(of: "Cookie", typedFor: cookie.origin)
        }
    }

    /// Whether cookies are sent that were not typed.
    var sendsCookies: Bool { !typedCookies.areRemoved }

    /// The cookies of the file that a run may send, if it starts at the URL.
    func keptCookies(for url: HTTPURL) -> [HTTPCookie] {
        sentCookies.map { kept in
            var cookie = kept.cookie(for: url.cookieHost)
            if kept.origin != nil, destination == nil {
                // --trust-redirects: to any host, in clear text too.
                (cookie.domain, cookie.isSecure) = (url.cookieHost, cookie.hasSecureName)
            }
            return cookie
        }
    }

    /// The cookies that were typed, for the host of the URL; secure if it is reached over TLS.
    func typedCookies(for url: HTTPURL) -> [HTTPCookie] {
        typedCookies.cookies.map { typed in
            var cookie = typed
            cookie.domain = url.cookieHost
            cookie.isSecure = cookie.hasSecureName || url.scheme == .https && destination != nil
            return cookie
        }
    }

    /// The stored and typed cookies that go to the destination's origin only; none with --trust-redirects.
    func boundCookies(for url: HTTPURL) -> [HTTPCookie] {
        guard destination != nil else { return [] }
        return sentCookies.filter { $0.origin != nil }.map { $0.cookie(for: url.cookieHost) } + typedCookies(for: url)
    }

    /// The login to use: what was typed, else what is kept for this origin.
    ///
    /// - Throws: ``UsageError`` for a kind of login that HTTPie has got from elsewhere.
    mutating func authentication(
        _ typed: AuthenticationArguments,
        urlCredential: URLCredential?
    ) throws(UsageError) -> AuthenticationArguments {
        guard typed.credential == nil, typed.kind == nil, urlCredential == nil, !hasTypedAuthorization,
            let login = file.login
        else { return typed }
        guard mayGo(login.origin) else {
            warn(of: "login", typedFor: login.origin)
            return typed
        }
        guard let kind = AuthenticationKind(rawValue: login.kind.lowercased()) else {
            throw UsageError(
                "the session logs in by '\(login.kind)', which is not known here",
                argument: "--session",
                hint: "type the login: --auth and --auth-type go before what the session keeps"
            )
        }
        var kept = typed
        kept.credential = .typed(login.credential)
        kept.kind = kind
        return kept
    }

    /// Notes a login that was typed, whatever it was read from, so that it is kept.
    mutating func note(_ authentication: AuthenticationPlan?) { typedLogin = authentication?.sessionLogin }

    /// Writes what was typed into the session as it is now.
    func write(into session: inout SessionFile, for url: HTTPURL) {
        session.keep(typedHeaders, for: url.origin)
        if hasTypedAuthorization { session.keep(nil as SessionFile.Login?) }
        if var typedLogin {
            typedLogin.origin = url.origin
            session.keep(typedLogin)
            session.removeHeaders(named: "Authorization")
        }
        let typed = typedCookies(for: url)
        guard !typed.isEmpty else { return }
        let names = Set(typed.map(\.name))
        let others = session.cookies.filter { cookie in
            !names.contains(cookie.name) || !mayGo(cookie.origin) || !cookie.cookie(for: url.cookieHost).goes(to: url)
        }
        session.keep(others + typed.map { SessionCookie($0, typedFor: url.origin) })
    }
}

extension HTTPHeader {
    /// What belongs to one request alone is not kept.
    fileprivate var isKeptInSessions: Bool {
        let name = name.lowercased()
        return !name.hasPrefix("content-") && !name.hasPrefix("if-")
            && !["range", "cookie", "transfer-encoding"].contains(name)
    }
}

extension HTTPCookie {
    /// Whether the name demands that the cookie is secure (RFC 6265bis §4.1.3).
    fileprivate var hasSecureName: Bool {
        let name = name.lowercased()
        return name.hasPrefix("__secure-") || name.hasPrefix("__host-")
    }
}

extension AuthenticationPlan {
    /// The login in the words of the options; `nil` for one that needs more than them, and is not kept.
    fileprivate var sessionLogin: SessionFile.Login? {
        func login(_ kind: AuthenticationKind, _ credential: URLCredential) -> SessionFile.Login {
            SessionFile.Login(kind: kind.rawValue, credential: "\(credential.user):\(credential.password)")
        }
        return switch self {
        case .basic(let credential): login(.basic, credential)
        case .digest(let credential): login(.digest, credential)
        case .ntlm(let credential): login(.ntlm, credential)
        case .negotiate(let credential): login(.negotiate, credential)
        case .bearer(let token): SessionFile.Login(kind: AuthenticationKind.bearer.rawValue, credential: token)
        case .amazon, .oauth2: nil
        }
    }
}
