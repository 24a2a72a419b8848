internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// Everything decided before the first byte leaves: the last place that reads input.
final class Plan: Sendable {
    let request: RequestPlan
    /// The request's URL with its host in ASCII, as it will be sent.
    let url: HTTPURL
    let login: AuthenticationPlan?
    /// Warnings to print before the request is sent, each a sentence.
    let warnings: [String]
    let session: SessionConfiguration
    /// For requests to a token endpoint; `nil` where none are made.
    let tokenSession: SessionConfiguration?
    let memory: RunMemory
    let output: OutputPlan
    let download: DownloadPlan?
    let retry: RetryPlan
    let expectations: Expectations
    let progress: ProgressDisplay
    /// Seconds for the whole run, redirects, tries and waits between them included; `nil` for no limit.
    let totalTime: Double?
    let isOffline: Bool
    /// `nil` unless the request is to be shown as a command for curl.
    let curl: CurlStyle?
    let isDebugging: Bool
    let waits: WaitLimits

    /// - Parameter checksums: Those of the command line, where they are read already.
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` when a question is interrupted.
    init(_ invocation: Invocation, _ environment: Environment, checksums: [ChecksumSource]? = nil) throws {
        // First what needs nobody to answer, so that a mistake costs no password.
        let typedDownload = try DownloadPlan(
            invocation.download,
            hasRange: invocation.request.range != nil,
            environment.files,
            checksums: checksums
        )
        let isDry = invocation.isDry
        download = isDry ? nil : typedDownload
        let prepared = try PreparedRequest(invocation, environment)
        request = try prepared.request.compressed(invocation.request.compression)
        login = prepared.login
        warnings = prepared.warnings
        try typedDownload?.checkHeaders(request.headers)
        try typedDownload?.checkMethod(request.method)
        let typedURL: HTTPURL
        do {
            typedURL = try HTTPURL(parsing: request.url)
        } catch {
            throw UsageError("\(error)", hint: "\(Positionals.usage); for example: afcli example.org/path")
        }
        try request.checkFraming(typedURL)
        memory = try RunMemory(
            prepared.session,
            cookieJar: invocation.sessions.cookieJar,
            hstsFile: invocation.network.hstsFile,
            url: typedURL,
            files: environment.files
        )
        url = memory.url
        let tls = try TLSOptions(
            invocation.tls,
            SecretSources(
                files: environment.files,
                credentials: environment.credentials,
                mayNotAsk: invocation.request.ignoresStandardInput
            ),
            isUsed: url.scheme == .https && !isDry,
            isDry: isDry
        )
        var session = try SessionConfiguration(invocation, url: url, login: login, tls: tls, environment)
        tokenSession = try SessionConfiguration(forTokensOf: login, of: url, invocation, tls: tls, environment)
        output = try OutputPlan(
            invocation.output,
            showsAll: invocation.redirects.showsAll,
            isOffline: invocation.dryRun.isOffline,
            isSearched: !invocation.validation.expectedValues.isEmpty,
            storesBody: download != nil,
            environment
        )
        session.limits.decodingRatio = output.decodingRatio
        session.connections.perHost = max(session.connections.perHost ?? 0, download?.segments ?? 0)
        self.session = session
        retry = RetryPlan(invocation.retry, end: invocation.network.totalTimeout?.limit)
        expectations = Expectations(invocation.validation)
        progress = invocation.output.quietness > 0 ? .never : invocation.output.progress ?? .auto
        totalTime = invocation.network.totalTimeout?.limit
        isOffline = invocation.dryRun.isOffline
        curl = invocation.dryRun.curl
        isDebugging = invocation.other.isDebugging
        waits = environment.files.waits
    }

    var planned: PlannedRequest { PlannedRequest(plan: request, url: url) }

    /// Whether nothing is sent.
    var isDry: Bool { isOffline || curl != nil }

    /// Whether standard output is free of the body, and standard error shows what there is to show.
    var storesBody: Bool { download != nil }

    /// The host of ``url`` as it was typed, for messages: without the `xn--` of international names.
    var typedHost: String {
        let start = request.url.firstRange(of: "://")?.upperBound ?? request.url.startIndex
        let authority = request.url[start...].prefix { $0 != "/" && $0 != "?" }
        let afterBrackets = authority.lastIndex(of: "]") ?? authority.startIndex
        return String(authority[..<(authority[afterBrackets...].lastIndex(of: ":") ?? authority.endIndex)])
    }
}
