/// The authentication options, as typed.
struct AuthenticationArguments: OptionValues {
    var credential: CredentialSource?
    var kind: AuthenticationKind?
    var ignoresNetrc = false
    var netrcFile: String?
    /// The token endpoint of OAuth 2.
    var tokenURL: String?
    var scope: String?
    var refreshToken: CredentialSource?
}

/// The authentication scheme.
enum AuthenticationKind: String, ArgumentValue, CaseIterable {
    case basic, digest, bearer, ntlm, negotiate
    case amazon = "aws-sigv4"
    case oauth2
}

/// The source of a secret for an option such as `--auth`.
enum CredentialSource: Equatable, Sendable, ArgumentValue {
    case typed(String)
    case file(String)
    case variable(String)
    case descriptor(Int32)
    case prompt

    init(argument: String) throws(UsageError) {
        guard !argument.isEmpty else {
            throw UsageError("expected the text itself, @FILE, env:NAME, fd:NUMBER or -, got nothing")
        }
        if argument == "-" {
            self = .prompt
        } else if argument.hasPrefix("@") {
            self = .file(String(argument.dropFirst()))
        } else if argument.hasPrefix("env:") {
            self = .variable(String(argument.dropFirst(4)))
        } else if argument.hasPrefix("fd:") {
            let digits = argument.dropFirst(3)
            guard digits.isDecimal, let number = Int32(digits) else {
                throw UsageError("expected fd:NUMBER, got '\(argument)'")
            }
            self = .descriptor(number)
        } else {
            guard argument.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw UsageError("a secret cannot hold control characters")
            }
            self = .typed(argument)
        }
    }
}

extension AuthenticationArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-a", "-u", "--auth",
            summary: "Log in with USER[:PASSWORD] or a bearer token",
            details: """
                Without a password it is asked for on the terminal. To keep secrets out of the process list, give \
                `@FILE` (its first line), `env:NAME`, `fd:NUMBER`, or `-` to be asked for all of it. A token needs \
                `--auth-type bearer`. Redirects to another scheme, host or port do not get the login.
                """,
            effect: .argument("CREDENTIAL", sets: \.credential)
        )

        Option(
            "-A", "--auth-type",
            summary: "How to log in; basic unless given",
            details: """
                `basic`, `bearer` and `aws-sigv4` are sent with the first request, `digest`, `ntlm` and `negotiate` \
                once the server asks.

                `ntlm` takes `DOMAIN\\USER:PASSWORD`. `negotiate` takes the ticket of `kinit`, and no `--auth`.

                `aws-sigv4` signs for Amazon's services: `--auth KEY_ID:SECRET[:REGION[:SERVICE]]`, else \
                `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, else the profile of \
                `AWS_PROFILE` (`default`) in `~/.aws/credentials` or `~/.aws/config`; empty keys, as in `--auth \
                ::eu-west-1:execute-api`, come from there, too. Region and service are told by Amazon's host names, \
                and the region by `AWS_REGION`, `AWS_DEFAULT_REGION` or the profile where the host does not. Of a body \
                that can be read only once, such as a pipe, there is no signature: S3 takes it over https, other \
                services need a file.

                `oauth2` gets a token from `--token-url` with `--auth CLIENT_ID[:SECRET]` and sends it; `CLIENT_ID:` \
                is a client without secret.
                """,
            effect: .argument("KIND", sets: \.kind)
        )

        Option(
            "--ignore-netrc",
            summary: "Take no login from the netrc file",
            effect: .flag(\.ignoresNetrc, sets: true)
        )

        Option(
            "--netrc-file",
            summary: "Take logins from FILE, not from $NETRC or ~/.netrc",
            details: """
                Its entries are `machine HOST login USER password PASSWORD`; `default` stands for every other host. It \
                is asked where neither `--auth`, the URL nor an `Authorization` header says how to log in; a user \
                named in the URL must be the entry's. Redirects to another scheme, host or port get nothing from it.
                """,
            effect: .argument("FILE", hint: .file, sets: \.netrcFile)
        )

        Option(
            "--token-url",
            summary: "Where --auth-type oauth2 gets its tokens",
            effect: .argument("URL", sets: \.tokenURL)
        )

        Option(
            "--scope",
            summary: "What a token of OAuth 2 is to be good for",
            details: "Words separated by spaces, as the server names them.",
            effect: .argument("SCOPE", sets: \.scope)
        )

        Option(
            "--refresh-token",
            summary: "Get tokens with this refresh token of OAuth 2",
            details:
                "Give `@FILE`, `env:NAME`, `fd:NUMBER` or `-`, as to `--auth`, to keep it out of the process list.",
            effect: .argument("TOKEN", sets: \.refreshToken)
        )
    }
}
