internal import AFHTTP

/// The request that a command line asks for, with every default filled in and every embedded file read.
struct RequestPlan: Equatable, Sendable {
    let method: HTTPMethod
    /// Complete but for the host, which is as it was typed; without user info and fragment.
    let url: String
    /// In wire order, the login that goes with the first request among them.
    var headers: HTTPHeaders
    /// Names that must not be sent, not even where the transport has a default of its own: `Host`, `User-Agent`, …
    let removedHeaders: [String]
    var body: BodyPlan
    /// Also where ``headers`` hold it already: redirects and digest need to know.
    let authentication: AuthenticationPlan?
    /// What the user should know before the request goes out, in sentences.
    let warnings: [String]
    /// `nil` where the request belongs to none.
    let session: KeptSession?

    /// What a plan is made with besides the command line.
    struct Surroundings: Sendable {
        var version: String
        /// What the transport can decode: `gzip, deflate, br, zstd`.
        var acceptEncoding: String
        var files: FileAccess
        var standardInput: StandardInput
        var credentials: CredentialAccess
        var configuration = ConfigurationFolder(path: nil)
        var boundary: @Sendable () -> String = MultipartBoundary.random
    }

    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` when a question is interrupted.
    init(_ invocation: Invocation, _ surroundings: Surroundings) throws {
        let request = invocation.request
        let positionals = try Positionals(invocation.positionals, method: request.method)
        var input = InputFiles(
            surroundings.files,
            surroundings.standardInput,
            mayReadStandardInput: !request.ignoresStandardInput,
            isChunked: request.isChunked
        )
        var head = try HeadItems(positionals.items, itemOffset: positionals.itemOffset, request, &input)
        let typedHead = head
        // Before the body: a bad URL must not wait for standard input.
        let address = try RequestPlan.address(positionals, invocation, head)
        var session = try RequestPlan.session(invocation, address, &head, surroundings)
        var planner = BodyPlanner(
            request: request,
            items: positionals.items,
            itemOffset: positionals.itemOffset,
            typedBoundary: try RequestPlan.boundary(request, head),
            randomBoundary: surroundings.boundary,
            input: input
        )
        let draft = try RequestPlan.body(
            &planner,
            positionals.method,
            surroundings.standardInput,
            surroundings.files.waits,
            invocation.download
        )
        let standardMethod: HTTPMethod = request.uploadFile != nil ? .put : draft.body == .none ? .get : .post
        method = positionals.method ?? standardMethod
        guard method != .head || draft.body == .none else {
            throw UsageError("a HEAD request cannot have a body", hint: "leave the data out, or type another method")
        }
        url = address.url
        body = draft.body
        let isInputIgnored = request.ignoresStandardInput || planner.input.isStandardInputTaken
        let passesInputOver =
            planner.hasBody
            && surroundings.standardInput.isPassedOver(
                method: positionals.method, download: invocation.download, isIgnored: isInputIgnored)
        let leavesInput =
            body == .none
            && surroundings.standardInput.isReadByOthers(method: positionals.method, isIgnored: isInputIgnored)
        let typed = invocation.authentication
        let login = try AuthenticationPlan.decide(
            session?.authentication(typed, urlCredential: address.credential) ?? typed,
            for: LoginDestination(address, head),
            SecretSources(
                files: surroundings.files,
                credentials: surroundings.credentials,
                mayNotAsk: request.ignoresStandardInput
            )
        )
        authentication = login.plan
        warnings =
            (session?.warnings ?? []) + login.warnings + (passesInputOver ? [Self.inputPassedOver] : [])
            + (leavesInput ? [Self.inputLeft] : [])
            + (request.boundary != nil && !draft.body.isMultipart ? [Self.boundaryUnused] : [])
            + typedHead.warnings(
                login: login.plan.map { _ in
                    typed.origin ?? (address.credential == nil ? "the session" : "the URL")
                }
            )
        // What netrc files hold stays there.
        if typed.credential != nil || address.hasPassword { session?.note(authentication) }
        self.session = session
        var defaults = DefaultHeaders(version: surroundings.version, acceptEncoding: surroundings.acceptEncoding)
        let download = invocation.download
        defaults.isChunked = request.isChunked
        // A range is one of the coded body, where there is a coding.
        if download.isDownload || download.writesFile || head.mentions("Range") { defaults.acceptEncoding = "identity" }
        let list = defaults.list(method, draft, authentication, head)
        headers = list.headers
        removedHeaders = list.removed
    }

    private static let inputPassedOver = """
        what standard input holds is not sent: the command line says what the body is; --ignore-stdin tells that this is \
        meant
        """

    private static let inputLeft = """
        the rest of standard input is not sent: another program has started to read the file; @- sends it
        """

    private static let boundaryUnused = "--boundary has no effect: there is no multipart body"

    /// The session that was asked for, with its headers put before those that were typed.
    private static func session(
        _ invocation: Invocation,
        _ address: Address,
        _ head: inout HeadItems,
        _ surroundings: Surroundings
    ) throws -> KeptSession? {
        guard let choice = invocation.sessions.session else { return nil }
        let origin = try? HTTPURL(parsing: address.url).origin
        var session = try KeptSession(
            choice,
            host: head.value(for: "Host") ?? address.host,
            destination: invocation.redirects.trustsOthers ? nil : origin,
            surroundings.configuration,
            files: surroundings.files
        )
        session.merge(&head)
        return session
    }

    /// The boundary that was typed, as an option or inside a `Content-Type`.
    ///
    /// - Throws: ``UsageError`` if it is not a valid boundary, or if both were typed and differ: no server would find the parts.
    private static func boundary(_ request: Invocation.Request, _ head: HeadItems) throws(UsageError) -> String? {
        let inType = head.value(for: "Content-Type").flatMap(MediaType.init(parsing:))?.parameter("boundary")
        guard let boundary = request.boundary ?? inType else { return nil }
        do throws(UsageError) {
            try MultipartBoundary.check(boundary)
        } catch {
            throw request.boundary == nil ? error : error.naming("--boundary")
        }
        if let inType, inType != boundary {
            throw UsageError(
                "'\(boundary)' is not the boundary of the typed Content-Type, '\(inType)'",
                argument: "--boundary",
                hint: "leave one of them out"
            )
        }
        return boundary
    }

    /// The body that was typed, else standard input where it is one.
    private static func body(
        _ planner: inout BodyPlanner,
        _ method: HTTPMethod?,
        _ input: StandardInput,
        _ waits: WaitLimits,
        _ download: Invocation.Download
    ) throws -> BodyPlanner.Draft {
        let use = StandardInput.use(
            input.kind,
            method: method,
            hasBody: planner.hasBody,
            download: download,
            isIgnored: planner.request.ignoresStandardInput || planner.input.isStandardInputTaken
        )
        switch use {
        case .ignored: return try planner.draft()
        case .body: return try inputDraft(&planner)
        case .bodyOnDelivery:
            switch input.firstDelivery(StandardInput.deliveryTimeout) {
            case .bytes: return try inputDraft(&planner)
            case .end: return try planner.draft()
            case .silence:
                do throws(WaitFailure) { try waits.check() } catch { throw FileProblem(path: "-", error) }
                throw UsageError(
                    "standard input is open but delivers nothing",
                    hint: "type --ignore-stdin, or a method: 'afcli get URL' never reads it"
                )
            }
        case .errorOnDelivery:
            guard input.firstDelivery(StandardInput.downloadTimeout) != .bytes else {
                throw UsageError(
                    "standard input holds data, which a download without a method does not send",
                    hint: "type POST to send standard input, or -I to ignore it"
                )
            }
            return try planner.draft()
        }
    }

    /// Standard input as the body, or no body where it turns out to be empty.
    private static func inputDraft(_ planner: inout BodyPlanner) throws -> BodyPlanner.Draft {
        let draft = try planner.standardInputDraft()
        return draft.body.bytes == [] ? try planner.draft() : draft
    }

    private static func address(
        _ positionals: Positionals,
        _ invocation: Invocation,
        _ head: HeadItems
    ) throws(UsageError) -> Address {
        let file = invocation.request.uploadFile.flatMap { $0 == "-" ? nil : UploadReference.baseName($0) }
        let reading = Address.Reading(
            defaultScheme: invocation.request.defaultScheme ?? .http,
            keepsPath: invocation.network.keepsPathAsTyped,
            fileName: file,
            query: FormEncoding.encode(head.query)
        )
        do throws(UsageError) {
            return try Address(positionals.address, reading)
        } catch {
            throw positionals.explaining(error)
        }
    }
}
