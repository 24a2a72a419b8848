/// The state of a transfer.
struct ProgressSample: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable {
        case sending
        /// The request was sent, and no response was received yet.
        case waiting
        case receiving
        case done
    }

    /// The time in seconds of a monotonic clock.
    var now: Double
    var phase: Phase
    /// The number of bytes, including those of an earlier run.
    var bytes: Int64
    /// The total; `nil` if it is unknown.
    var total: Int64?
    /// The number of bytes from an earlier run.
    var resumedBytes: Int64 = 0

    /// The fraction between 0 and 1; `nil` if the total is unknown.
    var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(total)))
    }

    /// The transferred size for the end; with the total if the response preceded the end of the body.
    var sum: String {
        let bytes = HumanUnits.bytes(bytes)
        guard let total, self.bytes < total else { return bytes }
        return "\(bytes) of \(HumanUnits.bytes(total))"
    }
}
