/// What was measured while one attempt of a request was on its way.
public struct TransferMetrics: Sendable {
    /// From the start of the transfer to its end, in seconds.
    public var duration: Double
}
