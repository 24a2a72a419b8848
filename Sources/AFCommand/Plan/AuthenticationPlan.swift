internal import AFHTTP

/// How a request logs in.
enum AuthenticationPlan: Equatable, Sendable {
    /// Sent with the first request (RFC 7617).
    case basic(URLCredential)
    /// Sent once the server has asked for it (RFC 7616).
    case digest(URLCredential)
    /// Sent with the first request (RFC 6750).
    case bearer(String)

    /// The header that is sent without being asked for.
    var header: HTTPHeader? {
        switch self {
        case .basic(let credential): .authorization(username: credential.user, password: credential.password)
        case .bearer(let token): .authorization(bearerToken: token)
        case .digest: nil
        }
    }
}

extension AuthenticationPlan {
    /// What secrets are read through, and what questions say.
    struct Sources: Sendable {
        var files: FileAccess
        var credentials: CredentialAccess
        /// Whether nobody is there to answer.
        var mayNotAsk: Bool
        /// Named in the question for a password.
        var host: String
    }

    /// The login of the options, else that of the URL; `nil` where neither names one.
    ///
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` from a question.
    static func make(
        _ typed: Invocation.Authentication,
        urlCredential: URLCredential?,
        _ sources: Sources
    ) throws -> AuthenticationPlan? {
        let kind = typed.kind ?? .basic
        guard let source = typed.credential else {
            guard typed.kind == nil || (urlCredential != nil && kind != .bearer) else {
                throw UsageError("needs --auth", argument: "--auth-type")
            }
            return urlCredential.map { kind == .digest ? .digest($0) : .basic($0) }
        }
        do {
            let text = try sources.text(source, kind)
            guard kind != .bearer else { return .bearer(try token(text)) }
            let credential = try sources.credential(text)
            return kind == .digest ? .digest(credential) : .basic(credential)
        } catch let error as UsageError {
            throw error.naming("--auth")
        } catch let error as FileProblem {
            throw error.naming("--auth")
        }
    }

    private static func token(_ text: String) throws(UsageError) -> String {
        guard HTTPHeader.authorization(bearerToken: text).isValid else {
            throw UsageError("the token holds a line break or another control character")
        }
        return text
    }
}

extension AuthenticationPlan.Sources {
    fileprivate func text(_ source: CredentialSource, _ kind: AuthenticationKind) throws -> String {
        switch source {
        case .typed(let text): return text
        case .file(let path):
            let path = files.expanding(path)
            return try firstLine(of: files.read(path), from: path)
        case .variable(let name):
            guard let value = credentials.variable(name) else { throw UsageError("the variable \(name) is not set") }
            return value
        case .descriptor(let number): return try firstLine(of: credentials.descriptor(number), from: "fd:\(number)")
        case .prompt: return try ask(kind == .bearer ? "token for \(host): " : "user for \(host): ", kind == .bearer)
        }
    }

    /// `USER[:PASSWORD]`; a missing password is asked for.
    fileprivate func credential(_ text: String) throws -> URLCredential {
        if let (user, password) = text.halves(around: ":") {
            return URLCredential(user: String(user), password: String(password))
        }
        return URLCredential(user: text, password: try ask("password for \(text)@\(host): ", true))
    }

    private func ask(_ question: String, _ isSecret: Bool) throws -> String {
        guard !mayNotAsk else {
            throw UsageError("cannot ask for a password with --ignore-stdin", hint: "give it as USER:PASSWORD")
        }
        return try credentials.ask(question, isSecret)
    }

    private func firstLine(of content: [UInt8], from path: String) throws -> String {
        let line = content.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FileProblem(path: path, reason: FileProblem.isNoText, hint: "credentials are UTF-8")
        }
        return text
    }
}
