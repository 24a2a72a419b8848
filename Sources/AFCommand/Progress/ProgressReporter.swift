internal import AFCore
internal import AFFormatting
internal import Dispatch
internal import Synchronization

/// Reports the progress of a transfer: a line that is redrawn, occasional lines, or events.
final class ProgressReporter: Sendable {
    private enum Form {
        case bar(ProgressBar)
        case lines(SparseProgress)
        case events(ProgressEvents)
    }

    private struct State {
        var form: Form
        var isDrawn = false
        var last: ProgressSample?
        /// The time of the first sent byte.
        var start: Double?
        /// Whether a stream of unknown length has ended.
        var isSent = false
        /// Whether an update about waiting for the response is scheduled.
        var isFollowed = false
        /// Whether the final response was received, which ends the progress of sending.
        var hasResponse = false
        /// Whether the end was reported.
        var hasEnded = false
        /// Whether a redraw of the last state is scheduled.
        var isDrawingLater = false
    }

    /// The seconds after which the progress of a body of unknown size is reported.
    private static let delay = 1.0

    private let output: any ByteOutput
    /// Read each time, as the terminal may be resized.
    private let columns: @Sendable () -> Int?
    private let now: @Sendable () -> Double
    /// The time of the creation, before the transfer.
    private let creation: Double
    /// The queue of progress reports and timers.
    private let queue: DispatchQueue
    /// Whether only slow transfers are reported.
    private let isDelayed: Bool
    private let state: Mutex<State>

    /// Returns `nil` if nothing is to be reported.
    ///
    /// - Parameter subject: The URL in the events of a batch, without secrets.
    init?(
        _ choice: ProgressDisplay,
        name: String,
        showsAutomatically: Bool,
        palette: Palette?,
        on queue: DispatchQueue,
        _ environment: Environment,
        subject: String? = nil
    ) {
        let form: Form? =
            switch choice {
            case .never: nil
            case .json: .events(ProgressEvents(name: name, url: subject))
            case .auto where !showsAutomatically: nil
            case .auto where !environment.canRedraw: .lines(SparseProgress(name: name))
            case .auto, .always:
                .bar(ProgressBar(name: name, isUTF8: environment.isUTF8, palette: palette))
            }
        guard let form else { return nil }
        self.queue = queue
        output = environment.errors
        columns = environment.errorColumns
        now = environment.now
        creation = environment.now()
        isDelayed = choice == .auto
        state = Mutex(State(form: form))
    }

    func sending(_ progress: TransferProgress) {
        let now = now()
        let (start, isStreamSent, hasResponse) = state.withLock { state in
            state.start = state.start ?? now
            // The total reported at the end includes all sent bytes.
            if state.hasResponse { state.last?.bytes = progress.completedUnitCount }
            return (state.start ?? now, state.isSent, state.hasResponse)
        }
        if hasResponse { return }
        // A few bytes from a pipe are sent immediately.
        guard !isDelayed || progress.totalUnitCount > 0 || now - start >= Self.delay else { return }
        let isSent =
            isStreamSent || progress.totalUnitCount > 0 && progress.completedUnitCount >= progress.totalUnitCount
        report(isSent ? .waiting : .sending, progress)
        if isSent { followWait() }
    }

    /// An observer of the end of a stream of unknown length.
    var observer: UploadObserver {
        UploadObserver(needsBytes: false) { [weak self] bytes in
            guard bytes.isEmpty, let self else { return }
            queue.async { self.streamDidEnd() }
        }
    }

    private func streamDidEnd() {
        let last = state.withLock { state in
            state.isSent = true
            return state.hasResponse ? nil : state.last
        }
        guard var sample = last else { return }
        (sample.phase, sample.now) = (.waiting, now())
        report(sample)
        followWait()
    }

    /// Schedules updates while the server is silent.
    private func followWait() {
        let isFirst = state.withLock { state in
            defer { state.isFollowed = true }
            return !state.isFollowed
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            state.withLock { $0.isFollowed = false }
            guard var sample = state.withLock({ $0.last }), sample.phase == .waiting else { return }
            sample.now = now()
            report(sample)
            followWait()
        }
    }

    func receiving(_ progress: TransferProgress) { report(.receiving, progress) }

    /// Reports the last state before the final response is shown if the complete body was sent; otherwise leaves that
    /// to the end.
    ///
    /// - Parameter sent: The current state, which may be newer than the reported one.
    func responseBegan(_ sent: TransferProgress) {
        let isSent = state.withLock { state in
            state.hasResponse = true
            state.last?.bytes = sent.completedUnitCount
            return state.isSent || sent.totalUnitCount > 0 && sent.completedUnitCount >= sent.totalUnitCount
        }
        if isSent { end(isComplete: true) } else { breakLine() }
    }

    /// Sets the file's name, which may differ from the URL's.
    func rename(to name: String) {
        state.withLock { state in
            switch state.form {
            case .bar(var bar):
                bar.rename(to: name)
                state.form = .bar(bar)
            case .lines(var lines):
                lines.rename(to: name)
                state.form = .lines(lines)
            case .events(var events):
                events.name = name
                state.form = .events(events)
            }
        }
    }

    /// Ends the display of a saved file without a line of its own.
    ///
    /// - Returns: The size and the duration, for the message about the file; `nil` if the end must be reported.
    func endWithSummary() -> String? {
        let (summary, isDrawn) = state.withLock { state -> (String?, Bool) in
            guard var sample = state.last else { return (nil, false) }
            (sample.now, sample.phase) = (now(), .done)
            let summary: String
            switch state.form {
            case .bar(var bar): summary = bar.finalSummary(of: sample)
            case .lines(var lines): summary = lines.finalSummary(of: sample)
            case .events: return (nil, false)
            }
            defer { (state.last, state.hasEnded, state.isDrawn) = (nil, true, false) }
            return (summary, state.isDrawn)
        }
        if isDrawn { write("\r\u{1B}[K") }
        return summary
    }

    /// Reports the last state, once, if the transfer was completed, and ends the line. JSON also reports failures;
    /// otherwise there is an error message.
    func end(isComplete: Bool) {
        let (sample, hasEnded, form) = state.withLock { state in
            defer { state.hasEnded = true }
            return (state.last.take(), state.hasEnded, state.form)
        }
        if !isComplete, !hasEnded, sample == nil, case .events(var events) = form {
            // The transfer failed before the first byte.
            _ = events.line(for: ProgressSample(now: creation, phase: .waiting, bytes: 0))
            writeLine(events.lineOfFailure(at: ProgressSample(now: now(), phase: .waiting, bytes: 0)) + "\n")
        }
        if var last = sample {
            last.now = now()
            if isComplete {
                last.phase = .done
                report(last)
                state.withLock { $0.last = nil }
            } else if case .events(var events) = state.withLock(\.form) {
                writeLine(events.lineOfFailure(at: last) + "\n")
            }
        }
        breakLine()
    }

    /// Ends the line before other output on the terminal.
    func breakLine() {
        let isDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        if isDrawn { write("\n") }
    }

    private func report(_ phase: ProgressSample.Phase, _ progress: TransferProgress) {
        report(
            ProgressSample(
                now: now(),
                phase: phase,
                bytes: progress.completedUnitCount,
                total: progress.totalUnitCount > 0 ? progress.totalUnitCount : nil,
                resumedBytes: progress.resumedUnitCount
            )
        )
    }

    private func report(_ sample: ProgressSample) {
        let (text, isRedrawn, isDrawnLater) = state.withLock { state -> (String?, Bool, Bool) in
            state.last = sample
            let isRedrawn = state.isDrawn
            switch state.form {
            case .bar(var bar):
                bar.update(sample)
                let isDue = bar.shouldDraw(at: sample.now) || sample.phase == .done
                let isLater = !isDue && !state.isDrawingLater
                state.isDrawingLater = state.isDrawingLater || isLater
                let line = isDue ? bar.line(columns: columns() ?? 80) : nil
                state.form = .bar(bar)
                state.isDrawn = state.isDrawn || isDue
                return (line.map { "\r\u{1B}[K\($0)" }, isRedrawn, isLater)
            case .lines(var lines):
                let line = lines.line(for: sample)
                state.form = .lines(lines)
                return (line.map { "\($0)\n" }, false, false)
            case .events(var events):
                let line = events.line(for: sample)
                state.form = .events(events)
                return (line.map { "\($0)\n" }, false, false)
            }
        }
        if let text { if isRedrawn { write(text) } else { writeLine(text) } }
        if isDrawnLater { drawLater() }
    }

    /// Redraws later, so that a stalled transfer does not show an old state.
    private func drawLater() {
        queue.asyncAfter(deadline: .now() + ProgressBar.interval) { [weak self] in
            guard let self else { return }
            let last = state.withLock { state in
                state.isDrawingLater = false
                return state.hasResponse ? nil : state.last
            }
            guard var sample = last else { return }
            sample.now = now()
            report(sample)
        }
    }

    /// Writes the start of a line; a body that was printed to the same file or terminal may lack a line end.
    private func writeLine(_ text: String) {
        try? output.endLine()
        write(text)
    }

    private func write(_ text: String) {
        // A progress line that cannot be written does not end the transfer.
        try? output.write(text)
    }
}

/// The condition and the format of the progress display.
enum ProgressDisplay: String, ArgumentValue, CaseIterable { case auto, always, never, json }
