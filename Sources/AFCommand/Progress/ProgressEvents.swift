internal import AFFormatting
internal import AFJSON

/// The events of `--progress=json`: one JSON object per line.
///
/// Members: `event` (`progress`), `url` (of several downloads), `name`, `phase` (`sending`, `waiting`, `receiving`,
/// then `done` or `failed`), `bytes`, `total` (null if unknown), `resumed`, `rate` in bytes per second, `eta` and
/// `elapsed` in seconds (null if unknown).
struct ProgressEvents: Sendable {
    private static let interval = 0.1

    /// The file name, when it is known; later events override earlier ones.
    var name: String
    private let url: String?
    private var estimator = RateEstimator()
    private var lastTime: Double?
    private var lastPhase: ProgressSample.Phase?

    init(name: String, url: String? = nil) {
        self.name = name
        self.url = url
    }

    /// Returns the due event without line end: at most ten per second, and one for each new phase.
    mutating func line(for sample: ProgressSample) -> String? {
        estimator.update(sample)
        if let lastTime, lastPhase == sample.phase, sample.now - lastTime < Self.interval { return nil }
        (lastTime, lastPhase) = (sample.now, sample.phase)
        return text(sample, phase: sample.phase.rawValue)
    }

    /// Returns the last event of a failed transfer.
    mutating func lineOfFailure(at sample: ProgressSample) -> String {
        estimator.update(sample)
        return text(sample, phase: "failed")
    }

    private func text(_ sample: ProgressSample, phase: String) -> String {
        JSONText.object([
            "event": .string("progress"), "url": url.map(JSONText.string), "name": .string(name),
            "phase": .string(phase), "bytes": .count(sample.bytes), "total": sample.total.map { .count($0) } ?? .null,
            "resumed": .count(sample.resumedBytes),
            "rate": estimator.rate.map { .decimal($0, places: 0) } ?? .null,
            "eta": estimator.remaining.map { .decimal($0, places: 1) } ?? .null,
            "elapsed": .decimal(sample.now - estimator.start, places: 3),
        ]).eventLine
    }
}

extension JSONText {
    /// The compact text with all characters escaped that are not plainly visible on a terminal.
    var eventLine: String { compactText.escapedInJSON { !$0.isPlainlyVisible } }
}
