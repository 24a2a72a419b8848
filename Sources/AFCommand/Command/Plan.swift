internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// All decisions before the first byte is sent: the last type that reads input.
final class Plan: Sendable {
    let request: RequestPlan
    let login: AuthenticationPlan?
    /// The warnings to print before the request, each a sentence.
    let warnings: [String]
    /// The notes to print before the request, each a sentence.
    let notes: [String]
    /// Whether standard input was silent, and may have data by now.
    let mayHaveLateInput: Bool
    let session: SessionConfiguration
    /// The settings for requests to a token endpoint; `nil` if there are none.
    let tokenSession: SessionConfiguration?
    let persistentState: PersistentState
    let output: OutputPlan
    /// The destination of the body; `nil` if it is shown, or if no request is sent.
    let download: DownloadPlan?
    /// The destination for a curl command.
    let curlDownload: DownloadPlan?
    let retry: RetryPlan
    let expectations: Expectations
    let progress: ProgressDisplay
    /// The time limit of the run in seconds, including redirects, retries and delays; `nil` if there is no limit.
    let totalTime: Double?
    /// Whether `--timeout` limits connecting, too.
    let idleLimitsConnecting: Bool
    let isOffline: Bool
    /// The style of the curl command; `nil` unless it is shown instead.
    let curl: CurlStyle?
    /// The options that a curl command lacks, in the order of the help.
    let missingInCurl: [String]
    let isDebugging: Bool
    let variables: Variables
    /// The decisions for a WebSocket connection; `nil` for other requests.
    let webSocket: WebSocketPlan?
    /// Whether the servers' certificates are shown.
    let showsCertificates: Bool
    /// Whether the credentials are those of the configuration for the host, which no option sends to other origins.
    let isLoginOfHost: Bool
    let waits: WaitLimits
    /// The alias that the URL may misspell; `nil` if there is none.
    let nearestAlias: String?

    /// Creates a plan.
    ///
    /// - Parameter checksums: The checksums of the command line, if they were read already.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    init(_ invocation: Invocation, _ environment: Environment, checksums: [ChecksumSource]? = nil) throws {
        // Checks without prompts come first: a usage error is reported before the user types a password.
        var typedDownload = try DownloadPlan(
            invocation.download,
            environment.files,
            checksums: checksums
        )
        typedDownload?.keepsForeignFile = invocation.curlBehavior.keepsForeignFile
        retry = RetryPlan(
            invocation.retry, hasConfiguredConditions: invocation.isConfigured("--retry-on"),
            end: invocation.network.totalTimeout?.limit)
        expectations = Expectations(invocation.validation)
        try retry.check(expectations)
        let isDry = invocation.isDry
        nearestAlias = invocation.nearestAlias
        download = isDry ? nil : typedDownload
        curlDownload = invocation.dryRun.curl == nil ? nil : typedDownload
        let prepared = try PreparedRequest(invocation, environment)
        var request = try prepared.request.compressed(invocation.request.compression)
        login = prepared.login
        webSocket = try Self.webSocket(invocation, prepared, environment)
        (notes, mayHaveLateInput) = (prepared.notes, prepared.mayHaveLateInput)
        try typedDownload?.checkHeaders(request.headers)
        try typedDownload?.checkMethod(request.method)
        try request.checkFraming()
        persistentState = try PersistentState(
            prepared.session,
            cookieJar: invocation.sessions.cookieJar,
            cookieSource: invocation.curlBehavior.cookieSource,
            hstsFile: invocation.sessions.hstsFile,
            url: request.url,
            hostField: request.headers.value(for: "Host"),
            files: environment.files
        )
        if invocation.dryRun.curl == nil { try persistentState.checkWritable() }
        request.url = persistentState.url
        self.request = request
        try invocation.assignments.checkRequirements(invocation) { $0.section == TLSArguments.section }
        var tls = try TLSOptions(
            invocation.tls,
            SecretSources(
                files: environment.files,
                credentials: environment.credentials,
                ignoresStandardInput: invocation.request.ignoresStandardInput
            ),
            isUsed: request.url.scheme == .https && !isDry,
            isDry: isDry
        )
        if invocation.validation.certificateDays != nil { tls.readsCertificates = true }
        var session = try SessionConfiguration(invocation, url: request.url, login: login, tls: tls, environment)
        session.redirects.headersOfFirstHost = prepared.hostHeaderNames
        warnings =
            prepared.warnings + persistentState.warnings
            + ProxySelection.warnings(about: session.proxies, invocation.network, environment.variables)
        tokenSession = try SessionConfiguration(forTokensOf: login, of: request.url, invocation, tls: tls, environment)
        var output = try OutputPlan(
            invocation.output,
            showsAll: invocation.redirects.showsAll,
            isOffline: invocation.dryRun.isOffline,
            isSearched: expectations.requireBody,
            storesBody: download != nil,
            environment
        )
        output.messageQuietness = invocation.messageQuietness
        output.hidesErrorBodies = invocation.curlBehavior.hidesErrorBodies
        output.rejectsUnknownCodings = invocation.curlBehavior.rejectsUnknownCodings
        self.output = output
        session.limits.decodingRatio = output.decodingRatio
        session.connections.perHost = max(session.connections.perHost ?? 0, download?.segments ?? 0)
        self.session = session
        progress = invocation.output.quietness > 0 ? .never : invocation.output.progress ?? .auto
        totalTime = invocation.network.totalTimeout?.limit
        idleLimitsConnecting = invocation.network.idleLimitsConnecting
        isOffline = invocation.dryRun.isOffline
        curl = invocation.dryRun.curl
        missingInCurl =
            curl == nil
            ? []
            : Invocation.options.all.filter(\.relations.isMissingInCurl).map(\.entry.name)
                .filter { invocation.assignments.last($0) != nil }
        isDebugging = invocation.other.isDebugging
        variables = environment.variables
        showsCertificates = invocation.tls.showsCertificates
        isLoginOfHost = invocation.hasSecretOfHost
        waits = environment.files.waits
    }

    /// Returns the decisions for a WebSocket URL.
    ///
    /// - Throws: ``UsageError`` for options that are for other URLs only, or for WebSocket URLs only.
    private static func webSocket(
        _ invocation: Invocation,
        _ prepared: PreparedRequest,
        _ environment: Environment
    ) throws(UsageError) -> WebSocketPlan? {
        var complete = invocation
        complete.webSocket.isOpened = prepared.isWebSocket
        try invocation.assignments.checkRequirements(complete) { $0.section == WebSocketArguments.section }
        guard prepared.isWebSocket else { return nil }
        let excluded = invocation.assignments.all.first { assignment in
            let relations = assignment.option.relations
            return !relations.isForWebSockets && relations.writes?.files(assignment.value ?? "").isEmpty != true
        }
        if let excluded {
            throw UsageError(
                "is not possible for a WebSocket URL", argument: excluded.name,
                hint: invocation.isDry ? nil : "redirect standard output: afcli URL >FILE")
        }
        if let kind = prepared.login?.answer?.kind {
            let name = kind == .digest ? "digest" : kind == .ntlm ? "ntlm" : "negotiate"
            throw UsageError("'\(known: name)' is not possible for a WebSocket URL", argument: "--auth-type")
        }
        let input = invocation.request.ignoresStandardInput ? nil : environment.standardInput.kind
        return try WebSocketPlan(
            invocation.webSocket, maximumSize: invocation.validation.maximumFileSize?.bytes, input: input)
    }

    var url: HTTPURL { request.url }

    /// Whether no request is sent.
    var isDry: Bool { isOffline || curl != nil }

    /// Whether the body is saved; other output goes to standard error.
    var storesBody: Bool { download != nil }

    /// The host of ``url`` as typed, for messages.
    var typedHost: String {
        let afterBrackets = request.host.lastIndex(of: "]") ?? request.host.startIndex
        return String(request.host[..<(request.host[afterBrackets...].lastIndex(of: ":") ?? request.host.endIndex)])
    }
}
