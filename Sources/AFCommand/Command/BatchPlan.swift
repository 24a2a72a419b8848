internal import AFCore
internal import AFHTTP

/// The plan of several downloads: errors are detected before a request is sent, but each download's plan is created
/// when it starts, so that a long list needs little memory.
struct BatchPlan: Sendable {
    let list: DownloadList
    /// The share of the list; `nil` for all of it.
    let share: ListShare?
    /// The number of concurrent downloads.
    let parallel: Int
    /// The configuration for all of them.
    let session: SessionConfiguration
    /// The persistent cookies and HSTS hosts; a batch stores nothing else.
    let persistentState: PersistentState
    let output: OutputPlan
    let progress: ProgressDisplay
    let records: RecordPlan
    let isDebugging: Bool
    /// The warnings, a sentence each.
    let warnings: [String]
    /// Whether the configuration has settings for hosts, so that each origin needs a session of its own.
    let hasHostSettings: Bool
    /// The names of the list: the paths in its lines, and the URLs whose existing files are skipped.
    let names: ReservedPaths

    private let plans: EntryPlans
    /// Whether a download may read files of earlier runs before its request, which may take long.
    let readsEarlierFiles: Bool

    /// Creates a plan.
    ///
    /// - Throws: ``UsageError``, ``FileProblem``, or `CancellationError` if a prompt is interrupted.
    init(_ typed: Invocation, _ environment: Environment) throws {
        try Self.check(typed)
        records = try RecordPlan(typed, environment.files)
        let path = typed.download.input ?? "-"
        let list = try Self.list(path, typed, environment)
        share = typed.download.share
        self.list = list.part(share)
        let invocation = try Self.invocation(typed)
        let checksums = try ChecksumSource.all(typed.download.checksums, environment.files)
        var environment = environment
        // It is the list, or the body of each request.
        environment.standardInput = path == "-" ? .taken : environment.standardInput.remembering()
        environment.credentials = environment.credentials.remembering()
        environment.files = environment.files.remembering()
        parallel = max(1, min(self.list.entries.count, typed.parallelCount))
        let names = BatchNames(
            invocation.download,
            invocation.addressOptions,
            environment.files,
            inputPath: path,
            filesOfOptions: invocation.assignments.filesBesideResponse(environment.files)
        )
        let paths = try names.check(list, checksums: checksums)
        var entryPlans = try EntryPlans(invocation, environment, checksums, firstURL: list.entries[0].url)
        let plans = try entryPlans.probe(list)
        self.plans = entryPlans
        let skipped = typed.download.skipsExisting ? list.entries : []
        let results = skipped.compactMap { [entryPlans] entry -> (url: String, path: String?)? in
            guard let plan = try? entryPlans.plan(for: entry) else { return nil }
            return (plan.url.text, plan.download?.path(for: plan.url, nil))
        }
        self.names = ReservedPaths(paths, urls: results.map(\.url), names: results.compactMap(\.path))
        let download = invocation.download
        readsEarlierFiles = download.resume != nil || download.skipsExisting || !download.checksums.isEmpty
        // An https URL has more settings.
        let plan = plans.first { $0.url.scheme == .https } ?? plans[0]
        try plan.request.body.checkRepeatable(count: self.list.entries.count, argument: "--input")
        var session = plan.session
        session.removedHeaders = plan.request.removedHeaders
        session.hstsStore = plan.persistentState.hosts
        session.authenticationKinds = plans.reduce([]) { $0.union($1.session.authenticationKinds) }
        let segments = plan.download?.segments ?? 1
        session.connections.perHost = max(session.connections.perHost ?? 0, parallel * segments)
        if let rate = session.network.maximumReceiveRate, rate > 0 {
            session.network.maximumReceiveRate = max(1, rate / Int64(parallel))
        }
        self.session = session
        persistentState = plan.persistentState
        output = plan.output
        progress = plan.progress
        isDebugging = plan.isDebugging
        var warnings: [String] = []
        for warning in plans.flatMap(\.warnings) where !warnings.contains(warning) { warnings.append(warning) }
        if !session.tls.verifiesChain { warnings.append("the server's certificate is not verified") }
        self.warnings = warnings
        hasHostSettings = typed.listSettings?.configuration.hosts.isEmpty == false
    }

    /// Returns the configuration of the session for the origin of a download, which host settings may have changed.
    func session(for plan: Plan) -> SessionConfiguration {
        var own = plan.session
        own.removedHeaders = plan.request.removedHeaders
        own.hstsStore = persistentState.hosts
        own.connections.perHost = session.connections.perHost
        own.network.maximumReceiveRate = session.network.maximumReceiveRate
        return own
    }

    /// Returns the plan of one download.
    ///
    /// - Throws: The errors of ``Plan``.
    func plan(for entry: DownloadList.Entry) throws -> Plan { try plans.plan(for: entry) }

    /// Reads a list.
    static func list(
        _ path: String,
        _ invocation: Invocation,
        _ environment: Environment
    ) throws -> DownloadList {
        var input = InputReader(
            environment.files,
            environment.standardInput,
            mayReadStandardInput: !invocation.refusesStandardInput
        )
        let text = try naming("--input") {
            do {
                return try input.text(path, .list)
            } catch let error as FileProblem where error.reason == .isNotUTF8 {
                throw error.hinting("percent-encode bytes that are not UTF-8")
            }
        }
        return try DownloadList(text, path: path)
    }

    /// Checks the options.
    ///
    /// - Throws: ``UsageError`` for options that are invalid with several downloads.
    static func check(_ typed: Invocation) throws(UsageError) {
        if let shown = typed.assignments.typedSelection {
            throw UsageError(
                "is for responses that are shown, but those of the list are saved", argument: shown.name,
                hint: "omit the options for files, or --progress json reports each file")
        }
        if let path = typed.download.output, !path.hasSuffix("/") {
            throw UsageError(
                "names one file, but --input downloads several",
                argument: "--output",
                hint: "name a directory with a trailing slash; the list can name the files"
            )
        }
    }

    /// Returns the invocation of downloads, without a URL.
    static func invocation(_ typed: Invocation) throws(UsageError) -> Invocation {
        var invocation = typed
        var items = typed.positionals[...]
        if typed.hasMethodWord { items.removeFirst() }
        invocation.request.method = typed.listMethod
        for item in items { try ListedRequests.check(item) }
        invocation.positionals = Array(items)
        invocation.download.isDownload = true
        // The parts of single responses are not shown.
        invocation.output.parts = []
        return invocation
    }
}
