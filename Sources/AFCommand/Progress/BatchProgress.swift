internal import AFCore
internal import AFFormatting
internal import AFJSON
internal import Dispatch
internal import Synchronization

/// The progress of several downloads: a line that is redrawn, occasional lines, or an event for each completed
/// download.
final class BatchProgress: Sendable {
    private enum Form: Sendable {
        case silent
        case line(ProgressLine, columns: @Sendable () -> Int?, isUTF8: Bool)
        /// A line at fixed intervals.
        case lines
        case events
    }

    /// What the display shows of a download.
    struct Download {
        let name: String
        /// The progress of the attempts to receive the file.
        let attempts: [TransferProgress]
    }

    fileprivate struct State {
        /// The running downloads, each read when it is displayed and when it ends.
        var running: [Int: @Sendable () -> Download] = [:]
        /// The bytes of completed downloads, without those of earlier runs.
        var bytes: Int64 = 0
        var ended = 0
        var failed = 0
        var estimator = RateEstimator()
        var lastLine: Double
        var isOver = false
    }

    private static let interval = 30.0

    private let form: Form
    private let total: Int
    private let now: @Sendable () -> Double
    private let start: Double
    private let state: Mutex<State>
    /// Standard error, for other output during the progress display.
    let errors: any ByteOutput

    init(_ choice: ProgressDisplay, of total: Int, _ environment: Environment) {
        let line = ProgressLine(environment.errors)
        form =
            switch choice {
            case .never: .silent
            case .json: .events
            case .auto where !environment.canRedraw: .lines
            case .auto, .always: .line(line, columns: environment.errorColumns, isUTF8: environment.isUTF8)
            }
        self.total = total
        now = environment.now
        errors = line
        start = environment.now()
        state = Mutex(State(lastLine: start))
    }

    /// Starts the display, until ``end()``.
    func begin(on queue: DispatchQueue) {
        if isDisplayed { tick(on: queue) }
    }

    /// Records the start of a download.
    ///
    /// - Parameter download: Returns the state of the download. Called with the lock of the display, so that it must not
    ///   call the display.
    func begin(_ index: Int, _ download: @escaping @Sendable () -> Download) {
        if isDisplayed { state.withLock { $0.running[index] = download } }
    }

    /// Records the end of a download.
    ///
    /// - Parameters:
    ///   - url: The URL without secrets.
    ///   - path: The path of the saved file; `nil` if it was not saved.
    func end(_ index: Int, url: String, path: String?, status: ExitStatus) {
        if isDisplayed {
            state.withLock { state in
                if let download = state.running.removeValue(forKey: index) { state.bytes += download().newBytes }
                state.ended += 1
                if status != .success { state.failed += 1 }
            }
        }
        guard case .events = form else { return }
        let event: JSONText = .object([
            "event": .string("end"), "url": .string(url), "path": .text(path), "status": .count(status.code),
        ])
        try? errors.write("\(event.eventLine)\n")
    }

    /// Ends the display and erases the line.
    func end() {
        state.withLock { $0.isOver = true }
        if case .line(let line, _, _) = form { line.end() }
    }

    private var isDisplayed: Bool {
        switch form {
        case .silent, .events: false
        case .line, .lines: true
        }
    }

    private func tick(on queue: DispatchQueue) {
        queue.asyncAfter(deadline: .now() + ProgressBar.interval) { [weak self] in
            guard let self, report() else { return }
            tick(on: queue)
        }
    }

    /// Updates the display.
    ///
    /// - Returns: Whether there will be further updates.
    private func report() -> Bool {
        let now = now()
        switch form {
        case .silent, .events: return false
        case .line(let line, let columns, let isUTF8):
            let details = state.withLock { state -> [String]? in
                guard !state.isOver else { return nil }
                state.updateRate(now)
                return state.details(of: total, now - start)
            }
            guard let details else { return false }
            // Without the lock, for which the downloads would wait: a terminal may stop reading.
            line.draw(details.joined(separator: "  ").shortenedAtEnd(toColumns: columns() ?? 80, isUTF8: isUTF8))
            return true
        case .lines:
            let (text, isOver) = state.withLock { state -> (String?, Bool) in
                guard !state.isOver else { return (nil, true) }
                state.updateRate(now)
                guard now - state.lastLine >= Self.interval else { return (nil, false) }
                state.lastLine = now
                return (state.details(of: total, now - start).joined(separator: ", "), false)
            }
            if let text { try? errors.write("\(text)\n") }
            return !isOver
        }
    }
}

extension BatchProgress.State {
    fileprivate var allBytes: Int64 { running.values.reduce(bytes) { $0 + $1().newBytes } }

    fileprivate mutating func updateRate(_ now: Double) {
        estimator.update(ProgressSample(now: now, phase: .receiving, bytes: allBytes))
    }

    /// Returns the details, the most important one first.
    fileprivate func details(of total: Int, _ elapsed: Double) -> [String] {
        let failures = failed > 0 ? " (\(failed) failed)" : ""
        let files = running.sorted { $0.key < $1.key }.map { _, download in
            let download = download()
            let name = Sanitizer.line(download.name)
            return download.percentage.map { "\(name) \($0) %" } ?? name
        }
        let noun = total == 1 ? "file" : "files"
        return [
            "\(ended) of \(total) \(noun)\(failures)", HumanUnits.bytes(allBytes), HumanUnits.rate(estimator.rate ?? 0),
            HumanUnits.clock(elapsed), files.joined(separator: ", "),
        ].filter { !$0.isEmpty }
    }
}

extension BatchProgress.Download {
    /// The received bytes, without those of earlier runs and those that an attempt continued.
    fileprivate var newBytes: Int64 {
        attempts.reduce(0) { $0 + max(0, $1.completedUnitCount - $1.resumedUnitCount) }
    }

    /// The percentage of the attempt that came furthest; `nil` if the length is unknown.
    fileprivate var percentage: Int? {
        let furthest = attempts.max { $0.completedUnitCount < $1.completedUnitCount }
        return furthest.flatMap { $0.totalUnitCount > 0 ? Int($0.fractionCompleted * 100) : nil }
    }
}
