/// The state machine of a request: methods report events and return the next step.
///
/// A value without locks, callbacks and clocks, so that tests can check each transition.
///
///     idle ─► preparing ─► transferring ─► validating ─► serializing ─► done
///                ▲   └──────────┬─────────────┘ │             │
///                │              ▼               │             │
///             waiting ◄───── deciding ◄─────────┴─────────────┘
struct Lifecycle {
    enum Step: Equatable {
        case none
        /// Create the URLRequest, adapt it, create the task.
        case prepare
        /// Set the new task to the request's state.
        case beginTask
        case resumeTask
        case suspendTask
        case cancelTask
        /// End the task because the session was deallocated, without events about canceling.
        case endTask
        case validate
        /// Ask the retriers.
        case decide
        /// Prepare again after the retrier's delay.
        case wait
        /// Run the serializers that have not run; the first time, report that the request has finished.
        case serialize(isFirst: Bool)
        /// Call the handlers; the request has ended.
        case complete
    }

    private enum Phase: Equatable {
        case idle, preparing, transferring, validating, deciding, waiting, serializing
        /// The retriers decide about a serializer's error.
        case reconsidering
        case done
    }

    private(set) var state = Request.State.initialized
    private(set) var retryCount = 0
    /// The number of questions to the retriers: decisions about earlier questions are ignored.
    private(set) var questionCount = 0
    private var phase = Phase.idle

    /// Whether all handlers have been called.
    var isDone: Bool { phase == .done }

    /// Whether the attempt still needs a URLRequest; attempts are counted from zero.
    func isPreparing(_ attempt: Int) -> Bool { phase == .preparing && attempt == retryCount }

    // Calls of the program

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
        case .transferring: return .cancelTask
        // The current step ends by itself and finds the request canceled.
        case .validating, .serializing, .done: return .none
        // Retriers, timers and adapters may be slow or never call back: the request does not wait for them.
        case .idle, .preparing, .waiting, .deciding, .reconsidering: return serialize()
        }
    }

    /// Prepares before the request is resumed (`Session.RequestSetup.eager`).
    mutating func prepareEarly() -> Step {
        guard phase == .idle, state != .cancelled else { return .none }
        phase = .preparing
        return .prepare
    }

    /// Starts with the retry decision about another request's failure.
    mutating func resumeWithFailure() -> Step {
        guard state == .initialized, phase == .idle else { return .none }
        state = .resumed
        return decide()
    }

    // Results of steps

    mutating func prepared(_ attempt: Int) -> Step {
        guard isPreparing(attempt) else { return .none }
        phase = .transferring
        return .beginTask
    }

    /// Handles a failure before there is a task.
    ///
    /// - Parameter isLasting: Whether another attempt would fail equally, so that retriers are not asked.
    mutating func failedToPrepare(_ attempt: Int, isLasting: Bool = false) -> Step {
        guard isPreparing(attempt) else { return .none }
        return isLasting ? serialize() : decide()
    }

    mutating func taskEnded() -> Step {
        guard phase == .transferring else { return .none }
        phase = .validating
        return .validate
    }

    mutating func validated(hasError: Bool) -> Step {
        guard phase == .validating else { return .none }
        return hasError && state != .cancelled ? decide() : serialize()
    }

    /// Handles a serializer's error.
    mutating func serializerFailed() -> Step {
        guard phase == .serializing, state != .cancelled else { return .none }
        phase = .reconsidering
        questionCount += 1
        return .decide
    }

    /// Handles the retriers' decision. A decision about an earlier failure is ignored.
    mutating func decided(_ question: Int, retries: Bool) -> Step {
        guard phase == .deciding || phase == .reconsidering, question == questionCount else { return .none }
        guard retries else { return serialize() }
        phase = .waiting
        return .wait
    }

    mutating func retryIsDue() -> Step {
        guard phase == .waiting else { return .none }
        phase = .preparing
        retryCount += 1
        return .prepare
    }

    /// Handles the deallocation of the session.
    mutating func sessionEnded() -> Step {
        switch phase {
        case .transferring: .endTask
        case .validating, .serializing, .done: .none
        case .idle, .preparing, .waiting, .deciding, .reconsidering: serialize()
        }
    }

    mutating func serializersRan() -> Step {
        guard phase == .serializing else { return .none }
        phase = .done
        if state != .cancelled { state = .finished }
        return .complete
    }

    /// Handles a serializer that was added after the end: it runs on the existing response.
    mutating func serializerAdded() -> Step {
        guard phase == .done else { return .none }
        if state == .finished { state = .resumed }
        phase = .serializing
        return .serialize(isFirst: false)
    }

    private mutating func decide() -> Step {
        phase = .deciding
        questionCount += 1
        return .decide
    }

    private mutating func serialize() -> Step {
        let isFirst = phase != .reconsidering
        phase = .serializing
        return .serialize(isFirst: isFirst)
    }
}
