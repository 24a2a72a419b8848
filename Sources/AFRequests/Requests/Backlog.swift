/// The bytes that were received and not processed yet, which pause a transfer: a slow consumer applies back-pressure.
package struct Backlog {
    /// The overhead per item: many small items use more memory than their bytes.
    private static let overhead = 128

    /// The bytes that wait, counted once per consumer, with the overhead of each item.
    private var waiting = 0
    /// The maximum of waiting bytes; the last item may exceed it.
    private var limit = 1 << 20
    /// Whether the transfer is paused.
    package private(set) var isFull = false

    /// Creates an empty backlog of at most 1 MiB.
    package init() {}

    /// Lowers the maximum of waiting bytes, unless it is lower already.
    package mutating func lowerLimit(to limit: Int) { self.limit = min(self.limit, max(1, limit)) }

    /// Returns whether more may be received. Otherwise the transfer pauses until ``remove(_:)`` returns `true`.
    package mutating func hasSpace() -> Bool {
        isFull = waiting >= limit
        return !isFull
    }

    /// Adds the bytes of an item for a number of consumers.
    package mutating func add(_ count: Int, consumers: Int) { waiting += (count + Self.overhead) * consumers }

    /// Removes the bytes of an item that a consumer has processed.
    ///
    /// - Returns: Whether the paused transfer continues: three quarters of the limit are free.
    package mutating func remove(_ count: Int) -> Bool {
        // Not negative: the item may be one of an earlier attempt, whose backlog was dropped.
        waiting = max(0, waiting - count - Self.overhead)
        guard isFull, waiting <= limit / 4 else { return false }
        isFull = false
        return true
    }
}
