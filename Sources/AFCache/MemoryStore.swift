internal import FoundationEssentials

/// Responses in memory; the least recently used are evicted first.
struct MemoryStore: Sendable {
    private struct Entry: Sendable {
        let response: StoredResponse
        var lastUse: UInt64
    }

    let capacity: Int
    /// The approximate size in bytes.
    private(set) var usage = 0
    private var entries: [CacheKey: [Entry]] = [:]
    /// A counter of uses.
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func find(_ lookup: CacheLookup) -> StoredResponse? {
        let variants = entries[lookup.key] ?? []
        let matching = variants.indices.filter { variants[$0].response.matches(lookup) }
        // A response with fewer `Vary` fields than earlier ones also matches some of their requests.
        let newest = matching.max { variants[$0].response.responseTime < variants[$1].response.responseTime }
        guard let newest else { return nil }
        clock += 1
        entries[lookup.key]?[newest].lastUse = clock
        return variants[newest].response
    }

    /// Stores a response, replacing the one for the same request.
    mutating func insert(_ response: StoredResponse, for lookup: CacheLookup) {
        remove(lookup.key) { $0.matches(lookup) }
        guard response.cost <= capacity else { return }
        clock += 1
        let variants = entries[lookup.key] ?? []
        if variants.count >= DiskStore.variantLimit, let oldest = variants.map(\.lastUse).min() {
            remove(lookup.key, uses: oldest)
        }
        entries[lookup.key, default: []].append(Entry(response: response, lastUse: clock))
        usage += response.cost
        if usage > capacity { evict() }
    }

    mutating func remove(_ key: CacheKey, where isMeant: (StoredResponse) -> Bool = { _ in true }) {
        guard let old = entries[key] else { return }
        let remaining = old.filter { !isMeant($0.response) }
        usage -= old.reduce(0) { $0 + $1.response.cost } - remaining.reduce(0) { $0 + $1.response.cost }
        entries[key] = remaining.isEmpty ? nil : remaining
    }

    mutating func removeAll(since date: Date = .distantPast) {
        for key in entries.keys { remove(key) { $0.responseTime >= date } }
    }

    private mutating func remove(_ key: CacheKey, uses lastUse: UInt64) {
        guard let index = entries[key]?.firstIndex(where: { $0.lastUse == lastUse }),
            let entry = entries[key]?.remove(at: index)
        else { return }
        usage -= entry.response.cost
        if entries[key]?.isEmpty == true { entries[key] = nil }
    }

    /// Evicts more than necessary, as finding the oldest responses is slow.
    private mutating func evict() {
        let uses = entries.flatMap { key, variants in variants.map { (key: key, lastUse: $0.lastUse) } }
        for use in uses.sorted(by: { $0.lastUse < $1.lastUse }) {
            guard usage > capacity - capacity / 10 else { return }
            remove(use.key, uses: use.lastUse)
        }
    }
}
