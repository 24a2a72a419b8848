internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import FoundationEssentials

/// All decisions before the first byte is sent: the last type that reads input.
struct Plan: Sendable {
    var request: RequestPlan
    let login: AuthenticationPlan?
    /// The warnings to print before the request, each a sentence.
    var warnings: [String]
    /// The notes to print before the request, each a sentence.
    var notes: [String]
    /// Whether standard input was silent, and may have data by now.
    var mayHaveLateInput: Bool
    let session: SessionConfiguration
    /// The settings for requests to a token endpoint; `nil` if no token is requested.
    let tokenSession: SessionConfiguration?
    var persistentState: PersistentState
    let output: OutputPlan
    /// The destination of the body, even if no request is sent; `nil` if the body is shown.
    var destination: DownloadPlan?
    /// The file that receives what is printed; `nil` for standard output.
    var printedFile: PrintedFile?
    /// The decisions for consecutive pages; `nil` for a single response.
    let pages: PagePlan?
    /// Whether it is the plan of a page or a repetition after the first one.
    var isLaterPart: Bool
    /// The messages of a stream to show.
    var messages: MessageSelection
    /// The decisions for a resumable upload; `nil` for other requests.
    var upload: UploadPlan?
    let retry: RetryPlan
    let expectations: Expectations
    let progress: ProgressDisplay
    /// The time limit of the run in seconds, including redirects, retries and delays; `nil` if there is no limit.
    let totalTime: Double?
    /// Whether `--timeout` limits connecting, too.
    let idleLimitsConnecting: Bool
    /// Whether no request is sent.
    let isDryRun: Bool
    /// The style of the curl command; `nil` unless it is shown instead.
    let curl: CurlStyle?
    /// The file for the header of the response; `nil` if it is not written.
    let headerFile: String?
    /// The options that a curl command lacks, in the order of the help.
    let missingInCurl: [String]
    /// The options that a curl command has as they were typed.
    let copiedToCurl: [Assignment]
    let isDebugging: Bool
    let variables: Variables
    /// The decisions for a WebSocket connection; `nil` for other requests.
    let webSocket: WebSocketPlan?
    /// Whether the servers' certificates are shown.
    let showsCertificates: Bool
    /// Whether the credentials are those of the configuration for the host, which no option sends to other origins.
    let isLoginOfHost: Bool
    var waits: WaitLimits
    /// The alias that the URL may misspell; `nil` if no alias is similar.
    let nearestAlias: String?
    /// The hint about a word that is probably the host; `nil` if no word resembles a host.
    let hintAboutMethod: String?

    /// Creates a plan.
    ///
    /// - Parameter checksums: The checksums of the command line, if they were read already.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    init(_ invocation: Invocation, _ environment: Environment, checksums: [ChecksumSource]? = nil) throws {
        var invocation = invocation
        invocation.knownTarget = try? invocation.target
        (pages, isLaterPart, nearestAlias) = (PagePlan(invocation.pages), false, invocation.nearestAlias)
        hintAboutMethod = invocation.knownTarget?.positionals.hintAboutMethod
        // Checks without prompts come first: a usage error is reported before the user types a password.
        (destination, printedFile) = try Self.files(invocation, environment, checksums)
        try pages?.check(
            invocation.output, isFile: printedFile != nil, hasDirectory: destination?.target.isDirectory == true)
        totalTime = invocation.curlBehavior.limitsAttempts ? nil : invocation.network.totalTimeout?.limit
        var retry = Self.retry(invocation, end: totalTime, hasPages: pages != nil)
        expectations = Expectations(invocation.validation)
        // Configured conditions may have no effect.
        if !invocation.isConfigured("--retry-on") { try retry.check(expectations) }
        let secrets = Self.secrets(invocation, environment)
        var draft = try RequestDraft(invocation, environment)
        let (login, requestWarnings) = try draft.authenticate(invocation, secrets)
        self.login = login
        var request = try draft.request(login, invocation).compressed(invocation.request.compression)
        webSocket = try Self.webSocket(invocation, isOpened: draft.isWebSocket, login, environment)
        let showsBodyNote = environment.messageStyle == .afcli && !invocation.isDryRun
        notes = [draft.impliedInput.note, showsBodyNote ? draft.bodyNote : nil].compactMap(\.self)
        mayHaveLateInput = draft.impliedInput == .silent
        try destination?.checkHeaders(request.headers)
        try destination?.checkMethod(request.method)
        if invocation.isConfigured("--wait"), !retry.mayRepeat(request) {
            invocation.retry.wait = nil
            retry = Self.retry(invocation, end: totalTime, hasPages: pages != nil)
        }
        try retry.check(request)
        self.retry = retry
        try pages?.check(request)
        messages = try MessageSelection(
            invocation, isContinued: retry.limit > 0 && destination == nil && request.body.isRepeatable)
        try request.checkFraming()
        upload = try Self.upload(invocation, request, login, isSaved: destination != nil, environment)
        persistentState = try PersistentState(draft.session, of: request, invocation, environment.files)
        request.url = persistentState.url
        self.request = request
        var session: SessionConfiguration
        (session, tokenSession) = try Self.sessions(invocation, request.url, login, secrets, environment)
        session.redirects.headersOfFirstHost = draft.hostHeaderNames
        warnings =
            requestWarnings + persistentState.warnings
            + ProxySelection.warnings(about: session.proxies, invocation.network)
        var output = try OutputPlan(
            invocation, isSearched: expectations.requireBody || pages?.cursor != nil,
            hasBody: request.method != .head || environment.messageStyle != .afcli, environment)
        session.limits.decodingRatio = output.decodingRatio
        output.headRedaction?.uploadTarget = upload?.target(at: request.url)
        self.output = output
        // libcurl waits for 100 Continue even after the response 104, which announces an upload resource.
        if upload != nil, invocation.request.expectContinue == nil { session.expectContinue = .never }
        session.limit(wait: retry.wait, segments: invocation.isDryRun ? 0 : destination?.segments ?? 0, upload)
        self.session = session
        progress = invocation.output.progress ?? (invocation.output.isQuiet ? .never : .auto)
        idleLimitsConnecting = invocation.network.idleLimitsConnecting
        (isDryRun, isDebugging, curl) = (invocation.isDryRun, invocation.other.isDebugging, invocation.dryRun.curl)
        let resumed = upload != nil && !invocation.upload.isResumed ? ["--resume"] : []
        missingInCurl = curl == nil ? [] : invocation.optionsMissingInCurl + resumed
        copiedToCurl = invocation.assignments.copiedToCurl
        (variables, waits, isLoginOfHost) = (environment.variables, environment.files.waits, invocation.hasSecretOfHost)
        (headerFile, showsCertificates) = (invocation.reports.headerFile, invocation.tls.showsCertificates)
    }

    private static func retry(_ invocation: Invocation, end: Double?, hasPages: Bool) -> RetryPlan {
        RetryPlan(
            invocation.retry, end: end, obeysRateLimits: hasPages && !invocation.isDryRun,
            countsDelay: !invocation.curlBehavior.retriesUntilEnd)
    }

    private static func secrets(_ invocation: Invocation, _ environment: Environment) -> SecretSources {
        SecretSources(
            files: environment.files, credentials: environment.credentials,
            ignoresStandardInput: invocation.request.ignoresStandardInput,
            isForCurl: environment.messageStyle != .afcli)
    }

    /// Returns the file of a download, or the one that receives what is printed.
    private static func files(
        _ invocation: Invocation,
        _ environment: Environment,
        _ checksums: [ChecksumSource]?
    ) throws -> (DownloadPlan?, PrintedFile?) {
        let behavior = invocation.curlBehavior
        let destination = try DownloadPlan(
            invocation.download, of: invocation.knownTarget?.address.url, environment.files, behavior.saving,
            checksums: checksums,
            filesOfOptions: invocation.assignments.filesBesideResponse(environment.files))
        guard invocation.printsToFile, !invocation.isDryRun, let destination else { return (destination, nil) }
        let printed = try PrintedFile(
            destination, appends: behavior.offset != nil,
            isColored: OutputPlan.colorsFile(invocation.output, environment), waits: environment.files.waits)
        return (printed == nil ? destination : nil, printed)
    }

    /// Returns the plan of another URL, which differs only in the URL and the file; `nil` if the URL has a credential, or
    /// another scheme, host or port.
    ///
    /// The plan must be reusable.
    func of(_ address: Address, savedTo destination: DownloadPlan?) -> Plan? {
        guard address.credential == nil, !address.isWebSocket, address.url.scheme == url.scheme,
            address.host == request.host
        else { return nil }
        var plan = self
        plan.request.url = address.url
        plan.persistentState = PersistentState(persistentState, url: address.url)
        (plan.destination, plan.upload) = (destination, nil)
        return plan
    }

    /// Returns the plan of one of several responses that go to the same output: the notes are for the first alone.
    func ofPart(isFirst: Bool) -> Plan {
        var plan = self
        (plan.destination, plan.printedFile, plan.upload) = (nil, nil, nil)
        guard !isFirst else { return plan }
        (plan.isLaterPart, plan.mayHaveLateInput) = (true, false)
        (plan.warnings, plan.notes) = ([], [])
        return plan
    }

    /// Whether requests may have secrets that are not planned: those of a session, cookies and tokens.
    var addsSecrets: Bool { !persistentState.isEmpty || tokenSession != nil || session.redirects.isFollowing }

    /// Whether the plan of another URL of the same origin differs only in its URL and its file: not with credentials,
    /// cookies and HSTS hosts, which depend on the path or the order of requests.
    var isReusable: Bool {
        login == nil && tokenSession == nil && persistentState.isEmpty && persistentState.hosts == nil
            && request.body == .none && webSocket == nil && printedFile == nil
    }

    /// Returns the settings for the request, and those for a token endpoint.
    private static func sessions(
        _ invocation: Invocation,
        _ url: HTTPURL,
        _ login: AuthenticationPlan?,
        _ secrets: SecretSources,
        _ environment: Environment
    ) throws -> (SessionConfiguration, tokens: SessionConfiguration?) {
        let tls = try tls(invocation, url, secrets)
        // As in curl, the file of `--cacert` is for the server alone, and the directory of `--capath` also for its proxy.
        let usesSystem = environment.messageStyle != .afcli && invocation.tls.authorityDirectory == nil
        let authorities =
            try ProxySelection.authorities(
                invocation.network, environment.files, isDryRun: invocation.isDryRun) ?? (usesSystem ? .system : nil)
        let session = try SessionConfiguration(
            invocation, url: url, login: login, tls: tls, proxyAuthorities: authorities, environment)
        let tokenSession = try SessionConfiguration(
            forTokensOf: login, of: url, invocation, tls: tls, proxyAuthorities: authorities, environment)
        return (session, tokenSession)
    }

    private static func tls(_ invocation: Invocation, _ url: HTTPURL, _ secrets: SecretSources) throws -> TLSOptions {
        var tls = try TLSOptions(
            invocation.tls, secrets, isUsed: url.scheme == .https && !invocation.isDryRun, isDryRun: invocation.isDryRun
        )
        if invocation.validation.certificateDays != nil { tls.readsCertificates = true }
        if let path = invocation.curlBehavior.pinnedKeyFile {
            // A missing file would accept no key, and its name could have the form of a digest.
            _ = try naming("--pinnedpubkey") { try secrets.files.read(path, .certificates) }
            tls.pinnedPublicKey = path
        }
        return tls
    }

    /// Returns the decisions for a WebSocket URL.
    ///
    /// - Throws: ``UsageError`` for options that are for other URLs only, or for WebSocket URLs only.
    private static func webSocket(
        _ invocation: Invocation,
        isOpened: Bool,
        _ login: AuthenticationPlan?,
        _ environment: Environment
    ) throws(UsageError) -> WebSocketPlan? {
        var complete = invocation
        complete.webSocket.isOpened = isOpened
        try invocation.assignments.checkRequirements(complete, with: .scheme)
        guard isOpened else { return nil }
        guard invocation.download.input == nil else {
            throw UsageError("is not possible for a WebSocket URL", argument: "--input")
        }
        let excluded = invocation.assignments.effective { !$0.isForWebSockets }.first {
            $0.option.relations.writes?.files($0.value ?? "", environment.files).isEmpty != true
        }
        if let excluded {
            throw UsageError(
                "is not possible for a WebSocket URL", argument: excluded.name,
                hint: excluded.option.entry.name == "--output" ? "redirect standard output: afcli URL >FILE" : nil)
        }
        if case .password(let kind, _, _)? = login, kind != .basic {
            throw UsageError("'\(known: kind.rawValue)' is not possible for a WebSocket URL", argument: "--auth-type")
        }
        let input = invocation.request.ignoresStandardInput ? nil : environment.standardInput.kind
        return WebSocketPlan(
            invocation.webSocket, maximumSize: invocation.validation.maximumFileSize?.bytes, input: input)
    }

    var url: HTTPURL { request.url }

    /// The destination of the body; `nil` if it is shown, or if no request is sent.
    var download: DownloadPlan? { isDryRun ? nil : destination }

    /// Whether the body is saved; other output goes to standard error.
    var storesBody: Bool { download != nil }

    /// The host of ``url`` as typed, for messages.
    var typedHost: String { String(request.host.withoutPort) }
}

extension PersistentState {
    fileprivate init(
        _ session: ActiveSession?,
        of request: RequestPlan,
        _ invocation: Invocation,
        _ files: FileAccess
    ) throws {
        try self.init(
            session,
            cookieJar: invocation.sessions.cookieJar,
            cookies: invocation.curlBehavior.cookies,
            hstsFile: invocation.sessions.hstsFile,
            url: request.url,
            hostField: request.headers.value(for: "Host"),
            files: files
        )
        if invocation.dryRun.curl == nil { try checkWritable() }
    }
}

extension OutputPlan {
    fileprivate init(
        _ invocation: Invocation, isSearched: Bool, hasBody: Bool, _ environment: Environment
    ) throws {
        let isPrintedToFile = invocation.printsToFile
        try self.init(
            invocation.output,
            showsAll: invocation.redirects.showsAll,
            isOffline: invocation.dryRun.isOffline,
            isSearched: isSearched,
            storesBody: invocation.download.writesFile && !invocation.isDryRun && !isPrintedToFile,
            writesToOutput: invocation.download.isOutputNamed,
            isPrintedToFile: isPrintedToFile,
            hasBody: hasBody,
            environment
        )
        if invocation.pages.isUsed || invocation.upload.isResumed, isPrintedToFile {
            parts = .responseBody
            if invocation.pages.isUsed { filter = filter ?? .elements }
            (bodies.isFormatted, bodies.palette, bodies.isForTerminal) = (false, nil, false)
        }
        messageLevel = invocation.messageLevel
        let behavior = invocation.curlBehavior
        if behavior.printsHeaders { (isSeamless, showsTrailers) = (true, true) }
        if behavior.hidesHeaders { parts.remove(.responseHead) }
        hidesTunnelHeads = behavior.hidesTunnelHeads
        endsPartialHeads = !behavior.printsHeaders
        restartsFile = behavior.printsToFile && behavior.offset == nil
        reportsStatus = behavior.reportsStatus
        requiredOffset = behavior.offset
        maximumAnnouncedLength = behavior.maximumAnnouncedLength
        hidesErrorBodies = behavior.hidesErrorBodies
        rejectsUnknownCodings = behavior.rejectsUnknownCodings
        let isVerbose = invocation.output.verbosity > 0 || invocation.dryRun.isOffline
        let masksHeads = isVerbose && !isForTerminal && !invocation.reports.showsSecrets
        // curl's -v shows secrets.
        headRedaction =
            masksHeads && (behavior.masksHeads || invocation.dryRun.isOffline) ? Redaction(revealsSecrets: false) : nil
    }
}

extension MessageSelection {
    /// Creates the selection of a command line.
    ///
    /// - Throws: ``UsageError`` if no message is selected, or the body is saved.
    fileprivate init(_ invocation: Invocation, isContinued: Bool) throws(UsageError) {
        self.init(
            event: invocation.output.event, maximum: invocation.webSocket.maximumMessages, isContinued: isContinued)
        guard maximum != 0 else { throw UsageError("expected at least 1, got '0'", argument: "--max-messages") }
        guard invocation.download.writesFile, event != nil || maximum != nil else { return }
        throw UsageError(
            "cannot be combined with a download, whose file contains the complete body",
            argument: event == nil ? "--max-messages" : "--event", hint: "redirect standard output: afcli URL >FILE")
    }
}

extension Invocation {
    /// The options of the run that a curl command lacks, in the order of the help.
    fileprivate var optionsMissingInCurl: [String] {
        Self.options.all.filter { option in
            option.relations.isMissingInCurl && assignments.last(option.entry.name) != nil
                && (!isConfigured(option.entry.name) || option.requirement?.failure(self) == nil)
        }.map(\.entry.name)
    }
}

extension Invocation {
    /// Whether a file receives what is printed: with pages, the values of all of them; with an upload that is resumed, the
    /// body of its last response.
    var printsToFile: Bool {
        curlBehavior.printsToFile || (pages.isUsed || upload.isResumed) && download.writesFile
    }
}

extension SessionConfiguration {
    /// Limits the timeouts to that of `--wait`, in seconds, and allows the connections of parallel ranges or parts.
    fileprivate mutating func limit(wait: Double?, segments: Int, _ upload: UploadPlan?) {
        if let wait {
            timeouts.idle = min(timeouts.idle ?? wait, wait)
            timeouts.connect = min(timeouts.connect ?? wait, wait)
        }
        let parts = upload?.segments ?? 1
        connections.perHost = max(connections.perHost ?? 0, segments, parts)
        network.maximumSendRate = network.maximumSendRate.map { max(1, $0 / Int64(parts)) }
    }
}
