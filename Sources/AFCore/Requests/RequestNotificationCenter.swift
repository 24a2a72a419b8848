public import Dispatch
internal import Synchronization

/// Something that happened to a request, for parts of a program that do not know who made it.
public struct RequestNotification: Sendable {
    /// What happened; the eight names are statics of ``Request``.
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// The text by which names are compared; Foundation's name of the notification, where it is posted there, too.
        public let rawValue: String

        /// A name; those that begin with `org.alamofire.` are taken.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What happened.
    public let name: Name
    /// To whom.
    public let request: Request

    /// A notification to post.
    public init(name: Name, request: Request) {
        self.name = name
        self.request = request
    }
}

/// Passes notifications on to whoever asked for them.
///
/// It stands where Alamofire uses Foundation's `NotificationCenter`; with AFFoundation they arrive there as well.
public final class RequestNotificationCenter: Sendable {
    /// What the program shares, and ``AlamofireNotifications`` post to unless told otherwise.
    public static let `default` = RequestNotificationCenter()

    /// What ends an observation.
    public struct Observation: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Observer: Sendable {
        let number: Int
        let name: RequestNotification.Name?
        let request: ObjectIdentifier?
        let queue: DispatchQueue?
        let handler: @Sendable (RequestNotification) -> Void

        func wants(_ notification: RequestNotification) -> Bool {
            (name == nil || name == notification.name)
                && (request == nil || request == ObjectIdentifier(notification.request))
        }
    }

    private let observers = Mutex<(last: Int, all: [Observer])>((0, []))
    /// How many there are: asked at every event of every request.
    private let count = Atomic(0)

    /// A center that nobody observes yet.
    public init() {}

    /// Whether anybody observes.
    public var isObserved: Bool { count.load(ordering: .relaxed) > 0 }

    /// Calls back with what is posted from now on, until the observation is removed.
    ///
    /// - Parameters:
    ///   - name: What to hear of; everything unless given.
    ///   - request: Whom to hear of; everybody unless given. It is not held.
    ///   - queue: Where to call; where the notification is posted unless given.
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

    /// Ends the observation. A call that is under way comes to its end.
    public func removeObserver(_ observation: Observation) {
        let removed = observers.withLock { observers in
            let removed = observers.all.filter { $0.number == observation.number }
            observers.all.removeAll { $0.number == observation.number }
            count.store(observers.all.count, ordering: .relaxed)
            return removed
        }
        // What a handler holds goes outside the lock: it may be anybody's.
        withExtendedLifetime(removed) {}
    }

    /// Calls the observers in the order they came.
    public func post(_ notification: RequestNotification) {
        let observers = observers.withLock { $0.all.filter { $0.wants(notification) } }
        for observer in observers {
            if let queue = observer.queue {
                queue.async { observer.handler(notification) }
            } else {
                observer.handler(notification)
            }
        }
    }

    /// What is posted from now on, until nobody holds the sequence any more.
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
