/// The state machine of a request: methods report events and return the action to perform.
///
/// A value without locks, callbacks and clocks, so that tests can check each transition.
///
///     idle ─► preparing ─► transferring ─► validating ─► serializing ─► done
///                ▲   └──────────┬─────────────┘ │             │
///                │              ▼               │             │
///             waiting ◄───── deciding ◄─────────┴─────────────┘
struct Lifecycle {
    /// The action after the request was resumed.
    enum ResumeAction {
        case none
        /// Create the URLRequest, adapt it, create the task.
        case prepare
        case resumeTask
    }

    /// The action after an event that ends the request in any phase.
    enum EndAction: Equatable {
        /// The current phase ends by itself, or the request has ended.
        case none
        case endTask
        /// Run the serializers that have not run; the first time, report that the request has finished.
        case serialize(isFirst: Bool)
    }

    /// The action after an attempt.
    enum AttemptAction {
        case none
        case askRetriers
        /// Report that the request has finished, and run the serializers.
        case serialize
    }

    /// The action after the retriers' decision.
    enum DecisionAction: Equatable {
        case none
        /// Prepare again after the retrier's delay.
        case wait
        /// Run the serializers that have not run; the first time, report that the request has finished.
        case serialize(isFirst: Bool)
    }

    private enum Phase: Equatable {
        case idle, preparing, transferring, validating, deciding, waiting, serializing
        /// The retriers decide about a serializer's error.
        case decidingOnSerializer
        case done
    }

    private(set) var state = Request.State.initialized
    /// The number of the current attempt, counted from zero.
    private(set) var attempt = 0
    private(set) var retryCount = 0
    /// The number of the retriers' latest decision: earlier ones are ignored.
    private(set) var decisionNumber = 0
    private var phase = Phase.idle

    /// Whether all handlers have been called.
    var isDone: Bool { phase == .done }

    /// Whether the attempt still needs a URLRequest; attempts are counted from zero.
    func isPreparing(_ attempt: Int) -> Bool { phase == .preparing && attempt == self.attempt }

    // Calls of the program

    mutating func resume() -> ResumeAction {
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

    /// - Returns: Whether to suspend the task.
    mutating func suspend() -> Bool {
        guard state == .initialized || state == .resumed else { return false }
        state = .suspended
        return phase == .transferring
    }

    mutating func cancel() -> EndAction {
        guard state != .cancelled, state != .finished else { return .none }
        state = .cancelled
        return end()
    }

    /// Prepares before the request is resumed (`Session.RequestSetup.eager`).
    ///
    /// - Returns: Whether to prepare.
    mutating func prepareEarly() -> Bool {
        guard phase == .idle, state != .cancelled else { return false }
        phase = .preparing
        return true
    }

    /// Starts with the retry decision about another request's failure.
    ///
    /// - Returns: Whether to ask the retriers.
    mutating func resumeWithFailure() -> Bool {
        guard state == .initialized, phase == .idle else { return false }
        state = .resumed
        startDeciding()
        return true
    }

    // Results of actions

    /// - Returns: Whether to set the new task to the request's state.
    mutating func prepared(_ attempt: Int) -> Bool {
        guard isPreparing(attempt) else { return false }
        phase = .transferring
        return true
    }

    /// Handles a failure before there is a task.
    ///
    /// - Parameter isLasting: Whether another attempt would fail equally, so that retriers are not asked.
    mutating func failedToPrepare(_ attempt: Int, isLasting: Bool = false) -> AttemptAction {
        isPreparing(attempt) ? endAttempt(isFinal: isLasting) : .none
    }

    /// - Returns: Whether to validate.
    mutating func taskEnded() -> Bool {
        guard phase == .transferring else { return false }
        phase = .validating
        return true
    }

    mutating func validated(hasError: Bool) -> AttemptAction {
        phase == .validating ? endAttempt(isFinal: !hasError || state == .cancelled) : .none
    }

    /// Handles a serializer's error.
    ///
    /// - Returns: Whether to ask the retriers.
    mutating func serializerFailed() -> Bool {
        guard phase == .serializing, state != .cancelled else { return false }
        phase = .decidingOnSerializer
        decisionNumber += 1
        return true
    }

    /// Handles the retriers' decision. A decision about an earlier failure is ignored.
    mutating func decided(_ number: Int, retries: Bool) -> DecisionAction {
        guard phase == .deciding || phase == .decidingOnSerializer, number == decisionNumber else { return .none }
        guard retries else { return .serialize(isFirst: startSerializing()) }
        phase = .waiting
        return .wait
    }

    /// - Parameter isRetry: Whether the attempt is a retry, and not the next one of several exchanges.
    /// - Returns: Whether to prepare.
    mutating func retryIsDue(isRetry: Bool = true) -> Bool {
        guard phase == .waiting else { return false }
        phase = .preparing
        attempt += 1
        if isRetry { retryCount += 1 }
        return true
    }

    /// Handles the deallocation of the session.
    mutating func sessionEnded() -> EndAction { end() }

    /// - Returns: Whether the request has ended: the handlers are called.
    mutating func serializersRan() -> Bool {
        guard phase == .serializing else { return false }
        phase = .done
        if state != .cancelled { state = .finished }
        return true
    }

    /// Handles a serializer that was added after the end: it runs on the existing response.
    ///
    /// - Returns: Whether to run it.
    mutating func serializerAdded() -> Bool {
        guard phase == .done else { return false }
        if state == .finished { state = .resumed }
        phase = .serializing
        return true
    }

    private mutating func end() -> EndAction {
        switch phase {
        case .transferring: .endTask
        // The current phase ends by itself and finds the request canceled.
        case .validating, .serializing, .done: .none
        // Retriers, timers and adapters may be slow or never call back: the request does not wait for them.
        case .idle, .preparing, .waiting, .deciding, .decidingOnSerializer: .serialize(isFirst: startSerializing())
        }
    }

    private mutating func endAttempt(isFinal: Bool) -> AttemptAction {
        if isFinal {
            phase = .serializing
            return .serialize
        }
        startDeciding()
        return .askRetriers
    }

    private mutating func startDeciding() {
        phase = .deciding
        decisionNumber += 1
    }

    /// - Returns: Whether the serializers have not run.
    private mutating func startSerializing() -> Bool {
        defer { phase = .serializing }
        return phase != .decidingOnSerializer
    }
}
