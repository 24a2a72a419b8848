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

    /// The transferred size for the end; with the total if the download was resumed, or if the response preceded the end
    /// of the body.
    var sum: String {
        let new = HumanUnits.bytes(bytes - resumedBytes)
        guard resumedBytes > 0 || bytes < total ?? 0 else { return new }
        let all = HumanUnits.bytes(max(bytes, total ?? 0))
        let unit = all.drop { $0 != " " }
        return "\(new.hasSuffix(unit) ? String(new.dropLast(unit.count)) : new) of \(all)"
    }

    /// `, resumed at 2.1 MB`; empty for a complete download.
    var origin: String { resumedBytes > 0 ? ", resumed at \(HumanUnits.bytes(resumedBytes))" : "" }
}
