import Glibc

/// The rate of a transfer: smoothed over some seconds, without the bytes of an earlier run.
struct ProgressMeter: Sendable {
    /// After this many seconds a change of speed shows by two thirds.
    private static let smoothing = 3.0

    private(set) var latest: ProgressSample?
    /// When the phase at hand began.
    private(set) var phaseStart = 0.0
    /// When the first sample came.
    private(set) var start = 0.0

    private var smoothedRate = 0.0
    private var weight = 0.0

    /// Bytes per second in this phase; `nil` before there is anything to tell.
    var rate: Double? { weight > 0 ? smoothedRate / weight : nil }

    /// Bytes per second over the whole run.
    var averageRate: Double? {
        guard let latest, latest.now > start else { return nil }
        return Double(max(0, latest.bytes - latest.resumedBytes)) / (latest.now - start)
    }

    /// Seconds that are left at the present rate.
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
            // The bytes count with the next sample that took time.
            return
        }
        // The first samples weigh in full instead of against an imagined standstill.
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
