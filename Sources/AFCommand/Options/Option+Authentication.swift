extension Invocation {
    struct Authentication: Equatable, Sendable {
        var credential: CredentialSource?
        var kind: AuthenticationKind?
    }
}

/// How a credential is turned into what the server asks for.
enum AuthenticationKind: String, ArgumentValue, CaseIterable {
    case basic, digest, bearer
}

/// Where `--auth` takes its text from.
enum CredentialSource: Equatable, Sendable, ArgumentValue {
    case typed(String)
    case file(String)
    case variable(String)
    case descriptor(Int32)
    case prompt

    init(argument: String) throws(UsageError) {
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
            self = .typed(argument)
        }
    }
}

extension Option {
    static let auth = Option(
        "-a", "-u", "--auth",
        in: .authentication,
        summary: "Log in with USER[:PASSWORD] or a bearer token",
        details: """
            Without a password it is asked for on the terminal. To keep secrets out of the process list, give \
            `@FILE` (its first line), `env:NAME`, `fd:NUMBER`, or `-` to be asked for all of it. A token needs \
            `--auth-type bearer`.
            """,
        effect: .argument("CREDENTIAL", sets: \.authentication.credential)
    )

    static let authType = Option(
        "-A", "--auth-type",
        in: .authentication,
        summary: "How to log in: basic (default), digest, bearer",
        effect: .argument("KIND", sets: \.authentication.kind)
    )
}
