internal import AFCore
internal import AFHTTP

/// How a request logs in.
enum AuthenticationPlan: Equatable, Sendable {
    /// Sent with the first request (RFC 7617).
    case basic(URLCredential)
    /// Sent once the server has asked for it (RFC 7616).
    case digest(URLCredential)
    /// Logs in the connection, in three steps.
    case ntlm(URLCredential)
    /// Logs in the connection (RFC 4559); empty names stand for the ticket that is there.
    case negotiate(URLCredential)
    /// Sent with the first request (RFC 6750).
    case bearer(String)
    /// Signs every request.
    case amazon(AWSCredentials, AWSEndpoint)
    /// Gets a bearer token first (RFC 6749), by the refresh token where there is one.
    case oauth2(OAuth2Client, refreshToken: String?)

    /// The header that is sent without being asked for, as far as it is known before.
    var header: HTTPHeader? {
        switch self {
        case .basic(let credential): .authorization(username: credential.user, password: credential.password)
        case .bearer(let token): .authorization(bearerToken: token)
        case .digest, .ntlm, .negotiate, .amazon, .oauth2: nil
        }
    }

    /// What the server's challenge is answered with, and how; `nil` where none is.
    var answer: (credential: URLCredential, kind: AuthenticationOptions.Kinds)? {
        switch self {
        case .digest(let credential): (credential, .digest)
        case .ntlm(let credential): (credential, .ntlm)
        case .negotiate(let credential): (credential, .negotiate)
        case .basic, .bearer, .amazon, .oauth2: nil
        }
    }
}

extension AuthenticationPlan {
    /// A decision, and what the user should know about it.
    struct Decision: Sendable {
        /// `nil` where nothing says how to log in.
        var plan: AuthenticationPlan?
        /// Sentences.
        var warnings: [String] = []
    }

    /// The login of the options, else that of the URL, else that of the netrc file.
    ///
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` from a question.
    static func decide(
        _ typed: AuthenticationArguments,
        for destination: LoginDestination,
        _ sources: SecretSources
    ) throws -> Decision {
        if typed.kind != .oauth2 { try checkForTokenOptions(typed) }
        switch typed.kind ?? .basic {
        case .bearer:
            guard let source = typed.credential else { throw needsAuth }
            let token = try naming("--auth") { try sources.text(source, "token for \(destination.host): ") }
            return Decision(plan: .bearer(try token.checkedAsToken("--auth")))
        case .amazon: return Decision(plan: try AmazonLogin.plan(typed, destination, sources))
        case .oauth2: return try TokenLogin.decision(typed, sources)
        case let kind: return try decidePassword(kind, typed, destination, sources)
        }
    }

    static let needsAuth = UsageError("needs --auth", argument: "--auth-type")

    private static func decidePassword(
        _ kind: AuthenticationKind,
        _ typed: AuthenticationArguments,
        _ destination: LoginDestination,
        _ sources: SecretSources
    ) throws -> Decision {
        if let source = typed.credential {
            let credential = try naming("--auth") { try sources.credential(source, at: destination.host) }
            return Decision(plan: AuthenticationPlan(kind, credential))
        }
        if let credential = destination.credential, destination.hasPassword {
            return Decision(plan: AuthenticationPlan(kind, credential))
        }
        var decision = Decision()
        var credential = destination.credential
        let isTyped = destination.hasTypedAuthorization && typed.kind == nil && credential == nil
        if !typed.ignoresNetrc, !isTyped, let file = NetrcFile(typed.netrcFile, sources) {
            let (login, warnings) = try file.login(for: destination, user: credential?.user)
            credential = login ?? credential
            decision.warnings = warnings
        }
        if credential == nil, kind == .negotiate { credential = URLCredential(user: "", password: "") }
        guard credential != nil || typed.kind == nil else { throw needsAuth }
        decision.plan = credential.map { AuthenticationPlan(kind, $0) }
        return decision
    }

    private init(_ kind: AuthenticationKind, _ credential: URLCredential) {
        switch kind {
        case .digest: self = .digest(credential)
        case .ntlm: self = .ntlm(credential)
        case .negotiate: self = .negotiate(credential)
        case .basic, .bearer, .amazon, .oauth2: self = .basic(credential)
        }
    }

    private static func checkForTokenOptions(_ typed: AuthenticationArguments) throws(UsageError) {
        let options = [
            ("--token-url", typed.tokenURL != nil), ("--scope", typed.scope != nil),
            ("--refresh-token", typed.refreshToken != nil),
        ]
        guard let (option, _) = options.first(where: \.1) else { return }
        throw UsageError("needs --auth-type oauth2", argument: option)
    }
}

/// Where a login goes, as far as the choice of one depends on it.
struct LoginDestination: Sendable {
    /// Host and port as typed, for questions.
    let host: String
    /// As it is typed, without port and brackets, and as it is asked for: names of files may be either.
    let names: [String]
    /// From the URL's user info.
    var credential: URLCredential?
    /// Whether the user info holds one, be it an empty one.
    var hasPassword = false
    /// Whether a header or its removal says how to log in.
    var hasTypedAuthorization = false
}

extension LoginDestination {
    init(_ address: Address, _ head: HeadItems) {
        let ascii = (try? HTTPURL(parsing: address.url))?.host
        self.init(
            host: address.host,
            names: [address.host.hostAlone] + (ascii.map { [$0.hostAlone] } ?? []),
            credential: address.credential,
            hasPassword: address.hasPassword,
            hasTypedAuthorization: head.mentions("Authorization")
        )
    }
}

extension String {
    /// Without port and brackets.
    fileprivate var hostAlone: String {
        hasPrefix("[") ? String(dropFirst().prefix { $0 != "]" }) : String(prefix { $0 != ":" })
    }
}

extension String {
    /// - Throws: ``UsageError`` for what cannot stand in a header.
    func checkedAsToken(_ option: String) throws(UsageError) -> String {
        guard HTTPHeader.authorization(bearerToken: self).isValid, !isEmpty else {
            let problem: UsageError.Problem =
                isEmpty ? "the token is empty" : "the token holds a line break or another control character"
            throw UsageError(problem, argument: option)
        }
        return self
    }
}
