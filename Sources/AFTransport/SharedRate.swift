internal import Synchronization

/// Bytes per second that several transfers keep together. Each is equal to itself alone.
public final class SharedRate: Hashable, Sendable {
    private let contents: Mutex<(limit: RateLimit, total: Int64)>

    /// `nil` where there is no limit.
    public init?(bytesPerSecond: Int64) {
        guard let limit = RateLimit(bytesPerSecond: bytesPerSecond) else { return nil }
        contents = Mutex((limit, 0))
    }

    /// So many more bytes have come to one of the transfers.
    ///
    /// - Returns: When the last of them is due, where that is still to come.
    func note(_ count: Int64, now: UInt64) -> UInt64? {
        // Whoever has waited for its bytes does not wait for those of others as well.
        guard count > 0 else { return nil }
        return contents.withLock { contents in
            contents.total += count
            return contents.limit.note(contents.total, now: now)
        }
    }

    /// Whether both are the same object.
    public static func == (left: SharedRate, right: SharedRate) -> Bool { left === right }
    /// By identity, as equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
