internal import CCurl

/// The groups of a loop. A linear search beats hashing for few groups.
struct ConnectionGroups {
    private let limits: ConnectionLimits
    /// The groups, most recently used first.
    private(set) var all: [ConnectionGroup] = []
    private var lastNumber = ConnectionGroup.noGroup
    /// Groups without transfers, closed once libcurl is not running for them.
    private var dropped: [ConnectionGroup] = []
    /// The maximum number of groups without transfers, which store idle connections.
    private let capacity = 32

    init(limits: ConnectionLimits) { self.limits = limits }

    subscript(number: UInt32) -> ConnectionGroup? { all.first { $0.number == number } }

    /// Returns the group for a transfer; `nil` if libcurl cannot allocate one.
    mutating func group(for transfer: Transfer, of loop: Loop) -> ConnectionGroup? {
        guard let index = all.firstIndex(where: { $0.serves(transfer) }) else { return make(for: transfer, loop) }
        if index > 0 { all.swapAt(0, index) }
        return all[0]
    }

    /// Drops a retired group after its last transfer.
    mutating func dropIfDone(_ group: ConnectionGroup) {
        if group.isRetired, group.liveCount == 0 { drop(group) }
    }

    mutating func closeDropped() {
        guard !dropped.isEmpty else { return }
        for group in dropped { group.close() }
        dropped = []
    }

    mutating func closeAll() {
        for group in all { drop(group) }
        closeDropped()
    }

    private mutating func make(for transfer: Transfer, _ loop: Loop) -> ConnectionGroup? {
        if all.count >= capacity, let idle = all.filter({ $0.liveCount == 0 }).min(by: { $0.lastUse < $1.lastUse }) {
            drop(idle)
        }
        repeat { lastNumber &+= 1 } while lastNumber == ConnectionGroup.noGroup || self[lastNumber] != nil
        guard let group = ConnectionGroup(number: lastNumber, for: transfer, loop: loop, limits: limits)
        else { return nil }
        all.insert(group, at: 0)
        return group
    }

    private mutating func drop(_ group: ConnectionGroup) {
        all.removeAll { $0 === group }
        dropped.append(group)
    }
}
