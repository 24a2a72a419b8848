/// Keeps the number of name look-ups at once within bounds: each one costs libcurl a thread.
///
/// A pure value: transfers wait outside until a place is free, in order. A host that was looked up lately is in
/// libcurl's cache and needs no place.
struct LookupGate {
    private let capacity: Int
    private var lookingUp: [TransferID: String] = [:]
    private var waiting: [(id: TransferID, host: String)] = []
    private var known: [String: UInt64] = [:]
    /// A little less than libcurl's cache keeps a name (60 s).
    private let memory: UInt64 = 50_000_000_000

    init(capacity: Int = 64) { self.capacity = capacity }

    /// Whether the transfer may start now; otherwise it waits.
    mutating func admit(_ id: TransferID, host: String, now: UInt64) -> Bool {
        if let until = known[host], until > now { return true }
        guard lookingUp.count < capacity else {
            waiting.append((id, host))
            return false
        }
        lookingUp[id] = host
        return true
    }

    /// The transfer's look-up is over; gives the ones that may start in its place.
    mutating func resolved(_ id: TransferID, succeeded: Bool, now: UInt64) -> [TransferID] {
        guard let host = lookingUp.removeValue(forKey: id) else { return [] }
        if succeeded { remember(host, now) }
        return release(now)
    }

    /// The transfer ended while it waited.
    mutating func forget(_ id: TransferID) { waiting.removeAll { $0.id == id } }

    private mutating func remember(_ host: String, _ now: UInt64) {
        if known.count > 1024 { known = known.filter { $0.value > now } }
        known[host] = now + memory
    }

    private mutating func release(_ now: UInt64) -> [TransferID] {
        var released: [TransferID] = []
        var stillWaiting: [(id: TransferID, host: String)] = []
        for entry in waiting {
            let isKnown = known[entry.host].map { $0 > now } ?? false
            if !isKnown, lookingUp.count >= capacity {
                stillWaiting.append(entry)
                continue
            }
            if !isKnown { lookingUp[entry.id] = entry.host }
            released.append(entry.id)
        }
        waiting = stillWaiting
        return released
    }
}
