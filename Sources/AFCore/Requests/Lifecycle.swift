/// The life of one request as a value: facts go in, the next step comes out.
///
/// It holds no lock, calls nobody and knows no clock, so a test drives it line by line.
///
///     idle ─► preparing ─► transferring ─► validating ─► serializing ─► done
///                ▲   └──────────┬─────────────┘ │             │
///                │              ▼               │             │
///             waiting ◄───── deciding ◄─────────┴─────────────┘
struct Lifecycle {
    enum Step: Equatable {
        case none
        /// Make the URLRequest, adapt it, make the task.
        case prepare
        /// Create the task; start it where `isRunning`, hold it otherwise.
        case makeTask(isRunning: Bool)
        case resumeTask
        case suspendTask
        case cancelTask
        case validate
        /// Ask the retriers.
        case decide
        /// Prepare again after the delay the retrier wants.
        case wait
        /// Run the serializers that have not run; the first time, the request is said to have finished.
        case serialize(isFirst: Bool)
        /// Call whoever waits; nothing more will happen.
        case complete
    }

    private enum Phase: Equatable {
        case idle, preparing, transferring, validating, deciding, waiting, serializing
        /// A serializer's error is offered to the retriers.
        case reconsidering
        case done
    }

    private(set) var state = Request.State.initialized
    private(set) var retryCount = 0
    private var phase = Phase.idle

    /// Whether the task of the moment may still be steered.
    var hasRunningTask: Bool { phase == .transferring }

    // What callers want.

    mutating func resume() -> Step {
        guard state == .initialized || state == .suspended else { return .none }
        state = .resumed
        switch phase {
        case .idle:
            phase = .preparing
            return .prepare
        case .transferring: return .resumeTask
        default: return .none
        }
    }

    mutating func suspend() -> Step {
        guard state == .initialized || state == .resumed else { return .none }
        state = .suspended
        return phase == .transferring ? .suspendTask : .none
    }

    mutating func cancel() -> Step {
        guard state != .cancelled, state != .finished else { return .none }
        state = .cancelled
        switch phase {
        case .idle, .preparing, .waiting:
            phase = .serializing
            return .serialize(isFirst: true)
        case .transferring: return .cancelTask
        // The step under way ends by itself, and finds the request cancelled.
        case .validating, .deciding, .serializing, .reconsidering, .done: return .none
        }
    }

    /// Prepares before anybody resumed (`Session.RequestSetup.eager`).
    mutating func prepareEarly() -> Step {
        guard phase == .idle, state != .cancelled else { return .none }
        phase = .preparing
        return .prepare
    }

    // What happened.

    mutating func prepared() -> Step {
        guard phase == .preparing else { return .none }
        phase = .transferring
        return .makeTask(isRunning: state == .resumed)
    }

    /// Something went wrong before there was a task.
    mutating func failedToPrepare() -> Step {
        guard phase == .preparing else { return .none }
        return decideOrFinish()
    }

    mutating func taskEnded() -> Step {
        guard phase == .transferring else { return .none }
        phase = .validating
        return .validate
    }

    mutating func validated(hasError: Bool) -> Step {
        guard phase == .validating else { return .none }
        if hasError { return decideOrFinish() }
        phase = .serializing
        return .serialize(isFirst: true)
    }

    /// A serializer gave an error.
    mutating func serializerFailed() -> Step {
        guard phase == .serializing, state != .cancelled else { return .none }
        phase = .reconsidering
        return .decide
    }

    mutating func decided(retries: Bool) -> Step {
        guard phase == .deciding || phase == .reconsidering else { return .none }
        guard retries, state != .cancelled else {
            let isFirst = phase == .deciding
            phase = .serializing
            return .serialize(isFirst: isFirst)
        }
        phase = .waiting
        return .wait
    }

    mutating func retryIsDue() -> Step {
        guard phase == .waiting else { return .none }
        phase = .preparing
        retryCount += 1
        return .prepare
    }

    /// The session is going away. A task ends by itself, as its transport ends.
    mutating func sessionEnded() -> Step {
        switch phase {
        case .idle, .preparing, .waiting:
            phase = .serializing
            return .serialize(isFirst: true)
        default: return .none
        }
    }

    mutating func serializersRan() -> Step {
        guard phase == .serializing else { return .none }
        phase = .done
        if state != .cancelled { state = .finished }
        return .complete
    }

    /// A serializer came after everything was over: it runs on what there is.
    mutating func serializerAdded() -> Step {
        guard phase == .done else { return .none }
        if state == .finished { state = .resumed }
        phase = .serializing
        return .serialize(isFirst: false)
    }

    private mutating func decideOrFinish() -> Step {
        let mayRetry = state != .cancelled
        phase = mayRetry ? .deciding : .serializing
        return mayRetry ? .decide : .serialize(isFirst: true)
    }
}
