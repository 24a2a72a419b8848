public import AFHTTP
internal import Dispatch
public import FoundationEssentials
internal import Synchronization

/// Keeps responses for one user's requests, in memory and on disk, as RFC 9111 says.
///
/// It stands where `URLCache` stands in Foundation: a session uses the one in ``SessionConfiguration/urlCache``, and
/// several sessions may share one. So may several processes share a folder: what one of them finds damaged, or not at
/// all, it loads again.
///
/// A response is served only to requests with the same `Authorization`, login, cookies set by hand and other secrets as
/// the request that it answered, and with the same settings of trust: what an evaluator of a session let through is for
/// that session alone. Responses to requests with a range, and those
/// that came in part, are not kept, nor are cookies. A response that varies by `Cookie` is not kept where
/// `httpShouldSetCookies` lets the transport add them.
///
/// Once such a session has cookies, what it is answered is for itself alone, and only until it is given others: by
/// ``Session/setCookies(_:)`` and ``Session/deleteAllCookies()``, or by the answer to a request that may change something,
/// such as a login. To share responses with other sessions or with the next run of a program, set
/// `httpShouldSetCookies` to `false` where no cookies are needed.
///
/// ```swift
/// var configuration = SessionConfiguration.default
/// configuration.urlCache = ResponseCache(memoryCapacity: 4 << 20, diskCapacity: 64 << 20, directory: folder)
/// let session = Session(configuration: configuration)
/// ```
public final class ResponseCache: Sendable {
    /// Bytes of responses in memory, roughly.
    public let memoryCapacity: Int
    /// Bytes of files in ``directory``.
    public let diskCapacity: Int
    /// Where files are; `nil` keeps everything in memory.
    public let directory: URL?
    /// Whether a stale response is served while the server is asked for the next time, where it allows that with
    /// `stale-while-revalidate` (RFC 5861 §3).
    public let servesStaleWhileRevalidating: Bool

    /// Bodies up to this size in bytes are kept: a twentieth of the larger capacity, 16 MiB at most.
    public var bodyLimit: Int {
        min(max(memoryCapacity, directory == nil ? 0 : diskCapacity) / 20, 16 << 20)
    }

    let now: @Sendable () -> Date
    private let memory: Mutex<MemoryStore>
    private let disk: DiskStoreLock?
    /// Where files are read and written, in the order in which that was asked for.
    private let diskQueue = DispatchQueue(label: "org.afcli.cache")
    /// Bytes that wait for the disk, or for the end of their response.
    private let waiting = Atomic<Int>(0)
    private let revalidated = Mutex<Set<CacheKey>>([])
    private let offers = Mutex(Offers())

    /// What somebody has still to say yes to.
    private struct Offers: Sendable {
        var open: [UInt64: CacheQuestion] = [:]
        var lastNumber: UInt64 = 0

        /// What has been forgotten must not come back.
        mutating func withdraw(where isMeant: (CacheQuestion) -> Bool = { _ in true }) {
            if !open.isEmpty { open = open.filter { !isMeant($0.value) } }
        }
    }

    /// - Parameters:
    ///   - diskCapacity: Counts only with a directory.
    ///   - directory: Made where it is missing, and closed to other users. It should hold nothing else.
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

    /// With a clock of the caller's.
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
        memory = Mutex(MemoryStore(capacity: memoryCapacity))
        disk = directory.map { DiskStoreLock(DiskStore(path: $0.path, capacity: diskCapacity)) }
    }

    // For programs. Each call but the one that stores may wait for the disk.

    /// Bytes of responses in memory, roughly.
    public var currentMemoryUsage: Int { memory.withLock(\.usage) }

    /// Bytes of files.
    public var currentDiskUsage: Int { onDisk({ $0.usage() }) ?? 0 }

    /// What the cache holds for a request, be it fresh or not. Header fields that the session adds to requests are
    /// taken to be the same.
    public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let question = CacheQuestion(request),
            let stored = memory.withLock({ $0.find(question) }) ?? onDisk({ $0.find(question) }) ?? nil
        else { return nil }
        return CachedURLResponse(
            response: stored.response,
            data: stored.body,
            userInfo: stored.userInfo,
            storagePolicy: stored.isKeptOnDisk ? .allowed : .allowedInMemoryOnly
        )
    }

    /// Keeps a response as if it had come now, unless it says itself that it must not be kept or is too large.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard let question = CacheQuestion(request), question.method == .get,
            CacheRules.isStorable(cachedResponse.response, for: question)
        else { return }
        let now = now()
        store(cachedResponse, for: question, from: now, to: now)
    }

    /// Forgets every response to a URL.
    public func removeCachedResponse(for request: URLRequest) {
        guard let question = CacheQuestion(request) else { return }
        remove([question.key, CacheKey(url: question.key.url, isDecoded: false)])
        finishWriting()
    }

    /// Forgets responses that came at the date or later.
    public func removeCachedResponses(since date: Date) {
        offers.withLock { $0.withdraw() }
        memory.withLock { $0.removeAll(since: date) }
        onDisk { $0.removeAll(since: date) }
        memory.withLock { $0.removeAll(since: date) }
    }

    /// Forgets every response, in memory and on disk.
    public func removeAllCachedResponses() { removeCachedResponses(since: .distantPast) }

    /// Returns once everything kept so far is on disk.
    func finishWriting() { diskQueue.sync {} }

    @discardableResult
    private func onDisk<Value: Sendable>(_ work: (inout DiskStore) -> Value) -> Value? {
        guard disk != nil else { return nil }
        return diskQueue.sync { disk?.store.withLock { work(&$0) } }
    }

    // For exchanges. None of these waits for the disk.

    /// Calls back with the response that answers the question: at once if it is in memory, else from another thread.
    func find(_ question: CacheQuestion, then act: @escaping @Sendable (StoredResponse?) -> Void) {
        if let stored = memory.withLock({ $0.find(question) }) { return act(stored) }
        guard disk != nil else { return act(nil) }
        diskQueue.async {
            let stored = self.disk?.store.withLock { $0.find(question) }
            if let stored {
                self.memory.withLock { memory in
                    // Another one may have come meanwhile, and is newer.
                    if memory.find(question) == nil { self.keep(stored, for: question, in: &memory) }
                }
            }
            DispatchQueue.global().async { act(stored) }
        }
    }

    /// Keeps an answer, if it is allowed to be and not too large; the last one to the same question goes.
    func store(_ answer: CachedURLResponse, for question: CacheQuestion, from requestTime: Date, to responseTime: Date)
    {
        guard isKept(answer) else { return remove(question) }
        store(StoredResponse(answering: question, from: requestTime, to: responseTime, answer), for: question)
    }

    private func isKept(_ answer: CachedURLResponse) -> Bool {
        answer.storagePolicy != .notAllowed && answer.data.count <= bodyLimit
    }

    func store(_ response: StoredResponse, for question: CacheQuestion) {
        memory.withLock { keep(response, for: question, in: &$0) }
        guard disk != nil else { return }
        guard response.isKeptOnDisk, response.body.count <= diskCapacity / 20, reserve(response.cost) else {
            return diskQueue.async {
                self.disk?.store.withLock { $0.remove(question.key) { $0.answers(question) } }
                self.forgetOlder(than: response, for: question)
            }
        }
        diskQueue.async {
            self.disk?.store.withLock { $0.insert(response, for: question) }
            self.forgetOlder(than: response, for: question)
            self.release(response.cost)
        }
    }

    /// A look at the disk may have brought back what the response replaces.
    private func forgetOlder(than response: StoredResponse, for question: CacheQuestion) {
        memory.withLock { memory in
            memory.remove(question.key) { $0.answers(question) && $0.responseTime < response.responseTime }
        }
    }

    private func keep(_ response: StoredResponse, for question: CacheQuestion, in memory: inout MemoryStore) {
        // One large response must not drive out many small ones.
        if response.body.count <= memoryCapacity / 20 {
            memory.insert(response, for: question)
        } else {
            memory.remove(question.key) { $0.answers(question) }
        }
    }

    /// What the answer to HEAD says of the response to GET (RFC 9111 §4.3.5).
    func describe(
        _ question: CacheQuestion,
        by head: HTTPURLResponse,
        from requestTime: Date,
        to responseTime: Date
    ) {
        find(question) { stored in
            guard let stored else { return }
            let updated = stored.updated(by: head, for: question, from: requestTime, to: responseTime)
            if stored.isDescribed(by: head), CacheRules.isStorable(updated.response, for: question) {
                self.store(updated, for: question)
            } else {
                self.remove(question)
            }
        }
    }

    func beginOffer(of question: CacheQuestion) -> UInt64 {
        offers.withLock { offers in
            offers.lastNumber += 1
            offers.open[offers.lastNumber] = question
            return offers.lastNumber
        }
    }

    func endOffer(_ number: UInt64) { offers.withLock { _ = $0.open.removeValue(forKey: number) } }

    /// Keeps what a handler made of a response, unless it has spoken before or the response was forgotten meanwhile.
    func settle(
        _ offer: CacheOffer,
        _ answer: CachedURLResponse?,
        for question: CacheQuestion,
        from requestTime: Date,
        to responseTime: Date
    ) {
        let kept = answer.flatMap { answer -> StoredResponse? in
            guard isKept(answer), CacheRules.isStorable(answer.response, for: question) else { return nil }
            return StoredResponse(answering: question, from: requestTime, to: responseTime, answer)
        }
        let counts = offers.withLock { offers in
            guard offers.open.removeValue(forKey: offer.number) != nil else { return false }
            // Under the lock: who forgets it now finds it.
            if let kept { store(kept, for: question) }
            return true
        }
        if counts, kept == nil { remove(question) }
    }

    /// Forgets what answers the question, and nobody else's responses to the same URL.
    func remove(_ question: CacheQuestion) {
        offers.withLock { offers in
            offers.withdraw { $0.key == question.key && $0.identity == question.identity }
        }
        memory.withLock { $0.remove(question.key) { $0.answers(question) } }
        guard disk != nil else { return }
        diskQueue.async {
            self.disk?.store.withLock { $0.remove(question.key) { $0.answers(question) } }
            self.memory.withLock { $0.remove(question.key) { $0.answers(question) } }
        }
    }

    /// Forgets every response to some URLs.
    func remove(_ keys: [CacheKey]) {
        guard !keys.isEmpty else { return }
        offers.withLock { offers in offers.withdraw { keys.contains($0.key) } }
        memory.withLock { memory in for key in keys { memory.remove(key) } }
        guard disk != nil else { return }
        diskQueue.async {
            self.disk?.store.withLock { disk in for key in keys { disk.remove(key) } }
            // A look at the disk may have brought one of them back.
            self.memory.withLock { memory in for key in keys { memory.remove(key) } }
        }
    }

    /// Makes room for bytes that are on their way; `false` where too many are already.
    func reserve(_ count: Int) -> Bool {
        let total = waiting.add(count, ordering: .relaxed).newValue
        if total <= max(64 << 20, 4 * bodyLimit) { return true }
        release(count)
        return false
    }

    func release(_ count: Int) { waiting.subtract(count, ordering: .relaxed) }

    /// Whether the caller is the one to ask the server about a response that was served stale.
    func beginRevalidation(of key: CacheKey) -> Bool { revalidated.withLock { $0.insert(key).inserted } }

    func endRevalidation(of key: CacheKey) { revalidated.withLock { _ = $0.remove(key) } }
}

/// A class, as a lock must not move and an optional one does.
private final class DiskStoreLock: Sendable {
    let store: Mutex<DiskStore>

    init(_ store: consuming DiskStore) {
        self.store = Mutex(store)
    }
}

/// A response that somebody has still to say yes to, maybe long after it came.
///
/// Only one word counts, and none after the cache has forgotten what answers the question.
final class CacheOffer: Sendable {
    let number: UInt64
    private let cache: ResponseCache

    init(of question: CacheQuestion, to cache: ResponseCache) {
        number = cache.beginOffer(of: question)
        self.cache = cache
    }

    /// Nobody can say anything any more.
    deinit { cache.endOffer(number) }
}
