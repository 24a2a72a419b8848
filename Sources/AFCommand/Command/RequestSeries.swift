internal import AFCore
internal import AFFormatting
internal import AFHTTP

/// The requests of a run that sends several and shows their responses: the URLs of a list, files for a directory, or
/// repetitions.
struct RequestSeries: Sendable {
    enum Kind: Sendable {
        case list, uploads, repetitions

        /// The runs for reports.
        var list: RunList {
            switch self {
            case .list: .input
            case .uploads: .uploads
            case .repetitions: .request
            }
        }
    }

    let kind: Kind
    let count: Int
    /// The number of concurrent requests.
    let parallel: Int
    let records: RecordPlan
    /// The limits of the shared connections.
    let connections: ConnectionLimits
    let messageLevel: Messages.Level
    /// The time limit of each request in seconds; `nil` for no limit.
    let totalTime: Double?
    /// Whether the requests are shown and not sent.
    let isDryRun: Bool
    /// The note of a list whose share has no URL; `nil` for others.
    let emptinessNote: String?
    /// The environment in which plans are created.
    let environment: Environment
    /// Returns the subject of the messages about a request; `nil` if it needs none.
    let subject: @Sendable (_ index: Int) -> String?
    private let makePlan: @Sendable (_ index: Int, _ environment: Environment) throws -> Plan

    /// Creates the series of a command line.
    ///
    /// - Throws: The errors of ``Plan``, before any request.
    init(_ typed: Invocation, _ environment: Environment) throws {
        var environment = environment
        environment.credentials = environment.credentials.remembering()
        environment.files = environment.files.remembering()
        if typed.download.input != nil {
            self = try Self(list: typed, environment)
        } else if typed.retry.repetitions == nil {
            self = try Self(uploads: typed, environment)
        } else {
            self = try Self(repetitions: typed, environment)
        }
    }

    private init(
        _ kind: Kind,
        count: Int,
        _ typed: Invocation,
        _ environment: Environment,
        first: Plan?,
        emptinessNote: String? = nil,
        subject: @escaping @Sendable (_ index: Int) -> String?,
        makePlan: @escaping @Sendable (_ index: Int, _ environment: Environment) throws -> Plan
    ) throws {
        // The state of a session is read by a request and stored at its end.
        let isSequential = first?.persistentState.isEmpty == false || typed.sessions.hstsFile != nil
        let parallel = isSequential || typed.isDryRun ? 1 : max(1, min(count, typed.parallelCount))
        (self.kind, self.count, self.parallel, self.environment) = (kind, count, parallel, environment)
        (self.emptinessNote, self.subject, self.makePlan) = (emptinessNote, subject, makePlan)
        records = try RecordPlan(typed, environment.files)
        var connections = first?.session.connections ?? ConnectionLimits(perHost: nil)
        connections.perHost = max(connections.perHost ?? 0, parallel * (first?.upload?.segments ?? 1))
        self.connections = connections
        (messageLevel, isDryRun) = (typed.messageLevel, typed.isDryRun)
        totalTime = typed.network.totalTimeout?.limit
    }

    /// Returns the plan of a request.
    ///
    /// - Throws: The errors of ``Plan``.
    func plan(_ index: Int, _ environment: Environment) throws -> Plan {
        var own = self.environment
        own.files.waits = environment.files.waits
        return try environment.inTurn { [own] in try makePlan(index, own) }
    }
}

extension RequestSeries {
    /// Creates the series of `--input`.
    private init(list typed: Invocation, _ environment: Environment) throws {
        let path = typed.download.input ?? "-"
        let list = try BatchPlan.list(path, typed, environment)
        var environment = environment
        // It is the list, or the body of each request.
        environment.standardInput = path == "-" ? .taken : environment.standardInput.remembering()
        let requests = try ListedRequests(typed, firstURL: list.entries[0].url)
        try requests.check(list, environment)
        let entries = list.part(typed.download.share).entries
        let first = try entries.first.map { try requests.plan($0, environment) }
        try first?.request.body.checkRepeatable(count: entries.count, argument: "--input")
        let share = typed.download.share?.text
        try self.init(
            .list, count: entries.count, typed, environment, first: first,
            emptinessNote: share.map { "share \($0) of the list has no URL" },
            subject: { Redaction(revealsSecrets: false).url(entries[$0].url) },
            makePlan: { try requests.plan(entries[$0], $1) })
    }

    /// Creates the series of several `--upload-file`.
    private init(uploads typed: Invocation, _ environment: Environment) throws {
        let files = typed.request.uploadFiles
        try Self.checkUploads(typed, files)
        @Sendable func plan(_ index: Int, _ environment: Environment) throws -> Plan {
            var invocation = typed
            invocation.request.uploadFiles = [files[index]]
            invocation.limitProgress()
            return try Plan(invocation, environment)
        }
        // An unreadable file is reported before any request.
        let plans = try files.indices.map { try plan($0, environment) }
        try self.init(
            .uploads, count: files.count, typed, environment, first: plans.first, subject: { files[$0] },
            makePlan: plan)
    }

    private static func checkUploads(_ typed: Invocation, _ files: [String]) throws(UsageError) {
        func problem(_ reason: UsageError.Problem, hint: String) -> UsageError {
            UsageError(reason, argument: "--upload-file", hint: hint)
        }
        if files.contains("-") {
            throw problem(
                "standard input has no name, so it cannot be one of several files", hint: "write it to a file")
        }
        var download = typed.download
        // Without a saved response, these are about the uploads.
        if !download.writesFile { (download.resume, download.segments) = (nil, nil) }
        if download.concernsFiles {
            throw problem(
                "several files have several responses, which cannot be saved", hint: "omit --download and --output")
        }
        guard try typed.target.address.url.path.hasSuffix("/") else {
            throw problem(
                "several files need the URL of a directory", hint: "end the URL with a slash: each file keeps its name")
        }
        var names: Set<[UInt8]> = []
        for file in files where !names.insert(Array(file.lastComponent.utf8)).inserted {
            throw problem(
                "two files have the name '\(file.lastComponent)'",
                hint: "send them to different directories")
        }
    }

    /// Creates the series of `--repeat`.
    private init(repetitions typed: Invocation, _ environment: Environment) throws {
        func problem(_ reason: UsageError.Problem, hint: String?) -> UsageError {
            UsageError(reason, argument: "--repeat", hint: hint)
        }
        let count = typed.retry.repetitions ?? 1
        if typed.request.uploadFiles.count > 1 {
            throw problem("cannot be combined with several --upload-file", hint: "repeat one of them")
        }
        var invocation = typed
        invocation.limitProgress()
        if invocation.output.parts == nil, invocation.output.verbosity == 0 {
            invocation.output.parts = invocation.output.selectsBody ? .responseBody : []
        }
        let plan = try environment.inTurn { [invocation] in try Plan(invocation, environment) }
        guard typed.retry.includesUnsafe || plan.request.isIdempotent else {
            throw problem(
                "\(known: plan.request.method.rawValue) is not idempotent: each request may have effects",
                hint: "--retry-unsafe sends it \(count) time\(count == 1 ? "" : "s")")
        }
        try plan.request.body.checkRepeatable(count: count, argument: "--repeat")
        try self.init(
            .repetitions, count: count, typed, environment, first: plan, subject: { _ in nil },
            makePlan: { index, environment in
                var repetition = plan.ofPart(isFirst: index == 0)
                repetition.waits = environment.files.waits
                return repetition
            })
    }
}

extension BodyPlan {
    /// Checks that the body can be sent several times.
    ///
    /// - Throws: ``UsageError`` with the argument.
    func checkRepeatable(count: Int, argument: String) throws(UsageError) {
        guard count > 1, !isRepeatable else { return }
        throw UsageError(
            "the body can be read only once", argument: argument, hint: "write it to a file and send that: @FILE")
    }
}

extension OutputArguments {
    /// Whether a part of the body is requested by name.
    fileprivate var selectsBody: Bool { filter != nil || textFilter != nil }
}

extension Invocation {
    /// Removes the progress display, of which concurrent requests would each have one.
    mutating func limitProgress() { if output.progress != .json { output.progress = .never } }

    /// Whether several requests are sent, and their responses are shown.
    var isSeries: Bool {
        showsList || retry.repetitions != nil || request.uploadFiles.count > 1 && download.input == nil
    }

    /// The maximum number of concurrent requests.
    var parallelCount: Int {
        if retry.repetitions != nil { return download.parallel ?? 1 }
        return download.input != nil || request.uploadFiles.count > 1 ? download.parallel ?? 4 : 1
    }

    /// Whether the responses to the URLs of a list are shown, and not saved.
    var showsList: Bool {
        guard download.input != nil, !download.concernsFiles else { return false }
        return assignments.typedSelection != nil || download.isOutputNamed
            || listedMethod.map { $0 != "GET" } ?? false || hasBody
    }

    /// The typed method for the URLs of a list; `nil` if no method was typed.
    private var listedMethod: String? {
        request.method ?? (positionals.first?.isMethod == true ? positionals.first?.uppercased() : nil)
    }

    /// Whether the first positional argument is the method.
    var hasMethodWord: Bool { request.method == nil && listedMethod != nil }

    /// The method for the URLs of a list. It is always set, as an alias could be read as one.
    var listMethod: String {
        listedMethod ?? (hasBody ? request.uploadFiles.isEmpty ? "POST" : "PUT" : "GET")
    }

    /// Whether the command line has a body.
    private var hasBody: Bool {
        request.raw != nil || !request.uploadFiles.isEmpty || !request.parts.isEmpty
            || positionals.contains { (try? RequestItem($0))?.isData == true }
    }
}
