internal import AFCore
internal import FoundationEssentials

/// The times of a run as somebody outside reckons them; seconds throughout.
///
/// Those of phases and of the first byte belong to the last attempt, its redirects included; the total is that of all.
struct RunTimes: Equatable, Sendable {
    /// Looking up names, connecting and shaking hands, each for itself.
    private(set) var lookup = 0.0
    private(set) var connect = 0.0
    private(set) var tls = 0.0
    /// From the start of the attempt to the start of its last hop.
    let redirects: Double
    /// From the start of the attempt to the first byte of the final response.
    let firstByte: Double
    /// From the start of the attempt to its end.
    let attempt: Double
    /// From the start of the first attempt to the end of the last, with the waits between them.
    let total: Double

    /// `nil` where nothing was measured.
    ///
    /// - Parameter segments: What was fetched beside the last attempt, and may have taken longer.
    init?(_ attempts: [TransferMetrics], _ segments: [TransferMetrics] = []) {
        guard let start = attempts.first?.transactionMetrics.first?.start, let hops = attempts.last?.transactionMetrics,
            let first = hops.first, let last = hops.last
        else { return nil }
        redirects = max(0, last.start.timeIntervalSince(first.start))
        firstByte = redirects + last.responseStart
        let ends = segments.compactMap(\.transactionMetrics.last).map { $0.start.addingTimeInterval($0.responseEnd) }
        let end = ends.max()
        attempt = max(redirects + last.responseEnd, end?.timeIntervalSince(first.start) ?? 0)
        total = max(
            max(0, last.start.timeIntervalSince(start)) + last.responseEnd,
            end?.timeIntervalSince(start) ?? 0
        )
        for hop in hops {
            lookup += hop.lookup
            connect += hop.connect
            tls += hop.tls
        }
    }

    func duration(of phase: TimeBudget.Phase) -> Double {
        switch phase {
        case .dns: lookup
        case .connect: connect
        case .tls: tls
        case .ttfb: firstByte
        case .total: total
        }
    }
}

/// The phases of a hop in seconds; each begins where the one before ends.
extension TransactionMetrics {
    var lookup: Double { nameLookupEnd }
    var connect: Double { connectEnd - nameLookupEnd }
    var tls: Double { secureConnectEnd - connectEnd }
    var waiting: Double { responseStart - secureConnectEnd }
    var transfer: Double { responseEnd - responseStart }
}
