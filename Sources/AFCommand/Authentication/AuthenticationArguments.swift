internal import AFCore
internal import AFHTTP

/// The authentication options, as typed.
struct AuthenticationArguments: Equatable, Sendable {
    var credential: CredentialSource?
    var kind: AuthenticationKind?
    var ignoresNetrc = false
    var netrcFile: String?
    /// The token endpoint of OAuth 2.
    var tokenURL: String?
    var deviceURL: String?
    var authorizeURL: String?
    var redirectURL: String?
    var scope: String?
    var refreshToken: CredentialSource?
    /// Whether a session may have the credentials.
    var mayBeStored = false

    /// Whether there is an address to which a browser returns, and none that it would open.
    var isMissingAuthorization: Bool { redirectURL != nil && authorizeURL == nil && !mayBeStored }

    /// Whether the credentials are a typed text with this user.
    func isFor(user: String) -> Bool {
        if case .typed(let text)? = credential { text.hasPrefix("\(user):") } else { false }
    }

    /// Whether an option of these sets credentials, which those of the URL or a header field replace.
    static func isCredential(_ option: OptionEntry) -> Bool {
        option.section == section && !["--ignore-netrc", "--netrc-file"].contains(option.name)
    }

    /// The heading of the options.
    static let section = "Authentication"
}

/// The authentication scheme.
enum AuthenticationKind: String, ArgumentValue, CaseIterable {
    case basic, digest, bearer, ntlm, negotiate
    case aws = "aws-sigv4"
    case oauth2
    /// The one that the server's challenge selects.
    case any

    init(argument: String) throws(UsageError) {
        // Probably credentials for --auth, which must not be shown.
        guard !argument.contains(":") else {
            throw UsageError(
                "expected the kind of the credentials", hint: "--auth sets the credentials: -a USER:PASSWORD")
        }
        do {
            self = try chosen(argument, from: Self.allCases.map { ($0.rawValue, $0) })
        } catch {
            let nearest = Self.allCases.first { editDistance($0.rawValue, argument.lowercased()) <= 2 }
            throw error.hinting(
                nearest.map { "did you mean \($0.rawValue)?" }
                    ?? "curl's -A is an item after the URL: User-Agent:NAME")
        }
    }
}

extension AuthenticationOptions.Kinds {
    /// The schemes that a challenge can select.
    static let all: Self = [.basic, .digest, .ntlm, .negotiate]
}

/// The source of a secret for an option such as `--auth`.
enum CredentialSource: Equatable, Sendable, ArgumentValue {
    case typed(String)
    case file(String)
    case variable(String)
    case descriptor(Int32)
    /// The output of a command.
    case command(String)
    case prompt

    /// The name for messages; `nil` for a typed text and for a prompt.
    var name: String? {
        switch self {
        case .file(let path): "'\(path)'"
        case .variable(let name): "the variable \(name)"
        case .descriptor(let number): "fd:\(number)"
        case .command: "the output of exec:"
        case .typed, .prompt: nil
        }
    }

    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else {
            throw UsageError(
                "the argument is empty",
                hint: "expected the text itself, text:TEXT, @FILE, env:NAME, fd:NUMBER, exec:COMMAND or -"
            )
        }
        if argument == "-" {
            self = .prompt
        } else if argument == "@-" {
            self = .descriptor(0)
        } else if argument.hasPrefix("@") {
            self = .file(String(argument.dropFirst()))
        } else if argument.hasPrefix("env:") {
            guard argument.utf8.count > 4 else { throw UsageError("expected the name of a variable, as in env:TOKEN") }
            self = .variable(String(argument.dropFirst(4)))
        } else if argument.hasPrefix("exec:") {
            self = .command(String(argument.dropFirst(5)))
        } else if argument.hasPrefix("fd:") {
            let digits = argument.dropFirst(3)
            guard digits.isDecimal, let number = Int32(digits) else {
                throw UsageError("expected fd:NUMBER, got '\(argument)'")
            }
            self = .descriptor(number)
        } else {
            let text = argument.hasPrefix("text:") ? String(argument.dropFirst(5)) : argument
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw UsageError("a secret must not contain control characters")
            }
            self = .typed(text)
        }
    }

    /// Returns the argument that an option reads as literal text, also if the text has the form of another source.
    static func argument(literal text: String) -> String {
        let isLiteral = Safety.requires("34-literal", (try? CredentialSource(argument: text)) == .typed(text))
        return isLiteral ? text : "text:\(text)"
    }
}

extension ArgumentSecrets {
    /// A secret itself, and not its source.
    static let credential = Self { argument in
        guard case .typed(let text)? = try? CredentialSource(argument: argument) else { return [] }
        return [argument.end(text)]
    }
}

extension OptionRequirement<AuthenticationArguments> {
    /// A token is requested.
    fileprivate static var oauth2: Self {
        Self(dependsOn: .storedCredentials) { authentication in
            authentication.kind == .oauth2 || authentication.mayBeStored
                ? nil : UsageError.withoutHint("requires --auth-type oauth2")
        }
    }

    /// A token is requested with a browser.
    fileprivate static var authorization: Self {
        Self(dependsOn: .storedCredentials) { authentication in
            oauth2.failure(authentication)
                ?? (authentication.isMissingAuthorization ? UsageError("requires --authorize-url") : nil)
        }
    }
}

extension AuthenticationArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-a", "-u", "--auth",
            summary: "USER[:PASSWORD], or with -A bearer, a token",
            details: """
                A missing password is read from the terminal. To keep secrets out of the process list, use `@FILE` \
                (its first line), `@-` (that of standard input, which is no body then), `env:NAME`, `fd:NUMBER`, \
                `exec:COMMAND` or `-` for a prompt. `exec:` takes the line that a program writes, such as `exec:pass show api`; it runs without a shell. `text:TEXT` is TEXT itself, \
                if that begins like one of these. A token requires `--auth-type bearer`. The credentials are not sent to another scheme, host or port after a redirect.
                """,
            curl: [.translated("user")],
            secrets: .credential,
            holdsCredentials: true,
            effect: .argument("CREDENTIAL", sets: \.credential)
        )

        Option(
            "-A", "--auth-type",
            summary: "Authentication type (default: basic)",
            details: """
                `basic`, `bearer`, `ntlm`, `negotiate` and `aws-sigv4` are sent with the first request, `digest` \
                after the server's challenge. `any` is the strongest of `negotiate`, `digest`, `ntlm` and `basic` that the \
                challenge offers.

                `ntlm` accepts `DOMAIN\\USER:PASSWORD`. `negotiate` uses the ticket of `kinit`, without `--auth`.

                `aws-sigv4` signs requests to Amazon Web Services with `--auth KEY_ID:SECRET[:REGION[:SERVICE]]`, else \
                `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, else the profile of \
                `AWS_PROFILE` or `AWS_DEFAULT_PROFILE` (`default`) in `~/.aws/credentials` or `~/.aws/config`, whose \
                `credential_process` is run. A profile with a role or single sign-on is an error. Empty keys, as in `--auth \
                ::eu-west-1:execute-api`, also select these sources. Region and service are derived from the host \
                name; otherwise the region is read from `AWS_REGION`, `AWS_DEFAULT_REGION` or the profile. A body that \
                can be read only once, such as a pipe, cannot be signed: S3 accepts it over https, other services \
                require a file.

                `oauth2` requests a token from `--token-url` with `--auth CLIENT_ID[:SECRET]` and sends it; \
                `CLIENT_ID:` is a client without a secret.
                """,
            effect: .argument("KIND", sets: \.kind)
        )

        Option(
            "--ignore-netrc",
            summary: "Do not read the netrc file",
            effect: .flag(\.ignoresNetrc, sets: true)
        )

        Option(
            "--netrc-file",
            summary: "Read credentials from this netrc file",
            details: """
                Its entries are `machine HOST login USER password PASSWORD`, where HOST has no port; `default` matches \
                every other host. Unknown words are an error. The file is used if there is no `--auth`, no password in \
                the URL and no `Authorization` field; a user in the URL must be that of the entry. The default is \
                `$NETRC`, else `~/.netrc`. The credentials are not sent to another scheme, host or port after a \
                redirect.
                """,
            isRare: true,
            repetition: .error,
            curl: [.same],
            holdsCredentials: true,
            variables: .ofDefault("NETRC") { $0.netrcFile = nil },
            effect: .argument("FILE", hint: .file, sets: \.netrcFile)
        )

        Option(
            "--token-url",
            summary: "Token endpoint of --auth-type oauth2",
            details: "A URL without a scheme is an https URL.",
            requires: .oauth2,
            secrets: .url,
            effect: .argument("URL", sets: \.tokenURL)
        )

        Option(
            "--device-url",
            summary: "Device endpoint of --auth-type oauth2",
            details: """
                You log in on any device: afcli shows an address and a code, and waits until you have entered it \
                there (RFC 8628). With `--session`, the token is stored and refreshed, so that you log in once.
                """,
            requires: .oauth2,
            excludes: ["--authorize-url", "--input"],
            yieldsTo: ["--authorize-url"],
            secrets: .url,
            effect: .argument("URL", sets: \.deviceURL)
        )

        Option(
            "--authorize-url",
            summary: "Authorization endpoint of --auth-type oauth2",
            details: """
                You log in with a browser on this machine: afcli shows the URL, opens it with `xdg-open` if standard \
                error is a terminal and there is a display, and waits 10 minutes for the redirect to a port of this \
                machine (RFC 8252). The code is bound to this run (PKCE, RFC 7636). With `--session`, the token is \
                stored and refreshed, so that you log in once.
                """,
            requires: .oauth2,
            excludes: ["--input"],
            yieldsTo: ["--device-url"],
            secrets: .url,
            effect: .argument("URL", sets: \.authorizeURL)
        )

        Option(
            "--redirect-url",
            summary: "Redirect address of --authorize-url",
            details: """
                An http URL with the host `127.0.0.1` or `localhost`, as registered with the server. Without a port, \
                any free one is used. The default is `http://127.0.0.1/`.
                """,
            requires: .authorization,
            effect: .argument("URL", sets: \.redirectURL)
        )

        Option(
            "--scope",
            summary: "Scope of the OAuth 2 token",
            details: "Words separated by spaces, as the server defines them.",
            requires: .oauth2,
            effect: .argument("SCOPE", sets: \.scope)
        )

        Option(
            "--refresh-token",
            summary: "Refresh token for --auth-type oauth2",
            details:
                """
                Use `@FILE`, `env:NAME`, `fd:NUMBER`, `exec:COMMAND` or `-`, as for `--auth`, to keep it out of the \
                process list.
                """,
            requires: .oauth2,
            secrets: .credential,
            holdsCredentials: true,
            effect: .argument("TOKEN", sets: \.refreshToken)
        )
    }
}

extension ItemEdits {
    /// Returns a warning for each typed field that is not sent.
    ///
    /// - Parameter login: The source of the credentials that override a typed field; `nil` if no credentials override it.
    func warnings(login: String?) -> [String] {
        guard let login, mentions("Authorization") else { return [] }
        return ["the Authorization header is not sent: the credentials of \(login) are sent"]
    }
}

extension AuthenticationArguments {
    /// The option that sets the authentication; `nil` without authentication.
    var origin: String? { credential != nil ? "--auth" : kind != nil ? "--auth-type" : nil }
}
