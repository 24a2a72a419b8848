internal import AFCore
internal import FoundationEssentials

/// The times of a run in seconds.
///
/// The phases and the first byte are those of the last attempt, including redirects; the total includes all attempts.
struct RunTimes: Equatable, Sendable {
    /// The durations of lookup, connection and handshake.
    private(set) var lookup = 0.0
    private(set) var connect = 0.0
    private(set) var tls = 0.0
    /// The time from the start of the attempt to the start of its last hop.
    let redirects: Double
    /// The time from the start of the attempt to the first byte of the final response.
    let firstByte: Double
    /// The duration of the attempt.
    let attempt: Double
    /// The time from the start of the first attempt to the end of the last, including delays.
    let total: Double

    /// Creates the times; `nil` if there are no metrics.
    ///
    /// - Parameters:
    ///   - segments: The metrics of segments, which may have taken longer than the last attempt.
    ///   - ended: The time at which the run was ended, possibly between two attempts.
    init?(_ attempts: [TransferMetrics], _ segments: [TransferMetrics] = [], ended: Date? = nil) {
        guard let start = attempts.first?.transactionMetrics.first?.start, let hops = attempts.last?.transactionMetrics,
            let first = hops.first, let last = hops.last
        else { return nil }
        redirects = max(0, last.start.timeIntervalSince(first.start))
        firstByte = last.responseStart > 0 ? redirects + last.responseStart : 0
        let ends = segments.compactMap { $0.transactionMetrics.last }.map {
            $0.start.addingTimeInterval($0.responseEnd)
        }
        let end = ends.max()
        attempt = max(redirects + last.responseEnd, end?.timeIntervalSince(first.start) ?? 0)
        total = max(
            max(0, last.start.timeIntervalSince(start)) + last.responseEnd,
            end?.timeIntervalSince(start) ?? 0,
            ended?.timeIntervalSince(start) ?? 0
        )
        for hop in hops {
            lookup += hop.lookup
            connect += hop.connect
            tls += hop.tls
        }
    }
}

/// The phases of a hop in seconds; each starts at the end of the previous one, and the last one that was reached lasts
/// until the end.
extension TransactionMetrics {
    private var isSent: Bool { requestStart > 0 }

    var lookup: Double { isSent || nameLookupEnd > 0 ? nameLookupEnd : responseEnd }
    var connect: Double { isSent ? connectEnd - nameLookupEnd : responseEnd - lookup }
    var tls: Double { isSent ? secureConnectEnd - connectEnd : 0 }
    var waiting: Double { isSent ? (responseStart > 0 ? responseStart : responseEnd) - secureConnectEnd : 0 }
    var transfer: Double { responseStart > 0 ? responseEnd - responseStart : 0 }
}
