public import Dispatch
internal import Synchronization

/// A notification about a request, for code that has no reference to it.
public struct RequestNotification: Sendable {
    /// The name of a notification; the eight names are static members of ``Request``.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The text of the name; also Foundation's notification name, if it is posted there.
        public let rawValue: String

        /// Creates a name; the prefix `org.alamofire.` is reserved.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The name.
    public let name: Name
    /// The request.
    public let request: Request

    /// Creates a notification.
    public init(name: Name, request: Request) {
        self.name = name
        self.request = request
    }
}

/// Delivers notifications to observers.
///
/// Replaces Foundation's `NotificationCenter` in Alamofire's API; with AFFoundation notifications are posted there as
/// well.
public final class RequestNotificationCenter: Sendable {
    /// The shared center, to which ``AlamofireNotifications`` post by default.
    public static let `default` = RequestNotificationCenter()

    /// A token that ends an observation.
    public struct Observation: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Observer: Sendable {
        let number: Int
        let name: RequestNotification.Name?
        let request: ObjectIdentifier?
        let queue: DispatchQueue?
        let handler: @Sendable (RequestNotification) -> Void

        func observes(_ notification: RequestNotification) -> Bool {
            (name == nil || name == notification.name)
                && (request == nil || request == ObjectIdentifier(notification.request))
        }
    }

    private let observers = Mutex<(last: Int, all: [Observer])>((0, []))
    /// The number of observers, read at every event of every request.
    private let count = Atomic(0)

    /// Creates a center without observers.
    public init() {}

    /// Whether there are observers.
    public var isObserved: Bool { count.load(ordering: .relaxed) > 0 }

    /// Calls the closure with later notifications until the observation is removed.
    ///
    /// - Parameters:
    ///   - name: The name to observe; by default all.
    ///   - request: The request to observe; by default all. It is not retained.
    ///   - queue: The queue of the calls; by default the posting thread.
    public func addObserver(
        forName name: RequestNotification.Name? = nil,
        request: Request? = nil,
        queue: DispatchQueue? = nil,
        using handler: @escaping @Sendable (RequestNotification) -> Void
    ) -> Observation {
        observers.withLock { observers in
            observers.last += 1
            let request = request.map { ObjectIdentifier($0) }
            let number = observers.last
            observers.all.append(
                Observer(number: number, name: name, request: request, queue: queue, handler: handler)
            )
            count.store(observers.all.count, ordering: .relaxed)
            return Observation(number: number)
        }
    }

    /// Ends the observation. A call in progress is completed.
    public func removeObserver(_ observation: Observation) {
        let removed = observers.withLock { observers in
            let removed = observers.all.filter { $0.number == observation.number }
            observers.all.removeAll { $0.number == observation.number }
            count.store(observers.all.count, ordering: .relaxed)
            return removed
        }
        // The handler is released outside of the lock, as that may run user code.
        withExtendedLifetime(removed) {}
    }

    /// Calls the observers in the order they were added.
    public func post(_ notification: RequestNotification) {
        let observers = observers.withLock { $0.all.filter { $0.observes(notification) } }
        for observer in observers {
            if let queue = observer.queue {
                queue.async { observer.handler(notification) }
            } else {
                observer.handler(notification)
            }
        }
    }

    /// Returns later notifications as a sequence, which ends when it is released.
    public func notifications(
        named name: RequestNotification.Name? = nil,
        request: Request? = nil
    ) -> AsyncStream<RequestNotification> {
        AsyncStream { continuation in
            let observation = addObserver(forName: name, request: request) { continuation.yield($0) }
            continuation.onTermination = { _ in self.removeObserver(observation) }
        }
    }
}
