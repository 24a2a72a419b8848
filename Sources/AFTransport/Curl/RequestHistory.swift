/// The requests of a transfer before the current one, for its metrics.
struct RequestHistory {
    /// The metrics of the first request, if there are others.
    var firstRound: TransactionMetrics?
    /// The latest request header; empty unless events are observed.
    var latestHead: [UInt8] = []
    /// The request header that the latest response header belongs to, whose role the next bytes may show.
    var respondedHead: [UInt8] = []
}
