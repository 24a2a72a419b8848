/// Where a transfer stands.
struct ProgressSample: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable {
        case sending
        /// Everything is sent and nothing has come back yet.
        case waiting
        case receiving
        case done
    }

    /// Seconds on any clock that never goes back.
    var now: Double
    var phase: Phase
    /// Bytes that are there, those of an earlier run included.
    var bytes: Int64
    /// `nil` when the size is not known.
    var total: Int64?
    /// Bytes that an earlier run had brought.
    var resumedBytes: Int64 = 0

    /// Between 0 and 1; `nil` when the total is not known.
    var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, max(0, Double(bytes) / Double(total)))
    }

    /// What passed, for the end: with the whole beside it where an answer came before all was sent.
    var sum: String {
        let bytes = HumanUnits.bytes(bytes)
        guard let total, self.bytes < total else { return bytes }
        return "\(bytes) of \(HumanUnits.bytes(total))"
    }
}
