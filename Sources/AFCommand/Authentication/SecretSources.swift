internal import AFHTTP

/// The environment for reading secrets, and whether prompts are allowed.
struct SecretSources: Sendable {
    var files: FileAccess
    var credentials: CredentialAccess
    /// Whether prompts are not allowed.
    var mayNotAsk: Bool

    /// Returns the text of a source.
    ///
    /// - Parameter question: The prompt if the source is the terminal.
    /// - Throws: ``UsageError`` for a secret with control characters, from any source.
    func text(_ source: CredentialSource, _ question: String, isSecret: Bool = true) throws -> String {
        let text = try read(source, question, isSecret: isSecret)
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw UsageError("a secret must not contain control characters")
        }
        return text
    }

    private func read(_ source: CredentialSource, _ question: String, isSecret: Bool) throws -> String {
        switch source {
        case .typed(let text): return text
        case .file(let path):
            let path = files.expanding(path)
            return try firstLine(of: files.read(path, .secret), from: path)
        case .variable(let name):
            guard let value = credentials.variable(name) else {
                throw UsageError("the variable \(known: name) is not set")
            }
            return value
        case .descriptor(let number): return try firstLine(of: credentials.descriptor(number), from: "fd:\(number)")
        case .prompt: return try ask(question, isSecret: isSecret)
        }
    }

    /// Returns `USER[:PASSWORD]`; prompts for a missing password.
    func credential(
        _ source: CredentialSource,
        at place: String,
        names: (user: String, password: String) = ("user", "password")
    ) throws -> URLCredential {
        let text = try text(source, "\(names.user) for \(place): ", isSecret: false)
        if text.isEmpty, let name = source.name { throw UsageError("\(name) is empty", hint: "expected USER:PASSWORD") }
        if let (user, password) = text.halves(around: ":") {
            return URLCredential(user: String(user), password: String(password))
        }
        return URLCredential(
            user: text,
            password: try ask("\(names.password) for \(text)@\(place): ", isSecret: true)
        )
    }

    private func ask(_ question: String, isSecret: Bool) throws -> String {
        guard !mayNotAsk else {
            throw UsageError("cannot prompt for a password with --ignore-stdin", hint: "give it as USER:PASSWORD")
        }
        return try credentials.ask(question, isSecret)
    }

    private func firstLine(of content: [UInt8], from path: String) throws -> String {
        let line = content.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FileProblem(path: path, reason: .isNoText, hint: "credentials are UTF-8")
        }
        return text
    }
}
