/// Keeps the number of name look-ups at once within bounds: each one costs libcurl a thread.
///
/// A pure value: transfers wait outside until they are named, in order. A name that was looked up lately is in libcurl's
/// cache and needs no place. A look-up whose transfer ended keeps its place until its thread is known to be gone.
struct LookupGate {
    /// What libcurl's cache tells apart; each group has a cache of its own.
    struct Name: Hashable {
        let group: UInt32
        let host: String
        let port: Int
    }

    private let capacity: Int
    /// One name that nobody answers for must not take every place.
    private let capacityPerName: Int
    private var places: [TransferID: Name] = [:]
    private var placesPerName: [Name: Int] = [:]
    private var abandonedCount = 0
    private var waiting: [TransferID: Name] = [:]
    private var waitingPerName: [Name: Int] = [:]
    /// The keys of `waiting`, oldest first, and some that have ended since.
    private var queue: [TransferID] = []
    private var knownUntil: [Name: UInt64] = [:]
    /// A little less than libcurl's cache keeps a name (60 s).
    private let memory: UInt64 = 50_000_000_000

    init(capacity: Int = 64, capacityPerName: Int = 6) {
        self.capacity = capacity
        self.capacityPerName = capacityPerName
    }

    /// How many look-ups may be under way.
    var lookupCount: Int { places.count + abandonedCount }

    func isLookingUp(_ id: TransferID) -> Bool { places[id] != nil }

    /// Whether the transfer may start now; otherwise it waits.
    mutating func admit(_ id: TransferID, _ name: Name, now: UInt64) -> Bool {
        if let end = knownUntil[name], end > now { return true }
        guard hasPlace(for: name) else {
            wait(id, name)
            return false
        }
        takePlace(id, name)
        return true
    }

    /// The transfer's name is known; gives the transfers that may start now.
    mutating func found(_ id: TransferID, now: UInt64) -> [TransferID] {
        guard let name = places[id] else { return [] }
        if knownUntil.count > 1024 { knownUntil = knownUntil.filter { $0.value > now } }
        knownUntil[name] = now + memory
        // Others of this name find it in the cache, be they waiting inside libcurl or here.
        if placesPerName[name] == 1 {
            freePlace(id)
        } else {
            for other in places.keys where places[other] == name { freePlace(other) }
        }
        return takeFromQueue(name) + release()
    }

    /// The transfer is over; gives the transfers that may start now.
    ///
    /// - Parameter isStillLookingUp: Whether the thread goes on, until ``lookupEnded()`` is called.
    mutating func ended(_ id: TransferID, isStillLookingUp: Bool) -> [TransferID] {
        stopWaiting(id)
        guard places[id] != nil else { return [] }
        freePlace(id)
        if isStillLookingUp { abandonedCount += 1 }
        return release()
    }

    /// The thread of a look-up is gone whose transfer had ended before; gives the transfers that may start now.
    mutating func lookupEnded() -> [TransferID] {
        abandonedCount -= 1
        return release()
    }

    private func hasPlace(for name: Name) -> Bool {
        lookupCount < capacity && placesPerName[name, default: 0] < capacityPerName
    }

    private mutating func takePlace(_ id: TransferID, _ name: Name) {
        places[id] = name
        placesPerName[name, default: 0] += 1
    }

    private mutating func freePlace(_ id: TransferID) {
        guard let name = places.removeValue(forKey: id), let count = placesPerName[name] else { return }
        placesPerName[name] = count == 1 ? nil : count - 1
    }

    private mutating func wait(_ id: TransferID, _ name: Name) {
        waiting[id] = name
        waitingPerName[name, default: 0] += 1
        queue.append(id)
    }

    private mutating func stopWaiting(_ id: TransferID) {
        guard let name = waiting.removeValue(forKey: id), let count = waitingPerName[name] else { return }
        waitingPerName[name] = count == 1 ? nil : count - 1
    }

    private mutating func release() -> [TransferID] {
        var released: [TransferID] = []
        var kept: [TransferID] = []
        var seen = 0
        while seen < queue.count, lookupCount < capacity {
            let id = queue[seen]
            seen += 1
            guard let name = waiting[id] else { continue }
            guard hasPlace(for: name) else {
                kept.append(id)
                continue
            }
            stopWaiting(id)
            takePlace(id, name)
            released.append(id)
        }
        queue.replaceSubrange(..<seen, with: kept)
        return released
    }

    /// Takes out every waiting transfer for this name.
    private mutating func takeFromQueue(_ name: Name) -> [TransferID] {
        guard waitingPerName[name] != nil else { return [] }
        let taken = queue.filter { waiting[$0] == name }
        taken.forEach { stopWaiting($0) }
        return taken
    }
}
