public import Dispatch
internal import Synchronization

/// Monitors the reachability of the network or of a host, using the kernel's rtnetlink interface.
///
/// Reachable means that there are a route, a link that is up, and an address: the machine can send. Only a request
/// shows whether a server responds. Rely on the results of requests, and use this class to decide when to retry.
///
/// ```swift
/// let manager = NetworkReachabilityManager()
/// manager?.startListening { status in print(status) }
/// ```
public final class NetworkReachabilityManager: Sendable {
    /// A closure that receives each new status.
    public typealias Listener = @Sendable (_ status: NetworkReachabilityStatus) -> Void

    private struct ListenerState {
        let number: Int
        let socket: NetlinkSocket
        /// Sources may be canceled from any thread, but are not declared `Sendable`.
        nonisolated(unsafe) let source: any DispatchSourceRead
        let queue: DispatchQueue
        let listener: Listener
        var last: NetworkReachabilityStatus?
    }

    private struct State {
        var listening: ListenerState?
        var count = 0
    }

    /// A manager for the internet; `nil` if the kernel does not support it.
    public static let `default` = NetworkReachabilityManager()

    /// The queue on which changes are processed.
    public let reachabilityQueue = DispatchQueue(label: "org.afcli.reachability")
    private let destination: NetworkDestination
    private let state = Mutex(State())

    /// Creates a manager for the internet: a default route.
    ///
    /// - Returns: `nil` if the kernel does not support it.
    public convenience init?() { self.init(.internet) }

    /// Creates a manager for a host.
    ///
    /// For an address it watches the kernel's route to it. A name is not resolved: it counts as the internet, unless it
    /// is `localhost`.
    ///
    /// - Returns: `nil` for an invalid host, or if the kernel does not support it.
    public convenience init?(host: String) {
        guard let destination = NetworkDestination(host: host) else { return nil }
        self.init(destination)
    }

    private init?(_ destination: NetworkDestination) {
        guard NetlinkSocket() != nil else { return nil }
        self.destination = destination
    }

    deinit { stopListening() }

    /// Whether the destination is reachable.
    public var isReachable: Bool { status.connectionType != nil }

    /// Whether the destination is reachable through a mobile network.
    public var isReachableOnCellular: Bool { status.connectionType == .cellular }

    /// Whether the destination is reachable through any other network.
    public var isReachableOnEthernetOrWiFi: Bool { status.connectionType == .ethernetOrWiFi }

    /// The current status, requested from the kernel each time.
    public var status: NetworkReachabilityStatus { destination.status() }

    /// Calls back with the current status and then with each different one.
    ///
    /// Replaces an earlier listener.
    ///
    /// - Returns: `false` if the kernel does not support it.
    @discardableResult
    public func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping Listener
    ) -> Bool {
        stopListening()
        guard let socket = NetlinkSocket(groups: .all) else { return false }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: reachabilityQueue)
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        source.setEventHandler { [weak self] in
            // The contents of the messages are ignored: reading the complete state is simpler than applying changes.
            socket.discardWaiting()
            self?.look(number)
        }
        // The descriptor is closed with the socket, after epoll has released it.
        source.setCancelHandler { _ = socket }
        let overtaken = state.withLock { state in
            let overtaken = state.listening
            state.listening = ListenerState(
                number: number,
                socket: socket,
                source: source,
                queue: queue,
                listener: listener
            )
            return overtaken
        }
        // Another thread may have started at the same time.
        overtaken?.source.cancel()
        source.activate()
        reachabilityQueue.async { [weak self] in self?.look(number) }
        return true
    }

    /// Stops calling back.
    public func stopListening() {
        let listening = state.withLock { $0.listening.take() }
        listening?.source.cancel()
    }

    private func look(_ number: Int) {
        let status = status
        let change = state.withLock { state -> (DispatchQueue, Listener)? in
            guard let listening = state.listening, listening.number == number, listening.last != status else {
                return nil
            }
            state.listening?.last = status
            return (listening.queue, listening.listener)
        }
        guard let (queue, listener) = change else { return }
        queue.async { [weak self] in
            guard self?.state.withLock({ $0.listening?.number }) == number else { return }
            listener(status)
        }
    }
}
