public import AFRequests
internal import AFTransport
public import Dispatch
internal import Glibc
internal import Synchronization

/// Waits for the network after requests failed without one, then retries them.
///
/// All of them wait together, starting with the first failure. If the wait times out, they fail with their own errors,
/// for which the next retrier is asked. A request that fails although there is a network is retried once: the network
/// may have just returned.
public final class OfflineRetrier: RequestInterceptor {
    /// The type of network.
    public typealias ConnectionType = NetworkReachabilityManager.NetworkReachabilityStatus.ConnectionType

    /// Five seconds.
    public static let defaultWait = DispatchTimeInterval.seconds(5)

    /// Whether a transfer failed because a name could not be resolved or there is no route to its address.
    public static let defaultIsOfflineError: @Sendable (_ error: any Error) -> Bool = { error in
        error.transferFailure?.isOffline ?? false
    }

    private struct State {
        /// The completions of waiting requests.
        var waiting: [@Sendable (RetryResult) -> Void] = []
        /// The number of the current or latest wait.
        var number = 0
    }

    private let monitor: (any NetworkMonitoring)?
    private let suffices: @Sendable (ConnectionType) -> Bool
    private let maximumWait: DispatchTimeInterval
    private let isOfflineError: @Sendable (_ error: any Error) -> Bool
    private let queue = DispatchQueue(label: "org.afcli.offlineRetrier")
    private let state = Mutex(State())

    /// Creates a retrier.
    ///
    /// - Parameters:
    ///   - monitor: A manager that only this retrier uses, as a manager has one listener. If `nil`, nothing is retried.
    ///   - isOfflineError: Whether an error means that the network is missing.
    public convenience init(
        monitor: NetworkReachabilityManager? = NetworkReachabilityManager(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        self.init(monitor, suffices: { _ in true }, maximumWait, isOfflineError)
    }

    /// Creates a retrier that waits for a network of one type.
    public convenience init(
        requiredConnectionType: ConnectionType,
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) {
        let monitor = NetworkReachabilityManager()
        self.init(monitor, suffices: { $0 == requiredConnectionType }, maximumWait, isOfflineError)
    }

    /// Creates a retrier that waits for a network of any other type.
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

    /// Calls back when there is a network, or after the timeout.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let monitor, isOfflineError(error) else { return completion(.doNotRetry) }
        if isOnline(monitor.status) { return completion(request.retryCount == 0 ? .retry : .doNotRetry) }
        let number = state.withLock { state -> Int? in
            state.waiting.append(completion)
            guard state.waiting.count == 1 else { return nil }
            state.number += 1
            return state.number
        }
        if let task = request.task {
            request.observers?.notify { $0.request(request, taskIsWaitingForConnectivity: task) }
        }
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

    private func end(_ number: Int, _ result: RetryResult) {
        let waiting = state.withLock { state in
            guard state.number == number else { return [] as [@Sendable (RetryResult) -> Void] }
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !waiting.isEmpty else { return }
        monitor?.stopListening()
        for completion in waiting { completion(result) }
    }
}

/// A source of reachability changes for an ``OfflineRetrier``.
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
    /// Whether the failure is typical of a missing network.
    fileprivate var isOffline: Bool {
        kind == .unresolvedHost || kind == .unresolvedProxy
            || osErrorNumber.map([ENETDOWN, ENETUNREACH, EHOSTUNREACH, ENONET].contains) ?? false
    }
}

extension RequestInterceptor where Self == OfflineRetrier {
    /// A retrier that waits five seconds for any network.
    public static var offlineRetrier: OfflineRetrier { OfflineRetrier() }

    /// Returns a retrier that waits for any network.
    public static func offlineRetrier(
        monitor: NetworkReachabilityManager? = NetworkReachabilityManager(),
        maximumWait: DispatchTimeInterval = OfflineRetrier.defaultWait,
        isOfflineError: @escaping @Sendable (_ error: any Error) -> Bool = OfflineRetrier.defaultIsOfflineError
    ) -> OfflineRetrier {
        OfflineRetrier(monitor: monitor, maximumWait: maximumWait, isOfflineError: isOfflineError)
    }

    /// Returns a retrier that waits for a network of one type.
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

    /// Returns a retrier that waits for a network of any other type.
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
