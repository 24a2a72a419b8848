internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// Forwards a transfer to its sink, and to the cache the parts that it may store.
final class CacheRecorder: TransferSink {
    /// Receives the validated response, or `nil` if the server's response concerns another one.
    typealias Confirmation = @Sendable (_ confirmed: StoredResponse?, _ outcome: TransferOutcome) -> Void

    private struct State {
        /// The header of the response that is stored if it completes.
        var head: HTTPURLResponse?
        var body = Data()
        /// The 304 that validates the stored response.
        var notModified: HTTPURLResponse?
        var responseTime: Date
        var confirm: Confirmation?
    }

    private let lookup: CacheLookup
    private let cache: ResponseCache
    private let use: CacheUse
    private let cookieGeneration: CookieGeneration
    private let stored: StoredResponse?
    private let sink: any TransferSink
    private let requestTime: Date
    /// Only the transport's thread locks it, so it is never contended.
    private let state: Mutex<State>

    /// Creates a recorder.
    ///
    /// - Parameter stored: The response that a new one replaces.
    init(
        _ lookup: CacheLookup,
        in cache: ResponseCache,
        _ use: CacheUse,
        _ cookieGeneration: CookieGeneration,
        replacing stored: StoredResponse?,
        sink: any TransferSink
    ) {
        self.lookup = lookup
        self.cache = cache
        self.use = use
        self.cookieGeneration = cookieGeneration
        self.stored = stored
        self.sink = sink
        requestTime = cache.now()
        state = Mutex(State(responseTime: requestTime))
    }

    deinit { cache.release(state.withLock(\.body.count)) }

    /// Treats a 304 as a validation: the closure receives it instead of the sink.
    func validate(_ confirm: @escaping Confirmation) { state.withLock { $0.confirm = confirm } }

    func receive(_ head: TransferHead) {
        // The decision about the header compares cookies with those that the request was sent with.
        defer { updateCookieGeneration(of: head.response) }
        guard head.kind == .final else { return sink.receive(head) }
        let response = head.response
        let responseTime = cache.now()
        cache.remove(CacheRules.invalidated(by: response, to: lookup))
        let isRecorded = isRecorded(response)
        let isForSink = state.withLock { state in
            state.responseTime = responseTime
            if response.statusCode == 304, state.confirm != nil {
                state.notModified = response
                return false
            }
            if isRecorded { state.head = response }
            return true
        }
        guard isForSink else { return }
        refreshStored(response, responseTime)
        sink.receive(head)
    }

    /// Logins usually use POST; the cookies of other responses belong to the same user.
    private func updateCookieGeneration(of response: HTTPURLResponse) {
        guard lookup.addsCookies, response.headers["Set-Cookie"] != nil else { return }
        if lookup.isUnsafe { cookieGeneration.renew() } else { cookieGeneration.begin() }
    }

    private func isRecorded(_ response: HTTPURLResponse) -> Bool {
        use.isCacheable && lookup.method == .get && CacheRules.isStorable(response, for: lookup)
            && (!lookup.addsCookies || cookieGeneration.value == lookup.cookieGeneration)
            && response.hasDefinedEnd
            && response.expectedContentLength <= cache.bodyLimit
    }

    /// Updates or invalidates the stored response according to a header.
    private func refreshStored(_ response: HTTPURLResponse, _ responseTime: Date) {
        guard use.isCacheable else { return }
        if lookup.method == .head, response.statusCode == 200 {
            cache.refresh(lookup, from: response, requestTime: requestTime, responseTime: responseTime)
        } else if stored != nil, (200..<300).contains(response.statusCode), state.withLock(\.head) == nil {
            cache.remove(lookup)
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        guard state.withLock({ $0.notModified == nil }) else { return .proceed }
        let flow = sink.receive(bytes)
        if flow == .proceed { record(bytes) }
        return flow
    }

    func decodesBody(of response: HTTPURLResponse) -> Bool? { sink.decodesBody(of: response) }

    func receiveEncoded(_ bytes: UnsafeRawBufferPointer) { sink.receiveEncoded(bytes) }

    private func record(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard state.head != nil else { return }
            if state.body.count + bytes.count <= cache.bodyLimit, cache.reserve(bytes.count) {
                state.body.append(contentsOf: bytes)
            } else {
                cache.release(state.body.count)
                (state.head, state.body) = (nil, Data())
            }
        }
    }

    func didSend(_ bytes: Int64, of total: Int64?) { sink.didSend(bytes, of: total) }

    func finish(_ outcome: TransferOutcome) {
        let (head, body, notModified, responseTime, confirm) = state.withLock { state in
            defer { state.confirm = nil }
            return (state.head, state.body, state.notModified, state.responseTime, state.confirm)
        }
        guard outcome.failure == nil else { return sink.finish(outcome) }
        if let notModified, let stored, let confirm {
            return confirm(renewed(stored, by: notModified, responseTime), outcome)
        }
        guard let head else { return sink.finish(outcome) }
        let pending = PendingStore(of: lookup, to: cache)
        let (cache, lookup, requestTime, sink) = (cache, lookup, requestTime, sink)
        use.willStore(
            CachedURLResponse(response: head, data: body),
            { cache.finishPending(pending, $0, for: lookup, from: requestTime, to: responseTime) },
            { sink.finish(outcome) })
    }

    /// Updates the stored response in the cache with a 304 and returns it.
    ///
    /// Removes the stored response and returns `nil` if the 304 confirms a different response.
    private func renewed(
        _ stored: StoredResponse,
        by notModified: HTTPURLResponse,
        _ responseTime: Date
    ) -> StoredResponse? {
        guard stored.isConfirmed(by: notModified) else {
            cache.remove(lookup)
            return nil
        }
        let renewed = stored.updated(by: notModified, for: lookup, from: requestTime, to: responseTime)
        if CacheRules.isStorable(renewed.response, for: lookup) {
            cache.store(renewed, for: lookup)
        } else {
            cache.remove(lookup)
        }
        return renewed
    }
}
