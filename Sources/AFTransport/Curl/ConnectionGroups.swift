internal import CCurl

/// The groups of a loop, by number and by identity.
struct ConnectionGroups {
    private let limits: ConnectionLimits
    private var byNumber: [UInt32: ConnectionGroup] = [:]
    private var byIdentity: [TrustIdentity: ConnectionGroup] = [:]
    /// The group that was asked for last: comparing is cheaper than hashing.
    private var latest: ConnectionGroup?
    private var lastNumber = ConnectionGroup.none
    /// Groups without transfers that are closed when libcurl is surely not at work for them.
    private var dropped: [ConnectionGroup] = []
    /// Groups without transfers keep connections; so many are kept.
    private let capacity = 32

    init(limits: ConnectionLimits) { self.limits = limits }

    var all: Dictionary<UInt32, ConnectionGroup>.Values { byNumber.values }

    subscript(number: UInt32) -> ConnectionGroup? { byNumber[number] }

    /// The group that a transfer with these options belongs to; `nil` when libcurl has no memory for another.
    mutating func group(for options: TransferOptions, of loop: Loop) -> ConnectionGroup? {
        let identity = TrustIdentity(options)
        if let latest, !latest.isRetired, latest.identity == identity { return latest }
        latest = byIdentity[identity].flatMap { $0.isRetired ? nil : $0 } ?? make(identity, loop)
        return latest
    }

    /// Drops a group whose last transfer is over, where it takes no others.
    mutating func dropIfDone(_ group: ConnectionGroup) {
        if group.isRetired, group.liveCount == 0 { drop(group) }
    }

    mutating func closeDropped() {
        guard !dropped.isEmpty else { return }
        for group in dropped { group.close() }
        dropped = []
    }

    mutating func closeAll() {
        for group in Array(byNumber.values) { drop(group) }
        closeDropped()
    }

    private mutating func make(_ identity: TrustIdentity, _ loop: Loop) -> ConnectionGroup? {
        if byNumber.count >= capacity, let idle = all.filter({ $0.liveCount == 0 }).min(by: { $0.lastUse < $1.lastUse })
        {
            drop(idle)
        }
        repeat { lastNumber &+= 1 } while lastNumber == ConnectionGroup.none || byNumber[lastNumber] != nil
        guard let group = ConnectionGroup(number: lastNumber, identity: identity, loop: loop, limits: limits)
        else { return nil }
        byNumber[group.number] = group
        byIdentity[identity] = group
        return group
    }

    private mutating func drop(_ group: ConnectionGroup) {
        if byIdentity[group.identity] === group { byIdentity[group.identity] = nil }
        if latest === group { latest = nil }
        byNumber[group.number] = nil
        dropped.append(group)
    }
}
