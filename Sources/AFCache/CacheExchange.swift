internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// One transfer that may use the cache.
///
/// The cache is searched first; then a ``CachedDelivery`` or a transfer runs, or a transfer and then a delivery if the
/// server validates the stored response.
final class CacheExchange: TransferControl {
    private let transfer: Transfer
    private let sink: any TransferSink
    private let use: CacheUse
    private let transport: any Transport
    private let cache: ResponseCache
    private let cookieGeneration: CookieGeneration
    private let lookup: CacheLookup
    /// The control of the deliveries and transfers.
    private let parts = Mutex(ChainControl(desired: .running))

    private init(
        _ transfer: Transfer,
        into sink: any TransferSink,
        _ use: CacheUse,
        over transport: any Transport,
        _ cache: ResponseCache,
        _ cookieGeneration: CookieGeneration
    ) {
        self.transfer = transfer
        self.sink = sink
        self.use = use
        self.transport = transport
        self.cache = cache
        self.cookieGeneration = cookieGeneration
        lookup = CacheLookup(transfer, policy: use.policy, cookieGeneration: cookieGeneration.value)
    }

    static func start(
        _ transfer: Transfer,
        into sink: any TransferSink,
        _ use: CacheUse,
        over transport: any Transport,
        _ cache: ResponseCache,
        _ cookieGeneration: CookieGeneration
    ) -> any TransferControl {
        let exchange = CacheExchange(transfer, into: sink, use, over: transport, cache, cookieGeneration)
        exchange.start()
        return exchange
    }

    func cancel() { set(.canceled) }
    func suspend() { set(.suspended) }
    func resume() { set(.running) }
    func drain() { parts.withLock({ $0.drain() })?.drain() }

    private func set(_ state: ChainControl.State) {
        perform(parts.withLock { $0.set(state) ? $0.nextCall() : nil })
    }

    private func startPart(_ start: () -> any TransferControl) {
        let number = parts.withLock { $0.begin() }
        let control = start()
        perform(parts.withLock { $0.register(control, as: number) })
    }

    private func perform(_ call: ChainControl.Call?) {
        call?.perform { parts.withLock { $0.callAfterLast() } }
    }

    private func start() {
        let mayBeServed = use.isCacheable && lookup.policy != .reloadIgnoringLocalCacheData
        guard mayBeServed, CacheRules.mayServe(lookup) else { return proceed(nil) }
        cache.find(lookup) { self.proceed($0) }
    }

    private func proceed(_ stored: StoredResponse?) {
        guard parts.withLock({ $0.desired }) != .canceled else {
            return fail(TransferFailure(.cancelled, "the request was canceled"))
        }
        switch CacheRules.decide(lookup, stored, at: now, servesStale: cache.servesStaleWhileRevalidating) {
        case .load: load(instead: stored)
        case .validate(let stored): validate(stored)
        case .serve(let stored): serve(stored)
        case .serveAndRevalidate(let stored):
            serve(stored)
            revalidate(stored)
        case .gatewayTimeout: deliver(.gatewayTimeout(for: lookup), body: Data())
        case .fail: fail(TransferFailure(.notCached, "the cache has no response for the request"))
        }
    }

    private var now: Date { cache.now() }

    // From the cache

    private func serve(_ stored: StoredResponse) {
        deliver(stored.served(at: now), body: lookup.method == .head ? Data() : stored.body)
    }

    private func deliver(_ response: HTTPURLResponse, body: Data) {
        var metrics = TransactionMetrics(transfer)
        metrics.resourceFetchType = .localCache
        metrics.protocolName = response.httpVersion
        metrics.statusCode = response.statusCode
        metrics.response = response
        metrics.decodedBodyBytes = Int64(body.count)
        let outcome = TransferOutcome(failure: nil, metrics: metrics)
        startPart { CachedDelivery.start(response, body: body, outcome, into: sink) }
    }

    private func fail(_ failure: TransferFailure) {
        let outcome = TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
        startPart { CachedDelivery.start(nil, body: Data(), outcome, into: sink) }
    }

    // From the server

    private func load(instead stored: StoredResponse? = nil) {
        let recorder = CacheRecorder(lookup, in: cache, use, cookieGeneration, replacing: stored, sink: sink)
        startPart { transport.start(transfer, into: recorder) }
    }

    private func validate(_ stored: StoredResponse) {
        let recorder = CacheRecorder(lookup, in: cache, use, cookieGeneration, replacing: stored, sink: sink)
        recorder.validate { confirmed, outcome in
            // A server that sends 304 for another response must send the complete one.
            guard let confirmed else { return self.load() }
            let response = confirmed.served(at: self.now)
            self.startPart { CachedDelivery.start(response, body: confirmed.body, outcome, into: self.sink) }
        }
        startPart { transport.start(transfer.adding(stored.conditions), into: recorder) }
    }

    /// Revalidates a stored response in the background, after it was served.
    private func revalidate(_ stored: StoredResponse) {
        guard cache.beginRevalidation(of: lookup.key) else { return }
        let sink = RevalidationSink(of: lookup.key, in: cache)
        let recorder = CacheRecorder(lookup, in: cache, use, cookieGeneration, replacing: stored, sink: sink)
        recorder.validate { _, outcome in sink.finish(outcome) }
        _ = transport.start(transfer.adding(stored.conditions), into: recorder)
    }
}

/// The sink of a background revalidation. A body that is too large to store is not received.
private final class RevalidationSink: TransferSink {
    private let key: CacheKey
    private let cache: ResponseCache
    private let byteCount = Atomic<Int>(0)

    init(of key: CacheKey, in cache: ResponseCache) {
        self.key = key
        self.cache = cache
    }

    func receive(_ head: TransferHead) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        byteCount.add(bytes.count, ordering: .relaxed).newValue <= cache.bodyLimit ? .proceed : .stop
    }

    func finish(_ outcome: TransferOutcome) { cache.endRevalidation(of: key) }
}

extension Transfer {
    fileprivate func adding(_ fields: [HTTPHeader]) -> Transfer {
        var copy = self
        for field in fields { copy.headers.update(field) }
        return copy
    }
}

extension HTTPURLResponse {
    /// The response to `only-if-cached` if nothing can be served (RFC 9111 §5.2.1.7).
    fileprivate static func gatewayTimeout(for lookup: CacheLookup) -> HTTPURLResponse {
        HTTPURLResponse(
            urlText: lookup.key.url,
            statusCode: 504,
            httpVersion: "HTTP/1.1",
            reasonPhrase: "Gateway Timeout",
            headers: ["Content-Length": "0"],
            rawHead: Array("HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 0\r\n\r\n".utf8)
        )
    }
}
