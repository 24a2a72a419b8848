internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// What a task needs to know of its session's cache.
///
/// An object: a task without a cache holds no more than the place for it.
final class CacheAccess: Sendable {
    let cache: ResponseCache?
    let policy: URLRequest.CachePolicy
    /// Whether responses are served and kept; else the request only makes them out of date.
    let isReading: Bool
    let cookieMark: CookieMark
    private let ask: Ask

    /// Asks the monitors and the handler about a response, and calls `finish` after the last of them.
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
        cookieMark: CookieMark,
        ask: @escaping Ask
    ) {
        self.cache = cache
        self.policy = policy
        self.isReading = isReading
        self.cookieMark = cookieMark
        self.ask = ask
    }

    /// Asks the monitors and the handler whether to store a response, and as what.
    ///
    /// - Parameters:
    ///   - keep: Given what is to be stored; `nil` for nothing.
    ///   - finish: Called after the last of them.
    func offer(
        _ response: CachedURLResponse,
        of task: TransferTask,
        keep: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    ) {
        ask(response, task, keep, finish)
    }

    /// Starts a transfer that the cache may answer instead of the transport.
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

/// Stands for the cookies of a session, which only the transport sees: what was answered to them is not for others.
///
/// Requests that are under way when it changes may have had other cookies than it says; their responses are not kept.
final class CookieMark: Sendable {
    private let mark = Mutex<UInt64?>(nil)

    /// `nil` as long as the session has met no cookie; means nothing to other sessions and processes.
    var value: UInt64? { mark.withLock { $0 } }

    /// The cookies are others from now on, maybe another user's.
    func renew() { mark.withLock { $0 = .random(in: 0 ... .max) } }

    /// There are cookies now, if there were none.
    func begin() { mark.withLock { $0 = $0 ?? .random(in: 0 ... .max) } }
}
