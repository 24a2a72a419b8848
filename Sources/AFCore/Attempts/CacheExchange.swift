internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// A hop that may use the cache, with the interface of one transfer.
///
/// The cache is searched first; then a ``Replay`` or a transfer runs, or a transfer followed by a replay if the server
/// validates the stored response. Controls are forwarded to the one that runs.
final class CacheExchange: TransferControl {
    private struct MutableState {
        /// The control of the running part; `nil` during the search and while a part starts.
        var control: (any TransferControl)?
        /// The number of parts that were started.
        var stage = 0
        /// The state that the caller requested.
        var state = TransferTask.State.running
        /// Whether the sink requested more while there was no control.
        var owesDrain = false
    }

    private let transfer: Transfer
    private let sink: any TransferSink
    private let task: TransferTask
    private let transport: any Transport
    private let access: CacheAccess
    private let lookup: CacheLookup
    private let mutableState = Mutex(MutableState())

    init(
        _ transfer: Transfer,
        into sink: any TransferSink,
        of task: TransferTask,
        over transport: any Transport,
        _ access: CacheAccess
    ) {
        self.transfer = transfer
        self.sink = sink
        self.task = task
        self.transport = transport
        self.access = access
        lookup = CacheLookup(transfer, policy: access.policy, cookieGeneration: access.cookieGeneration.value)
    }

    func start() {
        let mayBeAnswered = access.isReading && lookup.policy != .reloadIgnoringLocalCacheData
        guard let cache = access.cache, mayBeAnswered, CacheRules.isAnswerable(lookup) else { return proceed(nil) }
        cache.find(lookup) { self.proceed($0) }
    }

    private func proceed(_ stored: StoredResponse?) {
        let servesStale = access.cache?.servesStaleWhileRevalidating ?? false
        switch CacheRules.decide(lookup, stored, at: now, servesStale: servesStale) {
        case .load: load(instead: stored)
        case .validate(let stored): validate(stored)
        case .serve(let stored): serve(stored)
        case .serveAndRevalidate(let stored):
            serve(stored)
            revalidate(stored)
        case .gatewayTimeout: replay(.gatewayTimeout(for: lookup), body: Data())
        case .fail: fail(TransferFailure(.notCached, "the cache has no response for the request"))
        }
    }

    private var now: Date { access.cache?.now() ?? .now }

    // From the cache

    private func serve(_ stored: StoredResponse) {
        replay(stored.served(at: now), body: lookup.method == .head ? Data() : stored.body)
    }

    private func replay(_ response: HTTPURLResponse, body: Data) {
        var metrics = TransactionMetrics(transfer)
        metrics.resourceFetchType = .localCache
        metrics.protocolName = response.httpVersion
        metrics.statusCode = response.statusCode
        metrics.response = response
        metrics.decodedBodyBytes = Int64(body.count)
        let outcome = TransferOutcome(failure: nil, metrics: metrics)
        run { Replay.start(response, body: body, outcome, into: sink) }
    }

    private func fail(_ failure: TransferFailure) {
        let outcome = TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
        run { Replay.start(nil, body: Data(), outcome, into: sink) }
    }

    // From the server

    private func load(instead stored: StoredResponse? = nil) {
        guard let cache = access.cache else { return run { transport.start(transfer, into: sink) } }
        let recorder = CacheRecorder(lookup, in: cache, access, of: task, replacing: stored, sink: sink)
        run { transport.start(transfer, into: recorder) }
    }

    private func validate(_ stored: StoredResponse) {
        guard let cache = access.cache else { return load() }
        let recorder = CacheRecorder(lookup, in: cache, access, of: task, replacing: stored, sink: sink)
        recorder.validate { confirmed, outcome in
            // A server that sends 304 for another response must send the complete one.
            guard let confirmed else { return self.load() }
            let response = confirmed.served(at: self.now)
            self.run { Replay.start(response, body: confirmed.body, outcome, into: self.sink) }
        }
        run { transport.start(transfer.adding(stored.conditions), into: recorder) }
    }

    /// Revalidates a stored response in the background, after it was served.
    private func revalidate(_ stored: StoredResponse) {
        guard let cache = access.cache, cache.beginRevalidation(of: lookup.key) else { return }
        let sink = RevalidationSink(of: lookup.key, in: cache)
        let recorder = CacheRecorder(lookup, in: cache, access, of: task, replacing: stored, sink: sink)
        recorder.validate { _, outcome in sink.finish(outcome) }
        _ = transport.start(transfer.adding(stored.conditions), into: recorder)
    }

    // Controls

    /// Starts a part and forwards earlier controls to it.
    private func run(_ start: () -> any TransferControl) {
        let (stage, state) = mutableState.withLock { mutableState in
            mutableState.stage += 1
            mutableState.control = nil
            return (mutableState.stage, mutableState.state)
        }
        let control = state == .canceling ? cancelled() : start()
        let (isCurrent, owesDrain) = mutableState.withLock { mutableState in
            // The part may have ended already and been followed by another.
            guard mutableState.stage == stage else { return (false, false) }
            mutableState.control = control
            defer { mutableState.owesDrain = false }
            return (true, mutableState.owesDrain)
        }
        guard isCurrent else { return }
        if owesDrain { control.drain() }
        steer(from: .running)
    }

    private func cancelled() -> any TransferControl {
        let failure = TransferFailure(.cancelled, "the request was cancelled")
        let outcome = TransferOutcome(failure: failure, metrics: TransactionMetrics(transfer))
        return Replay.start(nil, body: Data(), outcome, into: sink)
    }

    /// Sets the requested state; cancelling is final.
    private func order(_ state: TransferTask.State) {
        let told = mutableState.withLock { mutableState in
            let told = mutableState.state
            if told != .canceling { mutableState.state = state }
            return told
        }
        steer(from: told)
    }

    private func steer(from told: TransferTask.State) {
        TransferTask.State.steer(from: told) { mutableState.withLock { ($0.state, $0.control) } }
    }

    func cancel() { order(.canceling) }
    func suspend() { order(.suspended) }
    func resume() { order(.running) }

    func drain() {
        let control = mutableState.withLock { mutableState in
            mutableState.owesDrain = mutableState.control == nil
            return mutableState.control
        }
        control?.drain()
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
