internal import AFHTTP

/// Limits concurrent name lookups: libcurl starts a thread for each.
///
/// A value without side effects: waiting transfers are outside until this type returns their IDs. Names take turns, the
/// transfers of one name in order. A recently resolved name is in libcurl's cache and needs no slot. A lookup whose
/// transfer has ended occupies its slot until its thread has ended.
struct ResolverThrottle {
    /// The key of libcurl's cache; each group has its own cache.
    struct Name: Hashable {
        let group: UInt32
        let host: String
        let port: Int
    }

    /// The transfers that wait for a name.
    private struct Line {
        /// The waiting transfers, oldest first; those that have ended are skipped.
        var queue = FIFO<TransferID>()
        /// The number of transfers in the queue that still wait.
        var waitingCount = 0
    }

    private let capacity: Int
    /// Limited, so that a name whose server does not respond cannot occupy all slots.
    private let capacityPerName: Int
    private var slots: [TransferID: Name] = [:]
    private var slotsPerName: [Name: Int] = [:]
    private var abandonedCount = 0
    private var waiting: [TransferID: Name] = [:]
    private var lines: [Name: Line] = [:]
    /// Names with waiting transfers whose slots are not exhausted.
    private var waitingNames = FIFO<Name>()
    /// The names in ``waitingNames``, including those whose transfers have ended since.
    private var scheduled: Set<Name> = []
    private var knownUntil: [Name: UInt64] = [:]
    /// Slightly shorter than libcurl's cache stores a name (60 s).
    private let memory: UInt64 = 50_000_000_000

    /// The default number of concurrent lookups.
    static let defaultCapacity = 64

    init(capacity: Int = defaultCapacity, capacityPerName: Int = 6) {
        self.capacity = capacity
        self.capacityPerName = capacityPerName
    }

    /// The number of lookups in progress.
    var lookupCount: Int { slots.count + abandonedCount }

    func isResolving(_ id: TransferID) -> Bool { slots[id] != nil }

    /// Whether the transfer may start now; otherwise it waits.
    mutating func admit(_ id: TransferID, _ name: Name, now: UInt64) -> Bool {
        if let end = knownUntil[name], end > now { return true }
        guard lookupCount < capacity, hasSlot(for: name) else {
            wait(id, name)
            return false
        }
        takeSlot(id, name)
        return true
    }

    /// Handles a resolved name; returns the transfers that may start now.
    mutating func found(_ id: TransferID, now: UInt64) -> [TransferID] {
        guard let name = slots[id] else { return [] }
        if knownUntil.count > 1024 { knownUntil = knownUntil.filter { $0.value > now } }
        knownUntil[name] = now + memory
        // Transfers of the same name find it in the cache, whether they wait inside libcurl or here.
        if slotsPerName[name] == 1 {
            freeSlot(id)
        } else {
            for other in slots.keys where slots[other] == name { freeSlot(other) }
        }
        return takeLine(name) + release()
    }

    /// Handles the end of a transfer; returns the transfers that may start now.
    ///
    /// - Parameter isStillLookingUp: Whether its lookup thread continues until ``lookupEnded()`` is called.
    mutating func ended(_ id: TransferID, isStillLookingUp: Bool) -> [TransferID] {
        stopWaiting(id)
        guard slots[id] != nil else { return [] }
        freeSlot(id)
        if isStillLookingUp { abandonedCount += 1 }
        return release()
    }

    /// Handles the end of a thread whose transfer had ended before; returns the transfers that may start now.
    mutating func lookupEnded() -> [TransferID] {
        abandonedCount -= 1
        return release()
    }

    private func hasSlot(for name: Name) -> Bool { slotsPerName[name, default: 0] < capacityPerName }

    private mutating func takeSlot(_ id: TransferID, _ name: Name) {
        slots[id] = name
        slotsPerName[name, default: 0] += 1
    }

    private mutating func freeSlot(_ id: TransferID) {
        guard let name = slots.removeValue(forKey: id), let count = slotsPerName[name] else { return }
        slotsPerName[name] = count == 1 ? nil : count - 1
        scheduleNext(name)
    }

    private mutating func wait(_ id: TransferID, _ name: Name) {
        waiting[id] = name
        lines[name, default: Line()].queue.append(id)
        lines[name]?.waitingCount += 1
        scheduleNext(name)
    }

    private mutating func stopWaiting(_ id: TransferID) {
        guard let name = waiting.removeValue(forKey: id) else { return }
        lines[name]?.waitingCount -= 1
        if lines[name]?.waitingCount == 0 { lines[name] = nil }
    }

    /// Schedules a name, if it has waiting transfers and a free slot.
    private mutating func scheduleNext(_ name: Name) {
        guard lines[name] != nil, hasSlot(for: name), scheduled.insert(name).inserted else { return }
        waitingNames.append(name)
    }

    private mutating func release() -> [TransferID] {
        var released: [TransferID] = []
        while lookupCount < capacity, let name = waitingNames.popFirst() {
            scheduled.remove(name)
            guard hasSlot(for: name), let id = firstWaiting(name) else { continue }
            stopWaiting(id)
            takeSlot(id, name)
            released.append(id)
            scheduleNext(name)
        }
        return released
    }

    /// Removes and returns the first waiting transfer of a name.
    private mutating func firstWaiting(_ name: Name) -> TransferID? {
        while let id = lines[name]?.queue.popFirst() {
            if waiting[id] != nil { return id }
        }
        return nil
    }

    /// Removes and returns all waiting transfers of a name.
    private mutating func takeLine(_ name: Name) -> [TransferID] {
        guard let line = lines.removeValue(forKey: name) else { return [] }
        return line.queue.filter { waiting.removeValue(forKey: $0) != nil }
    }
}
