internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// The access of a task to its session's cache.
///
/// An object, so that a task without a cache stores only a pointer.
final class CacheAccess: Sendable {
    let cache: ResponseCache?
    let policy: URLRequest.CachePolicy
    /// Whether responses are served and stored; otherwise the request only invalidates stored ones.
    let isReading: Bool
    let cookieGeneration: CookieGeneration
    private let ask: Ask

    /// Asks the monitors and the handler about a response, and calls `finish` afterwards.
    typealias Ask =
        @Sendable (
            _ response: CachedURLResponse,
            _ task: TransferTask,
            _ keep: @escaping @Sendable (CachedURLResponse?) -> Void,
            _ finish: @escaping @Sendable () -> Void
        ) -> Void

    init(
        _ cache: ResponseCache?,
        policy: URLRequest.CachePolicy,
        isReading: Bool,
        cookieGeneration: CookieGeneration,
        ask: @escaping Ask
    ) {
        self.cache = cache
        self.policy = policy
        self.isReading = isReading
        self.cookieGeneration = cookieGeneration
        self.ask = ask
    }

    /// Asks the monitors and the handler whether to store a response, and in which form.
    ///
    /// - Parameters:
    ///   - keep: Receives the response to store; `nil` for none.
    ///   - finish: Called after the last decision.
    func offer(
        _ response: CachedURLResponse,
        of task: TransferTask,
        keep: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    ) {
        ask(response, task, keep, finish)
    }

    /// Starts a transfer that the cache may serve instead of the transport.
    func start(
        _ transfer: Transfer,
        into sink: any TransferSink,
        of task: TransferTask,
        over transport: any Transport
    ) -> any TransferControl {
        let exchange = CacheExchange(transfer, into: sink, of: task, over: transport, self)
        exchange.start()
        return exchange
    }
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
