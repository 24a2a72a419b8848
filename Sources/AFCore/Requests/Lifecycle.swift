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
        /// The task is there: make it do what the request's state says.
        case beginTask
        case resumeTask
        case suspendTask
        case cancelTask
        /// The session goes away: end the task without telling anybody that it was cancelled.
        case endTask
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
    /// How often the retriers have been asked: an answer to an earlier question counts for nothing.
    private(set) var questionCount = 0
    private var phase = Phase.idle

    /// Whether everybody who waited has been called.
    var isDone: Bool { phase == .done }

    /// Whether a URLRequest is still wanted for the attempt; attempts count from zero.
    func isPreparing(_ attempt: Int) -> Bool { phase == .preparing && attempt == retryCount }

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
        case .transferring: return .cancelTask
        // The step under way ends by itself, and finds the request cancelled.
        case .validating, .serializing, .done: return .none
        // A retrier or a clock may take its time, an adapter may never answer: nobody waits for them.
        case .idle, .preparing, .waiting, .deciding, .reconsidering: return serialize()
        }
    }

    /// Prepares before anybody resumed (`Session.RequestSetup.eager`).
    mutating func prepareEarly() -> Step {
        guard phase == .idle, state != .cancelled else { return .none }
        phase = .preparing
        return .prepare
    }

    /// Takes up what another request failed at: begins with the question whether to try again.
    mutating func takeUp() -> Step {
        guard state == .initialized, phase == .idle else { return .none }
        state = .resumed
        return decide()
    }

    // What happened.

    mutating func prepared(_ attempt: Int) -> Step {
        guard isPreparing(attempt) else { return .none }
        phase = .transferring
        return .beginTask
    }

    /// Something went wrong before there was a task.
    ///
    /// - Parameter isLasting: Whether another attempt would meet the same, so that nobody need be asked for one.
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

    /// A serializer gave an error.
    mutating func serializerFailed() -> Step {
        guard phase == .serializing, state != .cancelled else { return .none }
        phase = .reconsidering
        questionCount += 1
        return .decide
    }

    /// The retriers have answered a question, which counts if it is the latest.
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

    /// The session is going away.
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

    /// A serializer came after everything was over: it runs on what there is.
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
