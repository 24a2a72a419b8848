internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// Everything decided before the first byte leaves: the last place that reads input.
struct Plan: Sendable {
    let request: RequestPlan
    /// The request's URL with its host in ASCII, as it will be sent.
    let url: HTTPURL
    let session: SessionConfiguration
    /// For requests to a token endpoint; `nil` where none are made.
    let tokenSession: SessionConfiguration?
    let memory: RunMemory
    let output: OutputPlan
    let download: DownloadPlan?
    let retry: RetryPlan
    let expectations: Expectations
    let progress: Invocation.Progress
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
        let typedDownload = try DownloadPlan(invocation, environment.files, checksums: checksums)
        download = invocation.isOffline || invocation.curl != nil ? nil : typedDownload
        let surroundings = RequestPlan.Surroundings(
            version: AFInfo.version,
            acceptEncoding: DecodableCoding.acceptEncoding,
            files: environment.files,
            standardInput: environment.standardInput,
            credentials: environment.credentials,
            configuration: ConfigurationFolder(variables: environment.variables, files: environment.files)
        )
        request = try RequestPlan(invocation, surroundings).compressed(invocation.request.compression)
        try typedDownload?.checkHeaders(request.headers)
        try typedDownload?.checkMethod(request.method)
        let typedURL: HTTPURL
        do {
            typedURL = try HTTPURL(parsing: request.url)
        } catch {
            throw UsageError("\(error)", hint: "\(Positionals.usage); for example: afcli example.org/path")
        }
        try request.checkFraming(typedURL)
        memory = try RunMemory(invocation.sessions, request.session, url: typedURL, files: environment.files)
        url = memory.url
        let login = request.authentication
        let isDry = invocation.isDry
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
        output = try OutputPlan(invocation, environment, storesBody: download != nil)
        session.limits.decodingRatio = output.decodingRatio
        session.connections.perHost = max(session.connections.perHost ?? 0, download?.segments ?? 0)
        self.session = session
        retry = RetryPlan(invocation.retry, end: invocation.network.totalTimeout?.limit)
        expectations = Expectations(invocation.validation)
        progress = invocation.output.quietness > 0 ? .never : invocation.output.progress ?? .auto
        totalTime = invocation.network.totalTimeout?.limit
        isOffline = invocation.isOffline
        curl = invocation.curl
        isDebugging = invocation.other.isDebugging
        waits = environment.files.waits
    }

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

/// When a failed request is tried again.
struct RetryPlan: Sendable {
    let limit: Int
    /// Seconds between tries; `nil` for waits that grow.
    let delay: Double?
    /// Seconds after the first try in which another may begin.
    let totalTime: Double?
    /// Seconds after the first try after which nothing goes on at all.
    private let end: Double?
    let includesUnsafe: Bool
    private let typedConditions: RetryConditions?

    var conditions: RetryConditions { typedConditions ?? .default }

    /// Seconds that a server may ask to be left alone: without a limit of the user's, what asks for more than an hour is
    /// taken at its word now.
    var longestWish: Double { [totalTime, end].compactMap(\.self).min() ?? 3600 }

    init(_ typed: Invocation.Retry, end: Double?) {
        self.end = end
        limit = typed.limit ?? 0
        delay = typed.delay?.value
        totalTime = typed.totalTime?.value
        typedConditions = typed.conditions
        includesUnsafe = typed.includesUnsafe
    }
}
