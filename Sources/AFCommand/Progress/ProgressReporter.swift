internal import AFCore
internal import Dispatch
internal import Synchronization

/// Tells how far a transfer is: a line drawn over and over, lines now and then, or events.
final class ProgressReporter: Sendable {
    private enum Form {
        case bar(ProgressBar)
        case lines(SparseProgress)
        case events(ProgressEvents)
        /// Told together with that of others.
        case part(BatchProgress.Part)
    }

    private struct Contents {
        var form: Form
        var isDrawn = false
        var last: ProgressSample?
        /// When the first byte was sent.
        var start: Double?
        /// Whether a stream of unknown length has come to its end.
        var isSent = false
        /// Whether the wait for a response is going to be told of again.
        var isFollowed = false
        /// Whether the answer has come, and with it the end of what is told while it goes on.
        var isAnswered = false
        /// Whether the last state is going to be drawn once the bar may be drawn again.
        var isDrawingLater = false
    }

    /// Seconds after which a body of unknown size is worth telling about.
    private static let patience = 1.0

    private let output: any ByteOutput
    /// Asked for each time: whoever watches may resize the terminal.
    private let columns: @Sendable () -> Int?
    private let now: @Sendable () -> Double
    /// Where progress is told, and the wait for a response is followed.
    private let queue: DispatchQueue
    /// Whether to tell only what takes its time.
    private let isPatient: Bool
    private let contents: Mutex<Contents>

    /// `nil` where nothing is to be told.
    init?(
        _ choice: ProgressDisplay,
        name: String,
        isWorthTelling: Bool,
        palette: Palette?,
        on queue: DispatchQueue,
        _ environment: Environment,
        part: BatchProgress.Part? = nil
    ) {
        let form: Form? =
            switch choice {
            case .never: nil
            case .json: .events(ProgressEvents(name: name, url: part?.subject))
            case .auto where part != nil, .always where part != nil: part.map { .part($0) }
            case .auto where !isWorthTelling: nil
            case .auto where !environment.canRedraw: .lines(SparseProgress(name: name))
            case .auto, .always:
                .bar(ProgressBar(name: name, isUTF8: environment.isUTF8, palette: palette))
            }
        guard let form else { return nil }
        self.queue = queue
        output = environment.errors
        columns = environment.errorColumns
        now = environment.now
        isPatient = choice == .auto
        contents = Mutex(Contents(form: form))
    }

    func sending(_ progress: TransferProgress) {
        let now = now()
        let (start, isStreamSent, isAnswered) = contents.withLock { contents in
            contents.start = contents.start ?? now
            // The sum, told in the end, is of all that was sent.
            if contents.isAnswered { contents.last?.bytes = progress.completedUnitCount }
            return (contents.start ?? now, contents.isSent, contents.isAnswered)
        }
        if isAnswered { return }
        // A few bytes through a pipe are over at once.
        guard !isPatient || progress.totalUnitCount > 0 || now - start >= Self.patience else { return }
        let isSent =
            isStreamSent || progress.totalUnitCount > 0 && progress.completedUnitCount >= progress.totalUnitCount
        tell(isSent ? .waiting : .sending, progress)
        if isSent { followWait() }
    }

    /// Sees the end of a stream whose length nobody knows.
    var tap: BodyTap {
        BodyTap(wantsBytes: false) { [weak self] bytes in
            guard bytes.isEmpty, let self else { return }
            queue.async { self.streamDidEnd() }
        }
    }

    private func streamDidEnd() {
        let last = contents.withLock { contents in
            contents.isSent = true
            return contents.isAnswered ? nil : contents.last
        }
        guard var sample = last else { return }
        (sample.phase, sample.now) = (.waiting, now())
        tell(sample)
        followWait()
    }

    /// Nothing passes while the server thinks: the time that it takes is told all the same.
    private func followWait() {
        let isFirst = contents.withLock { contents in
            defer { contents.isFollowed = true }
            return !contents.isFollowed
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + 1) { [weak self] in
            guard let self else { return }
            contents.withLock { $0.isFollowed = false }
            guard var sample = contents.withLock({ $0.last }), sample.phase == .waiting else { return }
            sample.now = now()
            tell(sample)
            followWait()
        }
    }

    func receiving(_ progress: TransferProgress) { tell(.receiving, progress) }

    /// The answer has come, and is about to be shown: tells the last state where all of the body was sent before, else
    /// leaves that to the end.
    ///
    /// - Parameter sent: Up to now, which may be ahead of what was told.
    func answered(_ sent: TransferProgress) {
        let isSent = contents.withLock { contents in
            contents.isAnswered = true
            contents.last?.bytes = sent.completedUnitCount
            return contents.isSent || sent.totalUnitCount > 0 && sent.completedUnitCount >= sent.totalUnitCount
        }
        if isSent { end(isWhole: true) } else { breakLine() }
    }

    /// The file has a name of its own, which is another one than the URL's perhaps.
    func rename(to name: String) {
        contents.withLock { contents in
            guard case .events(var events) = contents.form else { return }
            events.name = name
            contents.form = .events(events)
        }
    }

    /// Tells the last state, once, where the transfer got to its end, and ends the line. Programs are told of a failure,
    /// too; people read of it in a sentence.
    func end(isWhole: Bool) {
        if var last = contents.withLock({ $0.last.take() }) {
            last.now = now()
            if isWhole {
                last.phase = .done
                tell(last)
                contents.withLock { $0.last = nil }
            } else if case .events(var events) = contents.withLock(\.form) {
                write(events.lineOfFailure(at: last) + "\n")
            }
        }
        breakLine()
    }

    /// Makes room for something else on the same terminal.
    func breakLine() {
        let isDrawn = contents.withLock { contents in
            defer { contents.isDrawn = false }
            return contents.isDrawn
        }
        if isDrawn { write("\n") }
    }

    private func tell(_ phase: ProgressSample.Phase, _ progress: TransferProgress) {
        tell(
            ProgressSample(
                now: now(),
                phase: phase,
                bytes: progress.completedUnitCount,
                total: progress.totalUnitCount > 0 ? progress.totalUnitCount : nil,
                resumedBytes: progress.resumedUnitCount
            )
        )
    }

    private func tell(_ sample: ProgressSample) {
        let (text, isDrawnLater) = contents.withLock { contents -> (String?, Bool) in
            contents.last = sample
            switch contents.form {
            case .bar(var bar):
                bar.update(sample)
                let isDue = bar.shouldDraw(at: sample.now) || sample.phase == .done
                let isLater = !isDue && !contents.isDrawingLater
                contents.isDrawingLater = contents.isDrawingLater || isLater
                let line = isDue ? bar.line(columns: columns() ?? 80) : nil
                contents.form = .bar(bar)
                contents.isDrawn = contents.isDrawn || isDue
                return (line.map { "\r\u{1B}[K\($0)" }, isLater)
            case .lines(var lines):
                let line = lines.line(for: sample)
                contents.form = .lines(lines)
                return (line.map { "\($0)\n" }, false)
            case .events(var events):
                let line = events.line(for: sample)
                contents.form = .events(events)
                return (line.map { "\($0)\n" }, false)
            case .part(let part):
                part.note(sample)
                return (nil, false)
            }
        }
        if let text { write(text) }
        if isDrawnLater { drawLater() }
    }

    /// A transfer that stands still must not leave an old state on the screen.
    private func drawLater() {
        queue.asyncAfter(deadline: .now() + ProgressBar.interval) { [weak self] in
            guard let self else { return }
            let last = contents.withLock { contents in
                contents.isDrawingLater = false
                return contents.isAnswered ? nil : contents.last
            }
            guard var sample = last else { return }
            sample.now = now()
            tell(sample)
        }
    }

    private func write(_ text: String) {
        var text = text
        // Progress that nobody takes does not end the transfer.
        text.withUTF8 { try? output.write(UnsafeRawBufferPointer($0)) }
    }
}

/// How progress is shown: `--progress`.
enum ProgressDisplay: String, ArgumentValue, CaseIterable { case auto, always, never, json }
