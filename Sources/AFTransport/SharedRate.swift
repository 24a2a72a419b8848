internal import Synchronization

/// A limit in bytes per second shared by several transfers. Compared by identity.
public final class SharedRate: Hashable, Sendable {
    private let state: Mutex<(limit: RateLimit, total: Int64)>

    /// Returns `nil` for no limit.
    public init?(bytesPerSecond: Int64) {
        guard let limit = RateLimit(bytesPerSecond: bytesPerSecond) else { return nil }
        state = Mutex((limit, 0))
    }

    /// Records bytes of one of the transfers.
    ///
    /// - Returns: The time at which the last byte is due; `nil` if it has passed.
    func record(_ count: Int64, now: UInt64) -> UInt64? {
        // A transfer that has waited for its own bytes does not also wait for those of other transfers.
        guard count > 0 else { return nil }
        return state.withLock { state in
            state.total += count
            return state.limit.record(state.total, now: now)
        }
    }

    /// Whether both are the same object.
    public static func == (left: SharedRate, right: SharedRate) -> Bool { left === right }
    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
