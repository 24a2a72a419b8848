/// Limits the average number of bytes per second.
///
/// A value without side effects. libcurl's own limit on receiving (7.88) reads as long as bytes are available, so that
/// it never slows a short body.
struct RateLimit {
    private let bytesPerSecond: Double
    private var count: Int64 = 0
    /// The time in nanoseconds at which the last byte was due; `nil` before the first.
    private var due: UInt64?
    /// The maximum idle time in nanoseconds that a burst compensates.
    private let lag: UInt64 = 500_000_000

    /// Returns `nil` for no limit.
    init?(bytesPerSecond: Int64) {
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = Double(bytesPerSecond)
    }

    /// Records the total number of bytes.
    ///
    /// - Returns: The time at which the last byte is due; `nil` if it has passed.
    mutating func record(_ total: Int64, now: UInt64) -> UInt64? {
        let time = UInt64(min(Double(total - count) / bytesPerSecond, 1e9) * 1e9)
        let start = due.map { max($0, now - min(lag, now)) } ?? now
        due = start + time
        count = total
        return start + time > now ? due : nil
    }
}
