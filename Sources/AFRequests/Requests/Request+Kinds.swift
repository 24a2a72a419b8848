internal import Synchronization

/// The parts of a request's state that the kinds of requests in other targets use.
extension Request {
    /// Whether the request has ended, and has called its response handlers.
    package var isDone: Bool { mutableState.withLock { $0.lifecycle.isDone } }

    /// Whether the latest attempt has a request body.
    package var hasBody: Bool { mutableState.withLock { $0.sentBody != nil } }

    /// Whether there are validators.
    package var hasValidators: Bool { mutableState.withLock { !$0.validators.isEmpty } }

    /// Sets the options and the monitors of another request.
    package func inherit(from other: Request) {
        let settings = other.mutableState.withLock { $0.settings }
        hasOwnMonitors.store(other.hasOwnMonitors.load(ordering: .acquiring), ordering: .releasing)
        mutableState.withLock { $0.settings = settings }
    }
}
