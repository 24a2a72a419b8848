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
    /// Of no host yet.
    private(set) var typedCookies: [HTTPCookie] = []
    /// Whether the kept cookies go along.
    private(set) var sendsCookies = true
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
        } catch {
            throw error.naming(choice.isReadOnly ? "--session-read-only" : "--session")
        }
    }

    /// Lays what was typed over the headers of the session, and takes the typed cookies: they are kept like those that a
    /// server sets.
    mutating func merge(_ head: inout HeadItems) {
        let cookies = head.takeCookies()
        typedCookies = cookies.pairs.map { name, value in
            // Under these names no cookie is kept that could go out in clear.
            let isSecure = ["__secure-", "__host-"].contains { name.lowercased().hasPrefix($0) }
            return HTTPCookie(name: name, value: value, domain: "", isSecure: isSecure)
        }
        sendsCookies = !cookies.areRemoved
        typedHeaders = head.edits.compactMap { edit in
            if case .add(let header) = edit, header.isKeptInSessions { header } else { nil }
        }
        hasTypedAuthorization = head.value(for: "Authorization") != nil
        head.adopt(
            file.keptHeaders.filter { kept in
                head.mentions(kept.header.name) || mayGo(kept.header.name, typedFor: kept.origin)
            }
            .map(\.header))
    }

    private mutating func mayGo(_ name: String, typedFor origin: Origin?) -> Bool {
        guard let origin, let destination, !origin.isTrusted(at: destination) else { return true }
        warnings.append(
            """
            the \(name) of the session was typed for \(origin) and is not sent to \(destination): type it for this one \
            as well, or --trust-redirects
            """)
        return false
    }

    /// The login to use: what was typed, else what is kept for this origin.
    ///
    /// - Throws: ``UsageError`` for a kind of login that HTTPie has got from elsewhere.
    mutating func authentication(
        _ typed: Invocation.Authentication,
        urlCredential: URLCredential?
    ) throws(UsageError) -> Invocation.Authentication {
        guard typed.credential == nil, typed.kind == nil, urlCredential == nil, !hasTypedAuthorization,
            let login = file.login, mayGo("login", typedFor: login.origin)
        else { return typed }
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
        guard !typedCookies.isEmpty else { return }
        var cookies = session.cookies
        for cookie in typedCookies {
            cookies.removeAll { $0.name == cookie.name && $0.cookie(for: url.cookieHost).goes(to: url) }
            cookies.append(SessionCookie(cookie, isBound: false))
        }
        session.keep(cookies)
    }
}

extension HTTPHeader {
    /// What belongs to one request alone is not kept.
    fileprivate var isKeptInSessions: Bool {
        let name = name.lowercased()
        return !name.hasPrefix("content-") && !name.hasPrefix("if-") && name != "range" && name != "cookie"
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
