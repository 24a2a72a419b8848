internal import AFFormatting

/// Progress on output that is not a terminal: a line every tenth of the total or every 30 seconds, and one at the end.
///
/// A transfer of less than a second has only the last one.
struct SparseProgress: Sendable {
    private static let interval = 30.0
    private static let shortest = 1.0

    private var name: String
    private var estimator = RateEstimator()
    private var lastTime: Double?
    private var lastTenth = 0
    private var lastPhase: ProgressSample.Phase?

    /// Creates a display.
    ///
    /// - Parameter name: The file name; sanitized here.
    init(name: String) {
        self.name = Sanitizer.line(name)
    }

    /// Sets the file's name, which may differ from the URL's.
    mutating func rename(to name: String) { self.name = Sanitizer.line(name) }

    /// Returns the due line without line end.
    mutating func line(for sample: ProgressSample) -> String? {
        estimator.update(sample)
        let tenth = Int((sample.fraction ?? 0) * 10)
        let isFirst = lastTime == nil
        let isShort = sample.now - estimator.start < Self.shortest
        let isDue = !isShort && tenth > lastTenth || sample.now - (lastTime ?? sample.now) >= Self.interval
        let isNewPhase =
            !isFirst && lastPhase != sample.phase && sample.phase != .receiving
            && (!isShort || sample.phase == .done)
        lastPhase = sample.phase
        if isFirst {
            // The bytes of an earlier run are not reported.
            (lastTime, lastTenth) = (sample.now, tenth)
            return nil
        }
        guard isDue || isNewPhase else { return nil }
        (lastTime, lastTenth) = (sample.now, tenth)
        return text(for: sample)
    }

    /// Returns the size and the duration of a completed transfer.
    mutating func finalSummary(of sample: ProgressSample) -> String {
        estimator.update(sample)
        return summary(of: sample)
    }

    private func summary(of sample: ProgressSample) -> String {
        "\(sample.sum) in \(HumanUnits.duration(sample.now - estimator.start))\(sample.origin)"
    }

    private func text(for sample: ProgressSample) -> String {
        let bytes = HumanUnits.bytes(sample.bytes)
        switch sample.phase {
        case .waiting: return "\(name): \(bytes) sent, waiting for response"
        case .done: return "\(name): \(summary(of: sample))"
        case .sending, .receiving: break
        }
        let percent = sample.fraction.map { "\(Int($0 * 100)) %, " } ?? ""
        let total = sample.total.map { " of \(HumanUnits.bytes($0))" } ?? ""
        let rate = estimator.rate.map { ", \(HumanUnits.rate($0))" } ?? ""
        let remaining = estimator.remaining.map { ", ETA \(HumanUnits.clock($0))" } ?? ""
        return "\(name): \(percent)\(bytes)\(total)\(rate)\(remaining)"
    }
}
