internal import AFHTTP

/// The environment for reading secrets, and whether prompts are allowed.
struct SecretSources: Sendable {
    var files: FileAccess
    var credentials: CredentialAccess
    /// Whether prompts are not allowed.
    var ignoresStandardInput: Bool
    /// Whether prompts are those of a curl command, which has other options.
    var isForCurl = false

    /// Returns the text of a source.
    ///
    /// - Parameter question: The prompt if the source is the terminal.
    /// - Throws: ``UsageError`` for a secret with control characters, from any source.
    func text(_ source: CredentialSource, _ question: SecretQuestion) throws -> String {
        let text = try read(source, question)
        guard Safety.requires("15-secrets", text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }) else {
            throw UsageError("a secret must not contain control characters")
        }
        return text
    }

    private func read(_ source: CredentialSource, _ question: SecretQuestion) throws -> String {
        switch source {
        case .typed(let text): return text
        case .file(let path):
            let path = files.expanding(path)
            return try firstLine(of: files.read(path, .secret), from: path)
        case .variable(let name):
            guard let value = credentials.variable(name) else {
                throw UsageError(
                    "the environment variable '\(known: name)' is not set", hint: "set it: export \(name)=...")
            }
            return value
        case .descriptor(let number): return try firstLine(of: credentials.descriptor(number), from: "fd:\(number)")
        case .command(let command):
            guard let text = String(validating: try credentials.command(command, .line), as: UTF8.self) else {
                throw UsageError("the output of exec: is not UTF-8 text")
            }
            return text
        case .prompt: return try ask(question)
        }
    }

    /// The form of credentials in messages.
    static let passwordForm = "USER:PASSWORD"

    /// Returns `USER[:PASSWORD]`; prompts for a missing password.
    ///
    /// - Parameter form: The form of both in messages.
    func credential(
        _ source: CredentialSource,
        at endpoint: String,
        names: (user: String, password: String) = ("user", "password"),
        form: String = SecretSources.passwordForm
    ) throws -> URLCredential {
        let text = try text(source, SecretQuestion(names.user, "for \(endpoint)", form: form, isSecret: false))
        if text.isEmpty, let name = source.name { throw UsageError("\(name) is empty", hint: "expected \(form)") }
        if let (user, password) = text.halves(around: ":") {
            return URLCredential(user: String(user), password: String(password))
        }
        return URLCredential(
            user: text,
            password: try ask(SecretQuestion(names.password, "for \(text)@\(endpoint)", form: form))
        )
    }

    private func ask(_ question: SecretQuestion) throws -> String {
        let hint =
            "give it as \(question.form.map { "\($0), " } ?? "")@FILE, env:NAME, fd:NUMBER or exec:COMMAND"
            + (question.form == Self.passwordForm ? "; for a token: --auth-type bearer --auth TOKEN" : "")
        guard !ignoresStandardInput else {
            throw UsageError("cannot prompt for the \(known: question.noun) with --ignore-stdin", hint: hint)
        }
        do {
            let mayBeToken = question.noun == "password" && question.form == Self.passwordForm
            let hint = mayBeToken && !isForCurl ? " (for a token: Ctrl-C, -A bearer)" : ""
            return try credentials.ask(question.text(hint: hint), question.isSecret)
        } catch is NoTerminal {
            throw UsageError(
                "the \(known: question.noun) is missing, and there is no terminal to ask for it", hint: hint)
        }
    }

    private func firstLine(of content: [UInt8], from path: String) throws -> String {
        let line = content.withoutByteOrderMark.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FileProblem(path: path, reason: .isNotUTF8, hint: "credentials are UTF-8")
        }
        return text
    }
}

/// A question for a prompt.
struct SecretQuestion: Sendable {
    /// The name of the requested text: `password`.
    let noun: String
    /// The form of the argument that contains the text; `nil` if it is the text itself.
    let form: String?
    /// Whether the input is not shown.
    let isSecret: Bool
    private let purpose: String

    init(_ noun: String, _ purpose: String, form: String? = nil, isSecret: Bool = true) {
        self.noun = noun
        self.purpose = purpose
        self.form = form
        self.isSecret = isSecret
    }

    /// Returns the prompt.
    func text(hint: String) -> String { "\(noun) \(purpose)\(hint): " }
}
