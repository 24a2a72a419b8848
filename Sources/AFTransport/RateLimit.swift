/// Spreads bytes over time so that on average no more than so many come in a second.
///
/// A pure value. libcurl's own limit on receiving (7.88) reads on for as long as there is something to read, so that it
/// never slows a short body down.
struct RateLimit {
    private let bytesPerSecond: Double
    private var count: Int64 = 0
    /// When the last of them was due, in nanoseconds; `nil` before the first.
    private var due: UInt64?
    /// How much time that went without bytes may be made up for.
    private let lag: UInt64 = 500_000_000

    /// `nil` where there is no limit.
    init?(bytesPerSecond: Int64) {
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = Double(bytesPerSecond)
    }

    /// So many bytes have come in all.
    ///
    /// - Returns: When the last of them is due, where that is still to come.
    mutating func note(_ total: Int64, now: UInt64) -> UInt64? {
        let time = UInt64(min(Double(total - count) / bytesPerSecond, 1e9) * 1e9)
        let start = due.map { max($0, now - min(lag, now)) } ?? now
        due = start + time
        count = total
        return start + time > now ? due : nil
    }
}
