/// Decides when more of a response may be received, within a rate limit.
///
/// A value without clock and side effects, apart from the bytes that it reports to a shared limit.
struct ReceivePace {
    private var limit: RateLimit?
    private let sharedRate: SharedRate?
    /// The number of received bytes that the limit has noted.
    private var notedBytes: Int64 = 0
    /// The number of received bytes that the limit permits.
    private var permittedBytes: Int64 = 0

    init(_ options: NetworkOptions) {
        sharedRate = options.sharedReceiveRate
        limit = sharedRate == nil ? options.maximumReceiveRate.flatMap(RateLimit.init(bytesPerSecond:)) : nil
    }

    /// Returns the time at which more may be received; `nil` if now.
    ///
    /// - Parameters:
    ///   - taken: The number of body bytes that were accepted so far.
    ///   - received: The number of those that libcurl has received.
    mutating func dueTime(taken: Int64, received: @autoclosure () -> Int64, now: UInt64) -> UInt64? {
        // After a pause, libcurl 8 receives more bytes before it delivers those that were due.
        guard limit != nil || sharedRate != nil, taken >= permittedBytes else { return nil }
        let earlier = notedBytes
        notedBytes = received()
        guard let sharedRate else { return limit?.record(notedBytes, now: now) }
        return sharedRate.record(notedBytes - earlier, now: now)
    }

    /// Permits the bytes that were received before a pause.
    mutating func endPause() { permittedBytes = notedBytes }
}
