internal import AFTransport
public import Dispatch
internal import Glibc
internal import Synchronization

/// Waits for the network when requests failed for want of one, and then tries them again.
///
/// All of them wait together, from the first failure on. Those whose wait was in vain fail with their own errors, for
/// which the next retrier is asked. A request that fails although the network is there is tried again once: it may have
/// come back meanwhile.
public final class OfflineRetrier: RequestInterceptor {
    /// What kind of network a machine is in.
    public typealias ConnectionType = NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType

    /// Five seconds.
    public static let defaultWait = DispatchTimeInterval.seconds(5)

    /// Whether a transfer failed because a name could not be looked up, or because no network leads to its address.
    public static let defaultIsOfflineError: @Sendable (_ error: any Error) -> Bool = { error in
        error.transferFailure?.isOffline ?? false
    }

    private struct Contents {
        /// Those who wait for the network.
        var waiting: [@Sendable (RetryResult) -> Void] = []
        /// Of the wait under way or the last one.
        var number = 0
    }

    private let monitor: (any NetworkMonitoring)?
    private let suffices: @Sendable (ConnectionType) -> Bool
    private let maximumWait: DispatchTimeInterval
    private let isOfflineError: @Sendable (_ error: any Error) -> Bool
    private let queue = DispatchQueue(label: "org.afcli.offlineRetrier")
    private let contents = Mutex(Contents())

    /// - Parameters:
    ///   - monitor: Of the retrier's own, as it has but one listener. Where there is none, nothing is tried again.
    ///   - isOfflineError: Whether an error is worth the wait.
    public convenience init(
        monitor: NetworkReachabilityManager? = NetworkReachabilityManager(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        self.init(monitor, suffices: { _ in true }, maximumWait, isOfflineError)
    }

    /// Waits for a network of one kind.
    public convenience init(
        requiredConnectionType: ConnectionType,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        let monitor = NetworkReachabilityManager()
        self.init(monitor, suffices: { $0 == requiredConnectionType }, maximumWait, isOfflineError)
    }

    /// Waits for a network that is of none of these kinds.
    public convenience init(
        prohibitedConnectionTypes: Set<ConnectionType>,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        let monitor = NetworkReachabilityManager()
        self.init(monitor, suffices: { !prohibitedConnectionTypes.contains($0) }, maximumWait, isOfflineError)
    }

    init(
        _ monitor: (any NetworkMonitoring)?,
        suffices: @escaping @Sendable (ConnectionType) -> Bool,
        _ maximumWait: DispatchTimeInterval,
        _ isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool
    ) {
        self.monitor = monitor
        self.suffices = suffices
        self.maximumWait = maximumWait
        self.isOfflineError = isOfflineError
    }

    deinit { monitor?.stopListening() }

    /// Answers once there is a network, or once the wait is over.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let monitor, isOfflineError(error) else { return completion(.doNotRetry) }
        if isOnline(monitor.status) { return completion(request.retryCount == 0 ? .retry : .doNotRetry) }
        let number = contents.withLock { contents -> Int? in
            contents.waiting.append(completion)
            guard contents.waiting.count == 1 else { return nil }
            contents.number += 1
            return contents.number
        }
        if let task = request.lastTask { request.tell { $0.request(request, taskIsWaitingForConnectivity: task) } }
        if let number { queue.async { [weak self] in self?.wait(number, monitor) } }
    }

    private func isOnline(_ status: NetworkReachabilityManager.NetworkReachabilityStatus) -> Bool {
        status.connectionType.map(suffices) ?? false
    }

    private func wait(_ number: Int, _ monitor: any NetworkMonitoring) {
        queue.asyncAfter(deadline: .now() + maximumWait) { [weak self] in self?.end(number, .doNotRetry) }
        let isListening = monitor.startListening(onQueue: queue) { [weak self] status in
            guard let self, self.isOnline(status) else { return }
            self.end(number, .retry)
        }
        if !isListening { end(number, .doNotRetry) }
    }

    private func end(_ number: Int, _ verdict: RetryResult) {
        let waiting = contents.withLock { contents in
            guard contents.number == number else { return [] as [@Sendable (RetryResult) -> Void] }
            defer { contents.waiting = [] }
            return contents.waiting
        }
        guard !waiting.isEmpty else { return }
        monitor?.stopListening()
        for completion in waiting { completion(verdict) }
    }
}

/// What tells an ``OfflineRetrier`` of the network.
protocol NetworkMonitoring: Sendable {
    var status: NetworkReachabilityManager.NetworkReachabilityStatus { get }
    func startListening(
        onQueue queue: DispatchQueue,
        onUpdatePerforming listener: @escaping NetworkReachabilityManager.Listener
    ) -> Bool
    func stopListening()
}

extension NetworkReachabilityManager: NetworkMonitoring {}

extension TransferFailure {
    /// Whether it is what a machine without a network meets.
    fileprivate var isOffline: Bool {
        kind == .unresolvedHost || kind == .unresolvedProxy
            || osErrorNumber.map([ENETDOWN, ENETUNREACH, EHOSTUNREACH, ENONET].contains) ?? false
    }
}

extension RequestInterceptor where Self == OfflineRetrier {
    /// Waits five seconds for a network of any kind.
    public static var offlineRetrier: OfflineRetrier { OfflineRetrier() }

    /// Waits for a network of any kind.
    public static func offlineRetrier(
        monitor: NetworkReachabilityManager? = NetworkReachabilityManager(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(monitor: monitor, maximumWait: maximumWait, isOfflineError: isOfflineError)
    }

    /// Waits for a network of one kind.
    public static func offlineRetrier(
        requiredConnectionType: OfflineRetrier.ConnectionType,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(
            requiredConnectionType: requiredConnectionType,
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }

    /// Waits for a network that is of none of these kinds.
    public static func offlineRetrier(
        prohibitedConnectionTypes: Set<OfflineRetrier.ConnectionType>,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(
            prohibitedConnectionTypes: prohibitedConnectionTypes,
            maximumWait: maximumWait,
            isOfflineError: isOfflineError
        )
    }
}
