import Glibc

/// The rate of a transfer: smoothed over some seconds, without the bytes of an earlier run.
struct RateEstimator: Sendable {
    /// The time constant of the smoothing in seconds.
    private static let smoothing = 3.0

    private(set) var latest: ProgressSample?
    /// The start of the current phase.
    private(set) var phaseStart = 0.0
    /// The time of the first sample.
    private(set) var start = 0.0

    private var smoothedRate = 0.0
    private var weight = 0.0

    /// The bytes per second in this phase; `nil` before there is a measurement.
    var rate: Double? { weight > 0 ? smoothedRate / weight : nil }

    /// The bytes per second of the complete run.
    var averageRate: Double? {
        guard let latest, latest.now > start else { return nil }
        return Double(max(0, latest.bytes - latest.resumedBytes)) / (latest.now - start)
    }

    /// The remaining seconds at the current rate.
    var remaining: Double? {
        guard let latest, let total = latest.total, let rate, rate >= 1 else { return nil }
        return Double(max(0, total - latest.bytes)) / rate
    }

    mutating func update(_ sample: ProgressSample) {
        guard let last = latest else {
            start = sample.now
            beginPhase(sample)
            return
        }
        if last.phase != sample.phase || last.bytes > sample.bytes {
            if sample.phase == .done { latest = sample } else { beginPhase(sample) }
            return
        }
        let elapsed = sample.now - last.now
        guard elapsed > 0 else {
            // The bytes are counted with the next sample.
            return
        }
        // The first samples have full weight, instead of being averaged with zero.
        let old = exp(-elapsed / Self.smoothing)
        smoothedRate = smoothedRate * old + Double(sample.bytes - last.bytes) / elapsed * (1 - old)
        weight = weight * old + (1 - old)
        latest = sample
    }

    private mutating func beginPhase(_ sample: ProgressSample) {
        latest = sample
        phaseStart = sample.now
        smoothedRate = 0
        weight = 0
    }
}
