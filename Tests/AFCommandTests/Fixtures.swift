import AFHTTP

@testable import AFCommand

extension FileAccess {
    /// Files that exist only in the test; sizes are those of the contents.
    static func fixed(_ contents: [String: String], homeDirectory: String? = "/home/ada") -> FileAccess {
        fixed(contents.mapValues { Array($0.utf8) }, homeDirectory: homeDirectory)
    }

    static func fixed(_ contents: [String: [UInt8]], homeDirectory: String? = "/home/ada") -> FileAccess {
        FileAccess(
            read: { (path, _) throws(FileProblem) in
                guard let content = contents[path] else { throw FileProblem(path: path, reason: .isMissing) }
                return content
            },
            describe: { (path) throws(FileProblem) in
                guard let content = contents[path] else { throw FileProblem(path: path, reason: .isMissing) }
                return Description(kind: .regular, size: Int64(content.count))
            },
            homeDirectory: homeDirectory
        )
    }
}

extension StandardInput {
    static let terminal = StandardInput.fixed(.terminal)

    static func fixed(_ kind: Kind, delivery: Delivery = .timeout, content: String = "") -> StandardInput {
        let bytes = Array(content.utf8)
        var body = InputBody()
        if case .regularFile(let remaining, _) = kind { body.size = remaining }
        if !content.isEmpty { body = .complete(bytes) }
        return StandardInput(
            kind: kind,
            firstDelivery: { _ in delivery },
            isUntouched: { delivery == .bytes },
            readAll: { bytes },
            readBody: { [body] _ in body }
        )
    }
}

extension CredentialAccess {
    /// An access with fixed variables, descriptors and replies to prompts.
    static func fixed(
        variables: [String: String] = [:],
        descriptors: [Int32: String] = [:],
        answers: @escaping @Sendable (_ question: String, _ isSecret: Bool) throws -> String = { question, _ in
            throw UsageError("asked '\(question)'")
        }
    ) -> CredentialAccess {
        CredentialAccess(
            variable: { variables[$0] },
            descriptor: { (number) throws(FileProblem) in
                guard let text = descriptors[number] else {
                    throw FileProblem(path: "fd:\(number)", reason: .other("bad file descriptor"))
                }
                return Array(text.utf8)
            },
            command: { command, _ in Array("ran \(command)".utf8) },
            ask: answers
        )
    }
}

extension Invocation {
    /// Whether all values are the defaults.
    var hasDefaults: Bool {
        let defaults = Invocation()
        let hasDefaultRequest =
            request == defaults.request && authentication == defaults.authentication
            && redirects == defaults.redirects && sessions == defaults.sessions
        let hasDefaultConnection = tls == defaults.tls && network == defaults.network && retry == defaults.retry
        let hasDefaultOutput =
            validation == defaults.validation && download == defaults.download && output == defaults.output
            && reports == defaults.reports && webSocket == defaults.webSocket && pages == defaults.pages
            && upload == defaults.upload
        return hasDefaultRequest && hasDefaultConnection && hasDefaultOutput && dryRun == defaults.dryRun
            && other == defaults.other
    }
}

/// The request of a command line, with its authentication.
struct PlannedRequest {
    let request: RequestPlan
    let login: AuthenticationPlan?
    let warnings: [String]
    let bodyNote: String?

    /// Plans the request of these arguments on a terminal.
    init(
        _ words: String...,
        files: [String: String] = [:],
        standardInput: StandardInput = .terminal,
        credentials: CredentialAccess = .fixed()
    ) throws {
        try self.init(
            Invocation(parsing: words),
            files: files,
            standardInput: standardInput,
            credentials: credentials
        )
    }

    init(
        _ invocation: Invocation,
        files: [String: String] = [:],
        standardInput: StandardInput = .terminal,
        credentials: CredentialAccess = .fixed()
    ) throws {
        try self.init(invocation, files: .fixed(files), standardInput: standardInput, credentials: credentials)
    }

    init(
        _ invocation: Invocation,
        files: FileAccess,
        standardInput: StandardInput = .terminal,
        credentials: CredentialAccess = .fixed()
    ) throws {
        var environment = ToolWorld().environment
        environment.files = files
        environment.standardInput = standardInput
        environment.credentials = credentials
        var draft = try RequestDraft(invocation, environment, boundary: { "B" })
        bodyNote = draft.bodyNote
        let secrets = SecretSources(
            files: files, credentials: credentials, ignoresStandardInput: invocation.request.ignoresStandardInput)
        (login, warnings) = try draft.authenticate(invocation, secrets)
        request = draft.request(login, invocation)
    }

    var method: HTTPMethod { request.method }
    var url: String { request.url.text }
    var headers: HTTPHeaders { request.headers }
    var removedHeaders: [String] { request.removedHeaders }
    var body: BodyPlan { request.body }

    /// The body as text; `nil` unless it is in memory.
    var bodyText: String? {
        if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// The headers as lines.
    var headerLines: [String] { headers.map(\.description) }
}
