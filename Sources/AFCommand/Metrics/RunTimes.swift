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
    /// - Parameter segments: The metrics of segments, which may have taken longer than the last attempt.
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
}

/// The phases of a hop in seconds; each starts at the end of the previous one.
extension TransactionMetrics {
    var lookup: Double { nameLookupEnd }
    var connect: Double { connectEnd - nameLookupEnd }
    var tls: Double { secureConnectEnd - connectEnd }
    var waiting: Double { responseStart - secureConnectEnd }
    var transfer: Double { responseEnd - responseStart }
}
