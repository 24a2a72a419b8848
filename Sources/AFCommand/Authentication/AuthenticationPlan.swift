internal import AFCore
internal import AFHTTP
internal import AFSigning

/// The authentication of a request.
enum AuthenticationPlan: Equatable, Sendable {
    /// A user and a password. `basic` is sent with the first request (RFC 7617), `digest` after the server's challenge
    /// (RFC 7616). `ntlm` and `negotiate` (RFC 4559) authenticate the connection; empty names select the existing ticket.
    /// `any` is one of the offered kinds, which the server's challenge selects.
    case password(AuthenticationKind, URLCredential, offered: AuthenticationOptions.Kinds = .all)
    /// Sent with the first request (RFC 6750).
    case bearer(String)
    /// Signs every request.
    case aws(AWSCredentials, AWSEndpoint)
    /// Obtains a bearer token first (RFC 6749), with the refresh token if there is one.
    case oauth2(OAuth2Client, refreshToken: String?)

    /// Whether requests are signed for S3.
    var signsForS3: Bool { if case .aws(_, let endpoint) = self { endpoint.isStorage } else { false } }

    /// The header field sent with the first request, if it is known in advance.
    var header: HTTPHeader? {
        switch self {
        case .password(.basic, let credential, _):
            .authorization(username: credential.user, password: credential.password)
        case .bearer(let token): .authorization(bearerToken: token)
        case .password, .aws, .oauth2: nil
        }
    }

    /// The credential for the server's challenge and the accepted schemes; `nil` if no challenge is awaited.
    var challengeCredential: (credential: URLCredential, kind: AuthenticationOptions.Kinds)? {
        guard case .password(let kind, let credential, let offered) = self, kind != .basic else { return nil }
        return (
            credential, kind == .digest ? .digest : kind == .ntlm ? .ntlm : kind == .negotiate ? .negotiate : offered
        )
    }
}

/// The rules for credentials that no option of afcli expresses.
struct CredentialRules: Equatable, Sendable {
    /// The schemes of ``AuthenticationKind/any``.
    var offeredKinds = AuthenticationOptions.Kinds.all
    /// Whether the password of a netrc file replaces that of the URL, as with `--netrc`.
    var prefersNetrc = false
    /// Whether a kind of authentication without a credential has no effect, as with `--netrc` and a configured kind.
    var mayLackCredential = false
}

extension AuthenticationPlan {
    /// The chosen authentication and warnings about it.
    struct Decision: Sendable {
        /// The authentication; `nil` without authentication.
        var plan: AuthenticationPlan?
        /// The messages.
        var warnings: [String] = []
    }

    /// Returns the credentials of the options, else of the URL, else of the netrc file.
    ///
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    static func decide(
        _ typed: AuthenticationArguments,
        for destination: CredentialDestination,
        by rules: CredentialRules = CredentialRules(),
        _ sources: SecretSources
    ) throws -> Decision {
        switch typed.kind ?? .basic {
        case .bearer:
            guard let source = typed.credential else {
                guard rules.mayLackCredential else { throw needsAuth.hinting("add --auth TOKEN") }
                return Decision()
            }
            let question = SecretQuestion("token", "for \(destination.host)")
            let token = try naming("--auth") { try sources.text(source, question) }
            return Decision(plan: .bearer(try token.checkedAsToken("--auth")))
        case .aws: return Decision(plan: try AWSCredentialChain.plan(typed, destination, sources))
        case .oauth2: return try OAuth2Credentials.decision(typed, sources)
        case let kind: return try decidePassword(kind, typed, destination, rules, sources)
        }
    }

    static let needsAuth = UsageError("requires --auth", argument: "--auth-type")

    private static func decidePassword(
        _ kind: AuthenticationKind,
        _ typed: AuthenticationArguments,
        _ destination: CredentialDestination,
        _ rules: CredentialRules,
        _ sources: SecretSources
    ) throws -> Decision {
        if let source = typed.credential {
            let credential = try naming("--auth") { try sources.credential(source, at: destination.host) }
            return Decision(plan: .password(kind, credential, offered: rules.offeredKinds))
        }
        if let credential = destination.credential, destination.hasPassword, !rules.prefersNetrc {
            return Decision(plan: .password(kind, credential, offered: rules.offeredKinds))
        }
        var decision = Decision()
        var credential = destination.credential
        let isTyped = destination.hasTypedAuthorization && typed.kind == nil && credential == nil
        if !typed.ignoresNetrc, !Safety.refuses("11-typed", isTyped), let file = NetrcFile(typed.netrcFile, sources) {
            let (login, warnings) = try file.login(for: destination, user: credential?.user)
            credential = login ?? credential
            decision.warnings = warnings
        }
        if credential == nil, kind == .negotiate { credential = URLCredential(user: "", password: "") }
        guard credential != nil || typed.kind == nil || rules.mayLackCredential else {
            throw needsAuth.hinting("add --auth USER")
        }
        decision.plan = credential.map { .password(kind, $0, offered: rules.offeredKinds) }
        return decision
    }
}

/// The server that receives credentials.
struct CredentialDestination: Sendable {
    /// The host and port as typed, for prompts.
    let host: String
    /// The host without port and brackets, as typed and in ASCII: netrc files may have either.
    let names: [String]
    /// The credential in the URL's user info.
    var credential: URLCredential?
    /// Whether the user info has a password, even an empty one.
    var hasPassword = false
    /// Whether the Authorization field was set or removed explicitly.
    var hasTypedAuthorization = false
}

extension CredentialDestination {
    init(_ address: Address, _ head: ItemEdits) {
        self.init(
            host: address.host,
            names: [address.host, address.url.host].map { String($0.withoutPort.withoutBrackets) },
            credential: address.credential,
            hasPassword: address.hasPassword,
            hasTypedAuthorization: head.mentions("Authorization")
        )
    }
}

extension String {
    /// Returns the value after a check.
    ///
    /// - Throws: ``UsageError`` for characters that a header field cannot contain.
    func checkedAsToken(_ option: String) throws(UsageError) -> String {
        guard HTTPHeader.authorization(bearerToken: self).isValid, !isEmpty else {
            let problem: UsageError.Problem =
                isEmpty ? "the token is empty" : "the token contains a line break or another control character"
            throw UsageError(problem, argument: option)
        }
        return self
    }
}
