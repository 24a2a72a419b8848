internal import AFCore
internal import AFFormatting
internal import AFHTTP

/// The request of a command line, with its authentication and its session.
struct PreparedRequest: Sendable {
    let request: RequestPlan
    /// The authentication, even if a header field contains it: redirects and digest need it.
    let login: AuthenticationPlan?
    /// The session; `nil` if none is used.
    let session: ActiveSession?
    /// The names of the header fields that the configuration added for the host.
    let hostHeaderNames: Set<String>
    /// Whether the request opens a WebSocket connection.
    let isWebSocket: Bool
    /// The warnings to print before the request, each a sentence.
    let warnings: [String]
    /// The notes to print before the request, each a sentence.
    let notes: [String]
    /// Whether standard input was silent, and may have data by now.
    let mayHaveLateInput: Bool

    /// Creates a request.
    ///
    /// - Parameter boundary: Returns a multipart boundary.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    init(
        _ invocation: Invocation,
        _ environment: Environment,
        boundary: @escaping @Sendable () -> String = { MultipartFormData().boundary }
    ) throws {
        var request = invocation.request
        let target = try invocation.target
        let positionals = target.positionals
        isWebSocket = target.address.isWebSocket
        // Standard input is read later, as messages.
        if isWebSocket { request.ignoresStandardInput = true }
        var input = InputReader(
            environment.files,
            environment.standardInput,
            mayReadStandardInput: !isWebSocket && !invocation.refusesStandardInput,
            isChunked: request.isChunked
        )
        var head = try HeaderEdits(positionals.items, itemOffset: positionals.itemOffset, request, &input)
        let typedHead = head
        // Before the body: an invalid URL is reported without waiting for standard input.
        let address = try Self.address(target, invocation, head)
        var session = try Self.session(invocation, address, &head, environment)
        let hostHeaders = request.hostHeaders.filter { !typedHead.mentions($0.name) && !head.mentions($0.name) }
        head.add(defaults: hostHeaders)
        hostHeaderNames = Set(hostHeaders.map(\.name))
        var planner = BodyPlanner(
            request: request,
            content: invocation.curlBehavior.body,
            items: positionals.items,
            itemOffset: positionals.itemOffset,
            typedBoundary: try Self.boundary(request, head),
            randomBoundary: boundary,
            input: input
        )
        let (draft, impliedInput) = try Self.body(
            &planner,
            positionals.method,
            environment.standardInput,
            environment.files.waits,
            invocation.download.bodyDestination
        )
        let standardMethod: HTTPMethod = request.uploadFile != nil ? .put : draft.body == .none ? .get : .post
        let method = positionals.method ?? standardMethod
        guard !isWebSocket || draft.body == .none && method == .get else {
            throw UsageError(
                "a WebSocket request is a GET without a body", hint: "write messages to standard input, a line each")
        }
        guard method != .head || draft.body == .none else {
            throw UsageError("a HEAD request cannot have a body", hint: "omit the data, or choose another method")
        }
        let isInputIgnored = request.ignoresStandardInput || planner.input.isStandardInputTaken
        let skipsInput =
            planner.hasBody
            && environment.standardInput.isSkipped(
                method: positionals.method, download: invocation.download.bodyDestination, isIgnored: isInputIgnored)
        let ignoresInput =
            draft.body == .none
            && environment.standardInput.isReadByOthers(method: positionals.method, isIgnored: isInputIgnored)
        let typed = invocation.authentication
        var complete = invocation
        complete.authentication =
            try session?.authentication(typed, urlCredential: address.credential, for: address.url.origin) ?? typed
        complete.authentication.mayBeStored = false
        try invocation.assignments.checkRequirements(complete) { $0.section == AuthenticationArguments.section }
        let login = try AuthenticationPlan.decide(
            complete.authentication,
            for: CredentialDestination(address, head),
            SecretSources(
                files: environment.files,
                credentials: environment.credentials,
                ignoresStandardInput: invocation.request.ignoresStandardInput
            )
        )
        self.login = login.plan
        warnings =
            [positionals.warning, impliedInput.warning].compactMap(\.self) + (session?.warnings ?? []) + login.warnings
            + (skipsInput ? [Self.inputSkipped] : [])
            + (ignoresInput ? [Self.inputIgnored] : [])
            + (request.boundary != nil && !draft.body.isMultipart ? [Self.boundaryUnused] : [])
            + typedHead.warnings(
                login: login.plan.map { _ in
                    typed.origin ?? (address.credential == nil ? "the session" : "the URL")
                }
            )
        notes = [impliedInput.note].compactMap(\.self)
        mayHaveLateInput = impliedInput == .silent
        // Credentials of netrc files and of hosts are not stored: the file supplies them again.
        if typed.credential != nil && !invocation.hasSecretOfHost || address.hasPassword { session?.note(login.plan) }
        self.session = session
        var defaults = DefaultHeaders(
            acceptEncoding: DecodableCoding.acceptEncoding,
            login: login.plan.map { DefaultHeaders.Authentication($0) } ?? .absent,
            isChunked: request.isChunked
        )
        let download = invocation.download
        // In an encoded body, ranges would count encoded bytes.
        if download.isDownload || download.writesFile || head.mentions("Range") { defaults.acceptEncoding = "identity" }
        let list = defaults.list(method, draft, head)
        self.request = RequestPlan(
            method: method,
            url: address.url,
            host: address.host,
            headers: list.headers,
            removedHeaders: list.removed,
            body: draft.body
        )
    }

    private static let inputSkipped =
        "ignoring standard input: the body is on the command line; --ignore-stdin omits this warning"

    private static let inputIgnored =
        "ignoring the rest of standard input: another program has started to read the file; @- sends it"

    private static let boundaryUnused = "--boundary has no effect: there is no multipart body"

    /// Returns the session, whose header fields precede the typed ones.
    private static func session(
        _ invocation: Invocation,
        _ address: Address,
        _ head: inout HeaderEdits,
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
    private static func boundary(_ request: RequestArguments, _ head: HeaderEdits) throws(UsageError) -> String? {
        let inType = head.value(for: "Content-Type").flatMap(MediaType.init(parsing:))?.parameter("boundary")
        guard let boundary = request.boundary ?? inType else { return nil }
        guard MultipartFormData.isValid(boundary: boundary) else {
            throw UsageError(
                "a boundary has 1 to 70 letters, digits and '()+_,-./:=? and no space at its end",
                argument: request.boundary.map { _ in "--boundary" }
            )
        }
        if let inType, inType != boundary {
            throw UsageError(
                "'\(boundary)' is not the boundary of the typed Content-Type, '\(inType)'",
                argument: "--boundary",
                hint: "omit one of them"
            )
        }
        return boundary
    }

    /// Standard input that no argument refers to.
    private enum ImpliedInput: Equatable {
        case none
        /// It is the body.
        case sent(size: Int64?)
        /// It had no data in time.
        case silent

        var warning: String? {
            guard case .sent(let size) = self else { return nil }
            let amount = size.map { "\($0) byte\($0 == 1 ? "" : "s") of " } ?? ""
            return "sending \(amount)standard input with POST; type get or -I to ignore it"
        }

        var note: String? {
            self == .silent ? "standard input is open but has no data: sending GET; -I omits the wait of 2 s" : nil
        }
    }

    /// Returns the typed body, or standard input if that is the body.
    private static func body(
        _ planner: inout BodyPlanner,
        _ method: HTTPMethod?,
        _ input: StandardInput,
        _ waits: WaitLimits,
        _ download: StandardInput.Download
    ) throws -> (BodyPlanner.Draft, ImpliedInput) {
        let use = StandardInput.use(
            input.kind,
            method: method,
            hasBody: planner.hasBody,
            download: download,
            isIgnored: planner.request.ignoresStandardInput || planner.input.isStandardInputTaken
        )
        switch use {
        case .ignored: return (try planner.draft(), .none)
        case .body: return (try inputDraft(&planner), .none)
        case .bodyOnDelivery:
            switch input.firstDelivery(StandardInput.deliveryTimeout) {
            case .bytes:
                let draft = try inputDraft(&planner)
                guard case .standardInput(let input) = draft.body else { return (draft, .none) }
                return (draft, .sent(size: input.size))
            case .end: return (try planner.draft(), .none)
            case .timeout:
                do throws(WaitFailure) { try waits.check() } catch { throw FileProblem(path: "-", error) }
                return (try planner.draft(), .silent)
            }
        case .errorOnDelivery:
            guard input.firstDelivery(StandardInput.downloadTimeout) != .bytes else {
                throw UsageError(
                    "standard input has data, which a download without a method does not send",
                    hint: "use POST to send standard input, or -I to ignore it"
                )
            }
            return (try planner.draft(), .none)
        }
    }

    /// Returns standard input as the body, or no body if it is empty.
    private static func inputDraft(_ planner: inout BodyPlanner) throws -> BodyPlanner.Draft {
        let draft = try planner.standardInputDraft()
        return draft.body.bytes == [] ? try planner.draft() : draft
    }

    private static func address(
        _ target: RequestTarget,
        _ invocation: Invocation,
        _ head: HeaderEdits
    ) throws(UsageError) -> Address {
        let file = invocation.request.uploadFile.flatMap { $0 == "-" ? nil : UploadReference.baseName($0) }
        let reading = Address.Reading(
            defaultScheme: invocation.request.defaultScheme ?? .http,
            keepsPath: invocation.network.keepsPathAsTyped,
            fileName: file,
            query: FormEncoding.encode(head.query)
        )
        do throws(UsageError) {
            return try target.address.completed(reading)
        } catch {
            throw target.positionals.explaining(error)
        }
    }
}

extension DownloadArguments {
    /// The destination of the response's body, which decides how standard input is used.
    var bodyDestination: StandardInput.Download { isDownload ? .get : writesFile ? .file : .none }
}

extension DefaultHeaders.Authentication {
    fileprivate init(_ plan: AuthenticationPlan) {
        self = if let header = plan.header { .header(header) } else { .later }
    }
}
