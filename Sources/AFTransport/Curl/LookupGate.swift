/// Keeps the number of name look-ups at once within bounds: each one costs libcurl a thread.
///
/// A pure value: transfers wait outside until they are named. Names take turns, the transfers of one name in order. A name
/// that was looked up lately is in libcurl's cache and needs no place. A look-up whose transfer ended keeps its place until
/// its thread is known to be gone.
struct LookupGate {
    /// What libcurl's cache tells apart; each group has a cache of its own.
    struct Name: Hashable {
        let group: UInt32
        let host: String
        let port: Int
    }

    /// The transfers that wait for a name.
    private struct Line {
        /// Oldest first; those that have ended since are skipped when their turn comes.
        var queue = Queue<TransferID>()
        /// How many of the queue still wait.
        var waitingCount = 0
    }

    private let capacity: Int
    /// One name that nobody answers for must not take every place.
    private let capacityPerName: Int
    private var places: [TransferID: Name] = [:]
    private var placesPerName: [Name: Int] = [:]
    private var abandonedCount = 0
    private var waiting: [TransferID: Name] = [:]
    private var lines: [Name: Line] = [:]
    /// Names with a line, and with a place for its first transfer as far as ``capacityPerName`` goes.
    private var turns = Queue<Name>()
    /// The names in ``turns``, also those whose line ended since.
    private var scheduled: Set<Name> = []
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
        guard lookupCount < capacity, hasPlace(for: name) else {
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
        return takeLine(name) + release()
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

    private func hasPlace(for name: Name) -> Bool { placesPerName[name, default: 0] < capacityPerName }

    private mutating func takePlace(_ id: TransferID, _ name: Name) {
        places[id] = name
        placesPerName[name, default: 0] += 1
    }

    private mutating func freePlace(_ id: TransferID) {
        guard let name = places.removeValue(forKey: id), let count = placesPerName[name] else { return }
        placesPerName[name] = count == 1 ? nil : count - 1
        giveTurn(name)
    }

    private mutating func wait(_ id: TransferID, _ name: Name) {
        waiting[id] = name
        lines[name, default: Line()].queue.append(id)
        lines[name]?.waitingCount += 1
        giveTurn(name)
    }

    private mutating func stopWaiting(_ id: TransferID) {
        guard let name = waiting.removeValue(forKey: id) else { return }
        lines[name]?.waitingCount -= 1
        if lines[name]?.waitingCount == 0 { lines[name] = nil }
    }

    /// Puts a name behind those whose turn comes before, if it has a line and a place.
    private mutating func giveTurn(_ name: Name) {
        guard lines[name] != nil, hasPlace(for: name), scheduled.insert(name).inserted else { return }
        turns.append(name)
    }

    private mutating func release() -> [TransferID] {
        var released: [TransferID] = []
        while lookupCount < capacity, let name = turns.popFirst() {
            scheduled.remove(name)
            guard hasPlace(for: name), let id = firstWaiting(name) else { continue }
            stopWaiting(id)
            takePlace(id, name)
            released.append(id)
            giveTurn(name)
        }
        return released
    }

    /// Takes the first transfer that still waits for a name out of its queue.
    private mutating func firstWaiting(_ name: Name) -> TransferID? {
        while let id = lines[name]?.queue.popFirst() {
            if waiting[id] != nil { return id }
        }
        return nil
    }

    /// Takes out every waiting transfer for this name.
    private mutating func takeLine(_ name: Name) -> [TransferID] {
        guard let line = lines.removeValue(forKey: name) else { return [] }
        return line.queue.filter { waiting.removeValue(forKey: $0) != nil }
    }
}

/// First in, first out; each step takes the same time however many there are, on average.
private struct Queue<Element> {
    private var elements: [Element] = []
    private var start = 0

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard start < elements.count else { return nil }
        defer {
            start += 1
            if start > elements.count / 2 {
                elements.removeFirst(start)
                start = 0
            }
        }
        return elements[start]
    }

    func filter(_ isIncluded: (Element) -> Bool) -> [Element] { elements[start...].filter(isIncluded) }
}
