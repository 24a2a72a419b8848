internal import Dispatch

/// The monitors of a session or a request.
///
/// Conforms to ``RequestEventMonitor`` only so that it can be passed where monitors are expected; its monitors are used
/// instead. Its own event methods do nothing: ``notify(_:)`` reports an event.
public final class CompositeEventMonitor: RequestEventMonitor {
    /// The monitors, in the order of the calls.
    public let monitors: [any RequestEventMonitor]
    private let creationObservers: [any RequestCreationObserver]

    init(monitors: [any RequestEventMonitor]) {
        self.monitors = monitors.flatMap { ($0 as? CompositeEventMonitor)?.monitors ?? [$0] }
        creationObservers = self.monitors.compactMap { $0 as? any RequestCreationObserver }
    }

    /// Whether one of the monitors observes events.
    public var observesEvents: Bool { monitors.contains { $0.observesEvents } }
    /// Whether one of the monitors observes body chunks.
    public var observesBodies: Bool { monitors.contains { $0.observesBodies } }

    /// Reports an event to each monitor that observes events, on the monitor's queue.
    ///
    /// - Parameter event: Calls one of ``RequestEventMonitor``'s methods.
    public func notify(_ event: @escaping @Sendable (any RequestEventMonitor) -> Void) { notify(ofChunk: false, event) }

    /// Reports an event; a body chunk only to the monitors that observe those.
    package func notify(ofChunk isChunk: Bool, _ event: @escaping @Sendable (any RequestEventMonitor) -> Void) {
        for monitor in monitors where monitor.observesEvents && (!isChunk || monitor.observesBodies) {
            monitor.queue.async { event(monitor) }
        }
    }

    /// Calls the observers of new requests on this thread.
    func didCreate(_ request: Request) {
        for observer in creationObservers { observer.didCreate(request) }
    }
}
