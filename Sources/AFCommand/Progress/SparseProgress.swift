/// Progress where no line can be drawn over: a line every tenth of the way, or every 30 seconds, and one at the end.
///
/// What is over within a second needs the last one only.
struct SparseProgress: Sendable {
    private static let interval = 30.0
    private static let shortest = 1.0

    private let name: String
    private var meter = ProgressMeter()
    private var lastTime: Double?
    private var lastTenth = 0
    private var lastPhase: ProgressSample.Phase?

    /// - Parameter name: Of the file; sanitized here.
    init(name: String) {
        self.name = Sanitizer.line(name)
    }

    /// The line that is due now, without its end.
    mutating func line(for sample: ProgressSample) -> String? {
        meter.update(sample)
        let tenth = Int((sample.fraction ?? 0) * 10)
        let isFirst = lastTime == nil
        let isShort = sample.now - meter.start < Self.shortest
        let isDue = !isShort && tenth > lastTenth || sample.now - (lastTime ?? sample.now) >= Self.interval
        let isNewPhase =
            !isFirst && lastPhase != sample.phase && sample.phase != .receiving
            && (!isShort || sample.phase == .done)
        lastPhase = sample.phase
        if isFirst {
            // What an earlier run brought is no news.
            (lastTime, lastTenth) = (sample.now, tenth)
            return nil
        }
        guard isDue || isNewPhase else { return nil }
        (lastTime, lastTenth) = (sample.now, tenth)
        return text(for: sample)
    }

    private func text(for sample: ProgressSample) -> String {
        let bytes = HumanUnits.bytes(sample.bytes)
        switch sample.phase {
        case .waiting: return "\(name): \(bytes) sent, waiting for response"
        case .done: return "\(name): \(sample.sum) in \(HumanUnits.duration(sample.now - meter.start))"
        case .sending, .receiving: break
        }
        let percent = sample.fraction.map { "\(Int($0 * 100)) %, " } ?? ""
        let total = sample.total.map { " of \(HumanUnits.bytes($0))" } ?? ""
        let rate = meter.rate.map { ", \(HumanUnits.rate($0))" } ?? ""
        let remaining = meter.remaining.map { ", ETA \(HumanUnits.clock($0))" } ?? ""
        return "\(name): \(percent)\(bytes)\(total)\(rate)\(remaining)"
    }
}
