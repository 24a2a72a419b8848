internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import Synchronization

/// Sends the requests of a series, some of them concurrently, over shared connections. Their output has their order.
final class SeriesRunner: Sendable {
    private struct State {
        var next = 0
        var succeeded = 0
        var failed = 0
        var firstFailure: (index: Int, status: ExitStatus)?
        /// The status of an interruption, or of an output that was closed.
        var end: ExitStatus?
        /// The records for reports.
        var records: [Int: RunRecord] = [:]
        var statistics = RunStatistics()

        var isInterrupted: Bool { end == .interrupted || end == .terminated }
    }

    private let series: RequestSeries
    private let environment: Environment
    private let messages: Messages
    private let transport: CurlTransport
    private let tokens = TokenMemory()
    private let output: OrderedOutput
    private let errors: OrderedOutput
    private let running = RunningTransfers()
    private let state = Mutex(State())

    init(_ series: RequestSeries, _ environment: Environment) {
        (self.series, self.environment) = (series, environment)
        messages = Messages(environment, level: series.messageLevel)
        transport = CurlTransport(connections: series.connections)
        output = OrderedOutput(environment.output)
        errors = OrderedOutput(environment.errors)
    }

    /// Blocks the calling thread until the last request has ended.
    func run() -> ExitStatus {
        defer { transport.shutdown() }
        if series.count == 0, let note = series.emptinessNote { messages.note(note) }
        let start = environment.now()
        let waits = environment.files.waits
        waits.removeTotal()
        waits.handleSignals()
        let interruption = environment.onInterrupt { [self] status in
            waits.interrupt(status)
            stop(with: status)
        }
        withExtendedLifetime(interruption) { runAll() }
        let state = state.withLock(\.self)
        report(state, seconds: environment.now() - start)
        let status = state.end ?? state.firstFailure?.status ?? .success
        let records = state.records.sorted { $0.key < $1.key }.map(\.value)
        return Recorder(series.records, environment, messages).writeReports(status, records, of: series.kind.list)
    }

    private func runAll() {
        let isDone = DispatchSemaphore(value: 0)
        let others = (1..<max(1, series.parallel)).count { _ in
            startThread(named: "afcli.request") { [self] in
                work()
                isDone.signal()
            }
        }
        work()
        for _ in 0..<others { isDone.wait() }
    }

    /// Reports the result of all requests.
    private func report(_ state: State, seconds: Double) {
        if state.isInterrupted, let end = state.end { messages.error(.interrupted(end)) }
        if series.kind == .repetitions {
            for sentence in state.statistics.sentences(of: series.count, in: seconds) { messages.result(sentence) }
            return
        }
        guard series.count > 0, !series.isDryRun, state.end != .outputClosed else { return }
        var summary = "\(state.succeeded) of \(series.count) request\(series.count == 1 ? "" : "s") succeeded"
        if state.failed > 0 { summary += ", \(state.failed) failed" }
        let rest = series.count - state.succeeded - state.failed
        if rest > 0 { summary += ", \(rest) not sent" }
        if state.succeeded == series.count { messages.note(summary) } else { messages.warning(summary) }
    }

    /// Sends requests until none is left.
    private func work() {
        while let index = takeNext() { send(index) }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.end == nil, state.next < series.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func send(_ index: Int) {
        let held = series.kind == .repetitions ? MemoryOutput() : nil
        var environment = environment
        environment.transport = transport
        environment.endsInOrder = true
        environment.onInterrupt = { [running] in running.add($0) }
        environment.files.waits = environment.files.waits.copy(total: series.totalTime)
        environment.output = output.part(index)
        environment.errors = held ?? errors.part(index)
        environment.messageSubject = series.subject(index)
        let messages = Messages(environment, level: series.messageLevel)
        let recorder = Recorder(series.records, environment, messages, writesReports: false)
        var status: ExitStatus
        do {
            let plan = try series.plan(index, environment)
            try recorder.record(plan)
            status = try Run(plan, environment, recorder, tokens: tokens).execute()
        } catch {
            recorder.record(error)
            status = Program(environment).fail(error)
        }
        if [output.end(index), errors.end(index)].contains(.closed) { status = .outputClosed }
        record(index, status, recorder.complete(status), held)
    }

    private func record(_ index: Int, _ status: ExitStatus, _ record: RunRecord, _ held: MemoryOutput?) {
        let isNew = state.withLock { state in
            if !series.records.reports.isEmpty { state.records[index] = record }
            // The interruption is reported once.
            if state.isInterrupted, status != .success { return false }
            if status == .success { state.succeeded += 1 } else { state.failed += 1 }
            if status != .success, index < state.firstFailure?.index ?? .max { state.firstFailure = (index, status) }
            return series.kind == .repetitions && state.statistics.add(record)
        }
        // Of equal failures, the first one is explained.
        if let held, isNew { held.bytes.withUnsafeBytes { try? environment.errors.write($0) } }
        if status == .outputClosed { stop(with: status) }
    }

    /// Ends the running requests, and sends no more.
    private func stop(with status: ExitStatus) {
        state.withLock { $0.end = $0.end ?? status }
        output.release()
        errors.release()
        running.stop(with: status)
    }
}
