internal import AFFormatting

/// The events of `--progress=json`: one JSON object per line.
///
/// Members: `event` (`progress`), `url` (of several downloads), `name`, `phase` (`sending`, `waiting`, `receiving`,
/// then
/// `done` or `failed`), `bytes`, `total` (null if unknown), `resumed`, `rate` in bytes per second, `eta` and `elapsed`
/// in seconds (null if unknown).
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
        let place = url.map { ["\"url\":\($0.quotedForJSON)"] } ?? []
        let members =
            ["\"event\":\"progress\""] + place + [
                "\"name\":\(name.quotedForJSON)", "\"phase\":\"\(phase)\"",
                "\"bytes\":\(sample.bytes)", "\"total\":\(sample.total.map(String.init) ?? "null")",
                "\"resumed\":\(sample.resumedBytes)",
                "\"rate\":\(estimator.rate.map { HumanUnits.decimal($0, places: 0) } ?? "null")",
                "\"eta\":\(estimator.remaining.map { HumanUnits.decimal($0, places: 1) } ?? "null")",
                "\"elapsed\":\(HumanUnits.decimal(max(0, sample.now - estimator.start), places: 3))",
            ]
        return "{\(members.joined(separator: ","))}"
    }
}

extension String {
    /// The text as a JSON string with all control characters escaped.
    var quotedForJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                text += "\\\(scalar)"
            } else if scalar.isPlainlyVisible || scalar.value > 0xFFFF {
                text.unicodeScalars.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text + "\""
    }
}
