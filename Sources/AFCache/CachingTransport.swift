internal import AFHTTP
internal import AFRequests
internal import AFTransport
internal import Synchronization

/// A transport that serves stored responses, and stores the responses of the transport that it wraps (RFC 9111).
///
/// Transfers without a `CacheUse` do not use the cache.
final class CachingTransport: Transport {
    private let transport: any Transport
    private let cache: ResponseCache
    private let cookieGeneration = CookieGeneration()

    init(_ transport: any Transport, cache: ResponseCache) {
        self.transport = transport
        self.cache = cache
    }

    func start(_ transfer: Transfer, into sink: any TransferSink) -> any TransferControl {
        var transfer = transfer
        // Removed, as it retains the request: a transport may keep its transfers.
        guard let use = transfer.cacheUse.take() else { return transport.start(transfer, into: sink) }
        return CacheExchange.start(transfer, into: sink, use, over: transport, cache, cookieGeneration)
    }

    func cookies() async -> [HTTPCookie] { await transport.cookies() }

    func setCookies(_ cookies: [HTTPCookie]) {
        transport.setCookies(cookies)
        cookieGeneration.renew()
    }

    func deleteAllCookies() {
        transport.deleteAllCookies()
        cookieGeneration.renew()
    }

    func shutdown() { transport.shutdown() }
}

/// The generation of a session's cookies, which only the transport can read: responses to them are not for other
/// sessions.
///
/// A request that is in progress when the generation changes may have been sent with other cookies; its response is not
/// stored.
final class CookieGeneration: Sendable {
    private let generation = Mutex<UInt64?>(nil)

    /// The generation; `nil` before the session's first cookie. Meaningless to other sessions and processes.
    var value: UInt64? { generation.withLock { $0 } }

    /// Starts a new generation: the cookies have changed, possibly to another user's.
    func renew() { generation.withLock { $0 = .random(in: 0 ... .max) } }

    /// Starts the first generation, if there were no cookies before.
    func begin() { generation.withLock { $0 = $0 ?? .random(in: 0 ... .max) } }
}
