internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import CProgram
internal import Dispatch
internal import Synchronization

/// Runs several downloads, some of them concurrently, in one session that reuses connections.
///
/// A failed download does not affect the others. The exit status is that of the first failure in the order of the list.
final class Batch: Sendable {
    private enum Running: Sendable {
        /// Its plan is being created.
        case beginning
        case request(Request, Cancellation)
    }

    private struct State {
        var next = 0
        var running: [Int: Running] = [:]
        /// The running downloads that only wait for the disk: others take their places.
        var received: Set<Int> = []
        var tally = BatchTally()
        /// The records of the downloads that have ended, for reports.
        var records: [Int: RunRecord] = [:]
        /// The status of an interruption.
        var interruption: ExitStatus?
    }

    private let plan: BatchPlan
    private let environment: Environment
    private let messages: Messages
    private let progress: BatchProgress
    private let tokens = TokenMemory()
    private let session: Session
    /// The connections and cookies of all sessions.
    private let transport: CurlTransport
    /// The handler of the events of all sessions; `nil` if nothing observes them.
    private let eventHandler: TransferEventHandler?
    /// The sessions of the origins for which the configuration may have settings.
    private let sessions = Mutex<[String: Session]>([:])
    private let state = Mutex(State())
    private let mainLoop = MainLoop<Bool>()
    /// The queue on which plans are created and existing files are checked, concurrently if that may take long.
    private let queue: DispatchQueue
    /// The queue of the files that arrive in one chunk, and of the messages of all downloads.
    private let smallFiles = SmallFileQueue(label: "afcli.batch.files")
    private let progressQueue = DispatchQueue(label: "afcli.batch.progress")

    init(_ plan: BatchPlan, _ environment: Environment) {
        // Its threads allocate memory at the same time.
        af_limit_arenas(4)
        self.plan = plan
        queue = DispatchQueue(label: "afcli.batch", attributes: plan.readsEarlierFiles ? .concurrent : [])
        progress = BatchProgress(plan.progress, of: plan.list.entries.count, environment)
        var environment = environment
        environment.errors = progress.errors
        self.environment = environment
        messages = Messages(environment, level: plan.output.messageLevel)
        var configuration = plan.session
        let debugLog = plan.isDebugging ? DebugLog(CallbackQueue(progressQueue), environment.errors) : nil
        var kinds: Set<TransferEvent.Kind> = debugLog == nil ? [] : [.information]
        // Metrics contain the sent header only if it is observed.
        if plan.records.recordsHops { kinds.insert(.requestHead) }
        if !kinds.isEmpty { configuration.eventHandler = TransferEventHandler(kinds) { debugLog?.show($0) } }
        eventHandler = configuration.eventHandler
        transport = CurlTransport(connections: configuration.connections)
        session = Session(configuration: configuration, transport: transport)
    }

    /// Returns the session for a download.
    private func session(for download: Plan) -> Session {
        guard plan.hasHostSettings else { return session }
        return sessions.withLock { sessions in
            let origin = download.url.origin.description
            if let known = sessions[origin] { return known }
            var configuration = plan.session(for: download)
            configuration.eventHandler = eventHandler
            let new = Session(configuration: configuration, transport: transport)
            sessions[origin] = new
            return new
        }
    }

    /// Blocks the calling thread until all downloads have ended.
    func run() -> ExitStatus {
        for warning in plan.warnings { messages.warning(warning) }
        if let share = plan.share, plan.list.entries.isEmpty {
            messages.note("share \(share.text) of the list has no URL")
            return Recorder(plan.records, environment, messages).writeReports(.success, [], of: .input)
        }
        let persister = StatePersister(plan.persistentState)
        persister?.begin(in: session)
        environment.files.waits.removeTotal()
        environment.files.waits.handleSignals()
        let interruption = environment.onInterrupt { [self] in interrupt($0) }
        defer { transport.shutdown() }
        return withExtendedLifetime(interruption) { runAll(persister) }
    }

    private func runAll(_ persister: StatePersister?) -> ExitStatus {
        progress.begin(on: progressQueue)
        for _ in 0..<plan.parallel { beginNext() }
        _ = mainLoop.run()
        progress.end()
        var (tally, status) = state.withLock { ($0.tally, $0.interruption) }
        let records = state.withLock(\.records)
        do {
            try persister?.end(in: session)
        } catch {
            let diagnosis = Diagnosis(error)
            messages.error(diagnosis)
            tally.recordRunFailure(diagnosis.exitStatus)
        }
        let count = plan.list.entries.count
        let summary = tally.summary(of: count)
        if tally.isComplete(of: count) {
            messages.note(summary)
            status = nil
        } else if let status {
            let sentence = "\(Diagnosis.interrupted(status).message): \(summary)"
            messages.error(Diagnosis(sentence, hint: "the same command with --resume continues", status: status))
        } else {
            messages.error(Diagnosis(summary, status: tally.status))
        }
        let recorder = Recorder(plan.records, environment, messages)
        return recorder.writeReports(
            status ?? tally.status, records.sorted { $0.key < $1.key }.map(\.value), of: .input)
    }

    /// Starts the next download of the list, if any; after the last one the run ends.
    private func beginNext() {
        let index = state.withLock { state -> Int? in
            guard !isExhausted(state) else {
                if state.running.isEmpty { mainLoop.end(with: true) }
                return nil
            }
            defer { state.next += 1 }
            state.running[state.next] = .beginning
            return state.next
        }
        guard let index else { return }
        queue.async { self.begin(index) }
    }

    /// Whether no more downloads are started.
    private func isExhausted(_ state: State) -> Bool {
        state.interruption != nil || state.next >= plan.list.entries.count
    }

    private func begin(_ index: Int) {
        let entry = plan.list.entries[index]
        let subject = Redaction(revealsSecrets: false).url(entry.url)
        let recorder = Recorder(plan.records, environment, messages)
        do {
            let plan = try plan.plan(for: entry)
            try recorder.record(plan)
            guard let download = plan.download else { return end(index, subject, recorder, .failure) }
            let part = BatchItem(
                subject: subject,
                names: self.plan.names,
                smallFiles: smallFiles,
                received: { [self] in recordReceived(index) },
                end: { [self] status in end(index, subject, recorder, status) }
            )
            let run = Run(plan, environment, recorder, tokens: tokens, part: part)
            let runner = DownloadRunner(run, download)
            progress.begin(index) { runner.displayedState }
            guard let request = try runner.start(in: session(for: plan)) else {
                return end(index, subject, recorder, .success)
            }
            store(request, run.cancellation, index)
        } catch {
            var messages = messages
            messages.subject = subject
            let diagnosis = Diagnosis(error)
            if !diagnosis.exitStatus.isInterruption { messages.error(diagnosis) }
            recorder.record(error)
            end(index, subject, recorder, diagnosis.exitStatus)
        }
    }

    private func store(_ request: Request, _ cancellation: Cancellation, _ index: Int) {
        let interruption = state.withLock { state in
            // The download may have ended already.
            if state.running[index] != nil { state.running[index] = .request(request, cancellation) }
            return state.interruption
        }
        if let interruption { cancellation.end(request, .interrupted(interruption)) }
    }

    private func recordReceived(_ index: Int) {
        let isOtherNext = state.withLock { state in
            state.running[index] != nil && state.received.count < environment.receivedLimit
                && state.received.insert(index).inserted
        }
        // The disk can wait for a successor that is sent immediately.
        if isOtherNext { beginNext() }
    }

    private func end(_ index: Int, _ subject: String, _ recorder: Recorder, _ status: ExitStatus) {
        let path = recorder.savedPath
        let record = plan.records.isNeeded ? recorder.complete(status) : nil
        progress.end(index, url: subject, path: path, status: status)
        let hasSuccessor = state.withLock { state in
            state.running[index] = nil
            state.records[index] = record
            state.tally.record(index, status, isSaved: path != nil)
            let hasSuccessor = state.received.remove(index) != nil
            if hasSuccessor, state.running.isEmpty, isExhausted(state) { mainLoop.end(with: true) }
            return hasSuccessor
        }
        if !hasSuccessor { beginNext() }
    }

    private func interrupt(_ status: ExitStatus) {
        environment.files.waits.interrupt(status)
        let running = state.withLock { state in
            state.interruption = state.interruption ?? status
            if state.running.isEmpty { mainLoop.end(with: true) }
            // A download that only waits for the disk is complete in a moment.
            return state.running.filter { !state.received.contains($0.key) }.values
        }
        for case .request(let request, let cancellation) in running {
            cancellation.end(request, .interrupted(status))
        }
    }
}

/// The connection between a run and its batch.
struct BatchItem: Sendable {
    /// The name in messages: the URL without secrets.
    let subject: String
    /// The file names in use.
    let names: ReservedPaths
    /// The queue of small files, and of the output.
    let smallFiles: SmallFileQueue
    /// Called when the bytes are received: the request only waits for the disk.
    let received: @Sendable () -> Void
    /// Called once at the end of the request.
    let end: @Sendable (ExitStatus) -> Void
}
