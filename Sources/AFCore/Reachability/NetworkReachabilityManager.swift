public import Dispatch
internal import Synchronization

/// Tells whether the network is reachable, and when that changes; the kernel is asked over rtnetlink.
///
/// Reachable means that there is a route, a link that is up, and an address: the machine could send. Whether somebody
/// answers is known only after a request. Decide by the outcome of requests, and use this to know when to try again.
///
/// ```swift
/// let manager = NetworkReachabilityManager()
/// manager?.startListening { status in print(status) }
/// ```
public final class NetworkReachabilityManager: Sendable {
    /// Called with what the status is from now on.
    public typealias Listener = @Sendable (_ status: NetworkReachabilityStatus) -> Void

    private struct Listening {
        let number: Int
        let socket: NetlinkSocket
        /// Sources may be cancelled from any thread, but Dispatch does not say so to the compiler.
        nonisolated(unsafe) let source: any DispatchSourceRead
        let queue: DispatchQueue
        let listener: Listener
        var last: NetworkReachabilityStatus?
    }

    private struct Contents {
        var listening: Listening?
        var count = 0
    }

    /// Watches the way to the internet; `nil` where the kernel does not tell.
    public static let `default` = NetworkReachabilityManager()

    /// Where changes are looked at.
    public let reachabilityQueue = DispatchQueue(label: "org.afcli.reachability")
    private let destination: NetworkDestination
    private let contents = Mutex(Contents())

    /// Watches the way to the internet: a default route.
    ///
    /// - Returns: `nil` where the kernel does not tell.
    public convenience init?() { self.init(.internet) }

    /// Watches the way to a host.
    ///
    /// To an address the way is the one that the kernel would take. A name is not looked up: its way is that to the
    /// internet, unless it is `localhost`.
    ///
    /// - Returns: `nil` for what is no host, and where the kernel does not tell.
    public convenience init?(host: String) {
        guard let destination = NetworkDestination(host: host) else { return nil }
        self.init(destination)
    }

    private init?(_ destination: NetworkDestination) {
        guard NetlinkSocket() != nil else { return nil }
        self.destination = destination
    }

    deinit { stopListening() }

    /// Whether there is a way.
    public var isReachable: Bool { status.connectionType != nil }

    /// Whether there is a way through a mobile network.
    public var isReachableOnCellular: Bool { status.connectionType == .cellular }

    /// Whether there is a way through any other network.
    public var isReachableOnEthernetOrWiFi: Bool { status.connectionType == .ethernetOrWiFi }

    /// How it is now; the kernel is asked each time.
    public var status: NetworkReachabilityStatus { destination.status() }

    /// Calls back with the status as it is, and then with each one that differs from the last.
    ///
    /// An earlier listener is told nothing any more.
    ///
    /// - Returns: `false` where the kernel does not tell.
    @discardableResult
    public func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping Listener
    ) -> Bool {
        stopListening()
        guard let socket = NetlinkSocket(groups: .all) else { return false }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: reachabilityQueue)
        let number = contents.withLock { contents in
            contents.count += 1
            return contents.count
        }
        source.setEventHandler { [weak self] in
            // What the news are does not matter: looking again is simpler than adding them up, and sees them all.
            socket.discardWaiting()
            self?.look(number)
        }
        // The descriptor is closed with the socket, after epoll has let go of it.
        source.setCancelHandler { _ = socket }
        let overtaken = contents.withLock { contents in
            let overtaken = contents.listening
            contents.listening = Listening(
                number: number,
                socket: socket,
                source: source,
                queue: queue,
                listener: listener
            )
            return overtaken
        }
        // Somebody else may have begun at the same time.
        overtaken?.source.cancel()
        source.activate()
        reachabilityQueue.async { [weak self] in self?.look(number) }
        return true
    }

    /// Calls back no more.
    public func stopListening() {
        let listening = contents.withLock { $0.listening.take() }
        listening?.source.cancel()
    }

    private func look(_ number: Int) {
        let status = status
        let news = contents.withLock { contents -> (DispatchQueue, Listener)? in
            guard let listening = contents.listening, listening.number == number, listening.last != status else {
                return nil
            }
            contents.listening?.last = status
            return (listening.queue, listening.listener)
        }
        guard let (queue, listener) = news else { return }
        queue.async { [weak self] in
            guard self?.contents.withLock({ $0.listening?.number }) == number else { return }
            listener(status)
        }
    }
}
