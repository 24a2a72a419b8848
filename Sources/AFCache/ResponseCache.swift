public import AFHTTP
internal import AFRequests
internal import Dispatch
public import FoundationEssentials
internal import Synchronization

/// Stores responses of one user in memory and on disk, according to RFC 9111.
///
/// Replaces Foundation's `URLCache`: a session uses the one in ``SessionConfiguration/urlCache``, and several sessions
/// may share one. Several processes may share a directory: a damaged or missing file is loaded again.
///
/// A response is served only to requests with the same `Authorization`, credentials, explicit cookies and other secrets
/// as the original request, and with the same trust settings: a response accepted by a session's trust evaluator is for
/// that session only. Responses to range requests, partial responses and cookies are not stored. A response that varies
/// by `Cookie` is not stored if `httpShouldSetCookies` allows the transport to add cookies.
///
/// Once such a session has cookies, its responses are for this session only, and only until its cookies change: by
/// ``Session/setCookies(_:)`` and ``Session/deleteAllCookies()``, or by the response to a request that may change
/// something, such as a login. To share responses with other sessions or later runs, set `httpShouldSetCookies` to
/// `false` if no cookies are needed.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.urlCache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 64 << 20, directory: directory)
/// let session = Session(configuration: configuration)
/// ```
public final class ResponseCache: Sendable {
    /// The capacity for responses in memory, in approximate bytes.
    public let memoryCapacity: Int
    /// The capacity for files in ``directory``, in bytes.
    public let diskCapacity: Int
    /// The directory of files; `nil` stores in memory only.
    public let directory: URL?
    /// Whether a stale response is served while it is revalidated in the background, if it allows that with
    /// `stale-while-revalidate` (RFC 5861 §3).
    public let servesStaleWhileRevalidating: Bool

    /// The maximum size of stored bodies in bytes: a twentieth of the larger capacity, at most 16 MiB.
    public var bodyLimit: Int {
        min(max(memoryCapacity, directory == nil ? 0 : diskCapacity) / 20, 16 << 20)
    }

    let now: @Sendable () -> Date
    private let memory: OrderedMutex<MemoryStore>
    private let hasDisk: Bool
    private let disk: Mutex<DiskStore?>
    /// The serial queue of file operations.
    private let diskQueue = DispatchQueue(label: "org.afcli.cache")
    /// The bytes that wait for the disk or for the end of their response.
    private let waiting = Atomic<Int>(0)
    private let revalidated = Mutex<Set<CacheKey>>([])
    private let pendingStores = OrderedMutex(PendingStores())

    /// The responses that wait for a handler's decision.
    struct PendingStores: OrderedState, Sendable {
        var open: [UInt64: CacheLookup] = [:]
        var lastNumber: UInt64 = 0

        /// Cancels pending stores, so that removed responses are not stored later.
        mutating func cancel(where isMeant: (CacheLookup) -> Bool = { _ in true }) {
            if !open.isEmpty { open = open.filter { !isMeant($0.value) } }
        }
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - diskCapacity: The capacity for files; ignored without a directory.
    ///   - directory: A directory for this cache alone. It is created if missing; its mode is set to 0700.
    public convenience init(
        memoryCapacity: Int = 4 << 20,
        diskCapacity: Int = 64 << 20,
        directory: URL? = nil,
        servesStaleWhileRevalidating: Bool = false
    ) {
        self.init(
            memoryCapacity: memoryCapacity,
            diskCapacity: diskCapacity,
            directory: directory,
            servesStaleWhileRevalidating: servesStaleWhileRevalidating,
            now: { .now }
        )
    }

    /// Creates a cache with a clock.
    package init(
        memoryCapacity: Int = 4 << 20,
        diskCapacity: Int = 64 << 20,
        directory: URL? = nil,
        servesStaleWhileRevalidating: Bool = false,
        now: @escaping @Sendable () -> Date
    ) {
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.directory = directory
        self.servesStaleWhileRevalidating = servesStaleWhileRevalidating
        self.now = now
        memory = OrderedMutex(MemoryStore(capacity: memoryCapacity))
        hasDisk = directory != nil
        disk = Mutex(directory.map { DiskStore(path: $0.path, capacity: diskCapacity) })
    }

    // Public API. All calls except storing may wait for the disk.

    /// The approximate size of the responses in memory, in bytes.
    public var currentMemoryUsage: Int { memory.withLock(\.usage) }

    /// The size of the files in bytes.
    public var currentDiskUsage: Int { onDisk { $0?.usage() ?? 0 } }

    /// Returns the stored response for a request, fresh or stale. Assumes that the session's default header fields are
    /// unchanged.
    public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let lookup = CacheLookup(request),
            let stored = memory.withLock({ $0.find(lookup) }) ?? onDisk({ $0?.find(lookup) })
        else { return nil }
        return CachedURLResponse(
            response: stored.response,
            data: stored.body,
            userInfo: stored.userInfo,
            storagePolicy: stored.isStoredOnDisk ? .allowed : .allowedInMemoryOnly
        )
    }

    /// Stores a response as if it had been received now, unless its header forbids that or it is too large.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let lookup = CacheLookup(request), lookup.method == .get,
            CacheRules.isStorable(cachedResponse.response, for: lookup)
        else { return }
        let now = now()
        store(cachedResponse, for: lookup, from: now, to: now)
    }

    /// Removes all responses to a URL.
    public func removeCachedResponse(for request: URLRequest) {
        guard let lookup = CacheLookup(request) else { return }
        remove([lookup.key, CacheKey(url: lookup.key.url, isDecoded: false)])
        finishWriting()
    }

    /// Removes responses that were received at or after a date.
    public func removeCachedResponses(since date: Date) {
        pendingStores.withLock { $0.cancel() }
        memory.withLock { $0.removeAll(since: date) }
        onDisk { $0?.removeAll(since: date) }
        memory.withLock { $0.removeAll(since: date) }
    }

    /// Removes all responses, in memory and on disk.
    public func removeAllCachedResponses() { removeCachedResponses(since: .distantPast) }

    /// Waits until all responses are written to disk.
    func finishWriting() { diskQueue.sync {} }

    private func onDisk<Value: Sendable>(_ work: (inout DiskStore?) -> Value) -> Value {
        diskQueue.sync { disk.withLock { work(&$0) } }
    }

    // For transfers. None of these waits for the disk.

    /// Calls back with the stored response for a request: immediately if it is in memory, else from another thread.
    func find(_ lookup: CacheLookup, then act: @escaping @Sendable (StoredResponse?) -> Void) {
        if let stored = memory.withLock({ $0.find(lookup) }) { return act(stored) }
        guard hasDisk else { return act(nil) }
        diskQueue.async {
            let stored = self.disk.withLock { $0?.find(lookup) }
            if let stored {
                self.memory.withLock { memory in
                    // A newer one may have been stored in the meantime.
                    if memory.find(lookup) == nil { self.storeInMemory(stored, for: lookup, in: &memory) }
                }
            }
            DispatchQueue.global().async { act(stored) }
        }
    }

    /// Stores a response if the rules allow it and it is small enough, replacing the one for the same request.
    func store(_ proposal: CachedURLResponse, for lookup: CacheLookup, from requestTime: Date, to responseTime: Date) {
        guard mayStore(proposal) else { return remove(lookup) }
        store(StoredResponse(for: lookup, from: requestTime, to: responseTime, proposal), for: lookup)
    }

    private func mayStore(_ proposal: CachedURLResponse) -> Bool {
        proposal.storagePolicy != .notAllowed && proposal.data.count <= bodyLimit
    }

    func store(_ response: StoredResponse, for lookup: CacheLookup) {
        memory.withLock { storeInMemory(response, for: lookup, in: &$0) }
        guard hasDisk else { return }
        guard response.isStoredOnDisk, response.body.count <= diskCapacity / 20, reserve(response.cost) else {
            return diskQueue.async {
                self.disk.withLock { $0?.remove(lookup.key) { $0.matches(lookup) } }
                self.forgetOlder(than: response, for: lookup)
            }
        }
        diskQueue.async {
            self.disk.withLock { $0?.insert(response, for: lookup) }
            self.forgetOlder(than: response, for: lookup)
            self.release(response.cost)
        }
    }

    /// Reading from disk may have restored the replaced response.
    private func forgetOlder(than response: StoredResponse, for lookup: CacheLookup) {
        memory.withLock { memory in
            memory.remove(lookup.key) { $0.matches(lookup) && $0.responseTime < response.responseTime }
        }
    }

    private func storeInMemory(_ response: StoredResponse, for lookup: CacheLookup, in memory: inout MemoryStore) {
        // A large response must not evict many small ones.
        if response.body.count <= memoryCapacity / 20 {
            memory.insert(response, for: lookup)
        } else {
            memory.remove(lookup.key) { $0.matches(lookup) }
        }
    }

    /// Updates a stored response to GET according to a response to HEAD (RFC 9111 §4.3.5).
    func refresh(
        _ lookup: CacheLookup,
        from head: HTTPURLResponse,
        requestTime: Date,
        responseTime: Date
    ) {
        find(lookup) { stored in
            guard let stored else { return }
            let updated = stored.updated(by: head, for: lookup, from: requestTime, to: responseTime)
            if stored.isDescribed(by: head), CacheRules.isStorable(updated.response, for: lookup) {
                self.store(updated, for: lookup)
            } else {
                self.remove(lookup)
            }
        }
    }

    func beginPendingStore(of lookup: CacheLookup) -> UInt64 {
        pendingStores.withLock { pendingStores in
            pendingStores.lastNumber += 1
            pendingStores.open[pendingStores.lastNumber] = lookup
            return pendingStores.lastNumber
        }
    }

    func endPendingStore(_ number: UInt64) { pendingStores.withLock { _ = $0.open.removeValue(forKey: number) } }

    /// Stores the response that a handler approved, unless the handler decided before or the response was removed.
    func finishPending(
        _ pending: PendingStore,
        _ proposal: CachedURLResponse?,
        for lookup: CacheLookup,
        from requestTime: Date,
        to responseTime: Date
    ) {
        let storable = proposal.flatMap { proposal -> StoredResponse? in
            guard mayStore(proposal), CacheRules.isStorable(proposal.response, for: lookup) else { return nil }
            return StoredResponse(for: lookup, from: requestTime, to: responseTime, proposal)
        }
        let counts = pendingStores.withLock { pendingStores in
            guard pendingStores.open.removeValue(forKey: pending.number) != nil else { return false }
            // Under the lock, so that a concurrent removal finds it.
            if let storable { store(storable, for: lookup) }
            return true
        }
        if counts, storable == nil { remove(lookup) }
    }

    /// Removes the response for a request, but not those of other identities.
    func remove(_ lookup: CacheLookup) {
        pendingStores.withLock { pendingStores in
            pendingStores.cancel { $0.key == lookup.key && $0.identity == lookup.identity }
        }
        memory.withLock { $0.remove(lookup.key) { $0.matches(lookup) } }
        guard hasDisk else { return }
        diskQueue.async {
            self.disk.withLock { $0?.remove(lookup.key) { $0.matches(lookup) } }
            self.memory.withLock { $0.remove(lookup.key) { $0.matches(lookup) } }
        }
    }

    /// Removes all responses to some URLs.
    func remove(_ keys: [CacheKey]) {
        guard !keys.isEmpty else { return }
        pendingStores.withLock { pendingStores in pendingStores.cancel { keys.contains($0.key) } }
        memory.withLock { memory in for key in keys { memory.remove(key) } }
        guard hasDisk else { return }
        diskQueue.async {
            self.disk.withLock { disk in for key in keys { disk?.remove(key) } }
            // Reading from disk may have restored one of them.
            self.memory.withLock { memory in for key in keys { memory.remove(key) } }
        }
    }

    /// Reserves space for pending bytes; `false` if too many are pending.
    func reserve(_ count: Int) -> Bool {
        let total = waiting.add(count, ordering: .relaxed).newValue
        if total <= max(64 << 20, 4 * bodyLimit) { return true }
        release(count)
        return false
    }

    func release(_ count: Int) { waiting.subtract(count, ordering: .relaxed) }

    /// Whether the caller should revalidate a response that was served stale.
    func beginRevalidation(of key: CacheKey) -> Bool { revalidated.withLock { $0.insert(key).inserted } }

    func endRevalidation(of key: CacheKey) { revalidated.withLock { _ = $0.remove(key) } }
}

/// A response that waits for a handler's decision, possibly long after it was received.
///
/// Only the first decision counts, and none after the response was removed.
final class PendingStore: Sendable {
    let number: UInt64
    private let cache: ResponseCache

    init(of lookup: CacheLookup, to cache: ResponseCache) {
        number = cache.beginPendingStore(of: lookup)
        self.cache = cache
    }

    /// No decision can follow.
    deinit { cache.endPendingStore(number) }
}
