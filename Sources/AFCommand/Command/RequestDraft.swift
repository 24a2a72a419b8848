internal import AFCore
internal import AFFormatting
internal import AFHTTP

/// The request of a command line before its authentication is decided; reads standard input.
struct RequestDraft: Sendable {
    let method: HTTPMethod
    /// Whether the request opens a WebSocket connection.
    let isWebSocket: Bool
    /// The session; `nil` if none is used.
    private(set) var session: ActiveSession?
    /// The names of the header fields that the configuration added for the host.
    let hostHeaderNames: Set<String>
    /// The standard input that no argument refers to.
    let impliedInput: BodyPlanner.ImpliedInput
    private let positionals: Positionals
    private let address: Address
    private let typedHead: ItemEdits
    private var head: ItemEdits
    private let body: BodyPlanner.Draft
    private let bodyWarnings: [String]

    /// Creates a draft.
    ///
    /// - Parameter boundary: Returns a multipart boundary; `nil` for that of the core, or of curl for its commands.
    /// - Throws: ``UsageError`` or ``FileProblem``.
    init(
        _ invocation: Invocation,
        _ environment: Environment,
        boundary: (@Sendable () -> String)? = nil
    ) throws {
        var request = invocation.request
        let target = try invocation.target
        positionals = target.positionals
        isWebSocket = target.address.isWebSocket
        // Standard input is read later, as messages.
        if isWebSocket || invocation.assignments.readStandardInput { request.ignoresStandardInput = true }
        var input = InputReader(
            environment.files,
            environment.standardInput,
            mayReadStandardInput: !isWebSocket && !invocation.refusesStandardInput,
            length: request.isChunked ? .irrelevant : environment.messageStyle == .afcli ? .preferred : .required
        )
        var head = try ItemEdits(positionals.items, itemOffset: positionals.itemOffset, request, &input)
        let typedHead = head
        head.add(defaults: request.configuredHeaders)
        // Typed credentials replace configured fields.
        self.typedHead = invocation.isConfigured("--auth") ? head : typedHead
        // Before the body: an invalid URL is reported without waiting for standard input.
        address = try Self.address(target, invocation, head)
        session = try Self.session(invocation, address, &head, environment)
        let hostHeaders = request.hostHeaders.filter { !typedHead.mentions($0.name) && !head.mentions($0.name) }
        head.add(defaults: hostHeaders.map(HeaderEdit.add))
        hostHeaderNames = Set(hostHeaders.map(\.name))
        self.head = head
        let isOfCurl = environment.messageStyle != .afcli
        var planner = BodyPlanner(
            request: request,
            content: invocation.curlBehavior.body,
            items: positionals.items,
            itemOffset: positionals.itemOffset,
            typedBoundary: try Self.boundary(request, head),
            randomBoundary: boundary ?? { isOfCurl ? CurlForm.randomBoundary() : MultipartFormData().boundary },
            bodySource: invocation.assignments.last(request.raw == nil ? "--upload-file" : "--raw")?.source.path,
            input: input
        )
        (body, impliedInput) = try planner.draft(
            positionals.method, orReading: environment.standardInput, environment.files.waits,
            invocation.download.bodyDestination)
        let standardMethod: HTTPMethod = request.uploadFile != nil ? .put : body.body == .none ? .get : .post
        method = positionals.method ?? standardMethod
        bodyWarnings = planner.warnings(
            about: body, positionals.method, environment.standardInput, invocation.download.bodyDestination)
        try checkBody()
    }

    /// A note about a body of unknown type, or the body of a GET, which has no defined meaning (RFC 9110 §9.3.1); `nil` if
    /// the body is neither.
    var bodyNote: String? {
        if body.body == .standardInput(InputBody()), body.isGuessed, !head.mentions("Content-Type") {
            return "standard input has no data yet and is sent as JSON; Content-Type:TYPE names another type"
        }
        guard method == .get, body.body != .none else { return nil }
        let field = positionals.items.first { $0.separator == .text }
        let hint = field.map { "for the query, write \($0.name)==" } ?? "servers may ignore it"
        return "sending a body with GET; \(hint)"
    }

    private func checkBody() throws(UsageError) {
        guard !isWebSocket || body.body == .none && method == .get else {
            throw UsageError(
                "a WebSocket request is a GET without a body", hint: "write messages to standard input, a line each")
        }
        guard method != .head || body.body == .none else {
            throw UsageError("a HEAD request cannot have a body", hint: "omit the data, or choose another method")
        }
    }

    /// Decides the authentication, even if a header field contains it: redirects and digest need it.
    ///
    /// - Returns: The authentication, and all warnings about the request, each a sentence.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    mutating func authenticate(
        _ invocation: Invocation,
        _ secrets: SecretSources
    ) throws -> (login: AuthenticationPlan?, warnings: [String]) {
        let typed = invocation.authentication
        var complete = invocation
        complete.authentication =
            try session?.authentication(typed, urlCredential: address.credential, for: address.url.origin) ?? typed
        complete.authentication.mayBeStored = false
        try invocation.assignments.checkRequirements(complete, with: .storedCredentials)
        var rules = invocation.curlBehavior.credentials
        // It is for the requests that have a credential.
        if invocation.isConfigured("--auth-type") { rules.mayLackCredential = true }
        let login = try AuthenticationPlan.decide(
            complete.authentication, for: CredentialDestination(address, head), by: rules, secrets)
        let origin = typed.origin ?? (address.credential == nil ? "the session" : "the URL")
        let warnings =
            [positionals.warning, impliedInput.warning].compactMap(\.self) + (session?.warnings ?? []) + login.warnings
            + bodyWarnings + typedHead.warnings(login: login.plan.map { _ in origin })
        // Credentials of netrc files and of hosts are not stored: the file supplies them again.
        if typed.credential != nil && !invocation.hasSecretOfHost || address.hasPassword { session?.store(login.plan) }
        return (login.plan, warnings)
    }

    /// Returns the complete request.
    func request(_ login: AuthenticationPlan?, _ invocation: Invocation) -> RequestPlan {
        var defaults = DefaultHeaders(
            acceptEncoding: DecodableCoding.acceptEncoding, isChunked: invocation.request.isChunked)
        if let agent = invocation.curlBehavior.userAgent { defaults.userAgent = agent }
        if let login { defaults.login = login.header.map { .header($0) } ?? .later }
        let download = invocation.download
        // In an encoded body, ranges would count encoded bytes.
        let isSaved = download.isDownload || download.writesFile
        if Safety.refuses("06-identity", isSaved) || head.mentions("Range") { defaults.acceptEncoding = "identity" }
        let list = defaults.list(method, body, head)
        return RequestPlan(
            method: method, url: address.url, host: address.host, headers: list.headers, removedHeaders: list.removed,
            body: body.body, user: address.credential?.user)
    }

    /// Returns the session, whose header fields precede the typed ones.
    private static func session(
        _ invocation: Invocation,
        _ address: Address,
        _ head: inout ItemEdits,
        _ environment: Environment
    ) throws -> ActiveSession? {
        guard let choice = invocation.sessions.session else { return nil }
        var session = try ActiveSession(
            choice,
            host: head.value(for: "Host") ?? address.host,
            destination: invocation.redirects.trustsOthers ? nil : address.url.origin,
            ConfigurationDirectory(variables: environment.variables, files: environment.files),
            files: environment.files
        )
        session.merge(&head)
        return session
    }

    /// Returns the typed boundary, from the option or from a `Content-Type`.
    ///
    /// - Throws: ``UsageError`` if it is invalid, or if both differ: servers would not find the parts.
    private static func boundary(_ request: RequestArguments, _ head: ItemEdits) throws(UsageError) -> String? {
        let inType = head.value(for: "Content-Type").flatMap(MediaType.init(parsing:))?.parameter("boundary")
        guard let boundary = request.boundary ?? inType else { return nil }
        guard MultipartFormData.isValid(boundary: boundary) else {
            throw UsageError(
                "a boundary has 1 to 70 letters, digits and '()+_,-./:=? and no space at its end",
                argument: request.boundary.map { _ in "--boundary" }
            )
        }
        if let inType, inType != boundary {
            throw UsageError.withoutHint(
                "'\(boundary)' is not the boundary of the typed Content-Type, '\(inType)'",
                argument: "--boundary"
            )
        }
        return boundary
    }

    private static func address(
        _ target: RequestTarget,
        _ invocation: Invocation,
        _ head: ItemEdits
    ) throws(UsageError) -> Address {
        var options = invocation.addressOptions
        options.fileName = invocation.request.uploadFile.flatMap { $0 == "-" ? nil : $0.lastComponent }
        options.query = FormEncoding.encode(head.query)
        do throws(UsageError) {
            return try target.address.completed(options)
        } catch {
            throw target.positionals.explaining(error)
        }
    }
}

extension DownloadArguments {
    /// The destination of the response's body, which decides how standard input is used.
    var bodyDestination: StandardInput.Download { isDownload ? .get : writesFile ? .file : .none }
}
