package import AFHTTP
internal import AFTransport
internal import Dispatch
internal import Synchronization

/// The actions of the ``Lifecycle``.
extension Request {
    /// The rule for the next attempt after a failed one.
    @_spi(Requests) public enum RetryRule: Sendable { case askRetriers, retry, doNotRetry }

    /// Changes the lifecycle, reports a change of the request's state to the monitors, and performs the action.
    ///
    /// - Parameters:
    ///   - error: The request's error from now on, if its state changes and there was no error before.
    ///   - report: Calls a monitor's method; captures nothing, so that it needs no allocation.
    func apply<Action>(
        _ event: (inout MutableState) -> Action,
        error: AFError? = nil,
        report: @escaping @Sendable (any RequestEventMonitor, Request) -> Void,
        then perform: (Action) -> Void
    ) {
        let (action, hasChanged, hook) = mutableState.withLock { mutableState in
            // The hooks of a request that ends here are released before the end of this method.
            let (before, hook) = (mutableState.lifecycle.state, mutableState.hooks.state)
            let action = event(&mutableState)
            let hasChanged = mutableState.lifecycle.state != before
            if hasChanged { mutableState.error = mutableState.error ?? error }
            return (action, hasChanged, hook)
        }
        if hasChanged { observers?.notify { report($0, self) } }
        perform(action)
        if hasChanged { hook?() }
    }

    func cancel(because error: AFError) {
        apply({ $0.end { $0.cancel() } }, error: error, report: { $0.requestDidCancel($1) }) { action in
            switch action {
            case .none: break
            case .endTask: applyStateToTask()
            case .serialize(let isFirst): runNextSerializer(isFirst: isFirst)
            }
        }
    }

    /// Ends the request, as the session was deallocated. There are no events about canceling.
    func sessionDidEnd() {
        let action = mutableState.withLock { mutableState in
            let action = mutableState.end { $0.sessionEnded() }
            if action != .none { mutableState.error = mutableState.error ?? .sessionDeinitialized }
            return action
        }
        switch action {
        case .none: break
        case .endTask: task?.cancel()
        case .serialize(let isFirst): runNextSerializer(isFirst: isFirst)
        }
    }

    func perform(_ action: Lifecycle.ResumeAction) {
        switch action {
        case .none: break
        case .prepare: prepare()
        case .resumeTask: applyStateToTask()
        }
    }

    func perform(_ action: Lifecycle.AttemptAction) {
        switch action {
        case .none: break
        case .askRetriers: askRetriers()
        case .serialize: runNextSerializer(isFirst: true)
        }
    }

    /// Sets the task to the request's state.
    func applyStateToTask() {
        // The task's lock is taken inside the request's, so that the last call sets the latest state, even if callers
        // race.
        let (state, task, change) = mutableState.withLock { mutableState in
            let (state, task) = (mutableState.lifecycle.state, mutableState.lastTask)
            return (state, task, state.ofTask.flatMap { task?.set($0) })
        }
        guard let task, let change else { return }
        change.perform {
            switch state {
            case .resumed: observers?.notify { $0.request(self, didResumeTask: task) }
            case .suspended: observers?.notify { $0.request(self, didSuspendTask: task) }
            case .cancelled: observers?.notify { $0.request(self, didCancelTask: task) }
            case .initialized, .finished: break
            }
        }
    }

    /// Sets the request to another request's state: resumed, suspended or canceled.
    ///
    /// That state is read under this request's lock: of several callers, the last one reads the latest state.
    package func follow(_ other: Request) {
        apply(
            { other.isResumed ? $0.lifecycle.resume() : .none }, report: { $0.requestDidResume($1) }, then: perform)
        apply({ other.isSuspended ? $0.lifecycle.suspend() : false }, report: { $0.requestDidSuspend($1) }) {
            if $0 { applyStateToTask() }
        }
        if other.isCancelled { cancel() }
    }

    /// Starts with another request's failure: asks the retriers and continues like a request whose first attempt
    /// failed.
    package func resume(from request: URLRequest?, after error: AFError) {
        mutableState.withLock { $0.attempt.initialRequest = request }
        apply({ $0.lifecycle.resumeWithFailure() }, error: error, report: { $0.requestDidResume($1) }) {
            if $0 { askRetriers() }
        }
    }

    // The end of an attempt

    /// Validates; without validators on the calling thread: most requests save the thread switch.
    func validate() {
        let (failure, validators) = mutableState.withLock { mutableState in
            (mutableState.attempt.failure ?? mutableState.error.map(AttemptFailure.request), mutableState.validators)
        }
        if validators.isEmpty || failure != nil { return finishAttempt(with: failure) }
        validationQueue.async {
            self.finishAttempt(with: self.firstFailure(of: validators).map(AttemptFailure.request))
        }
    }

    /// Runs the validators before the end of the body, and passes on whether they accept the response.
    func validateEarly(then completion: @escaping @Sendable (_ isAccepted: Bool) -> Void) {
        let (task, validators) = mutableState.withLock { ($0.attempt.task, $0.validators) }
        guard !validators.isEmpty else { return completion(true) }
        underlyingQueue.async { [self] in
            let failure = firstFailure(of: validators)
            mutableState.withLock { mutableState in
                guard mutableState.attempt.task === task else { return }
                mutableState.attempt.earlyValidation = EarlyValidation(count: validators.count, failure: failure)
            }
            completion(failure == nil)
        }
    }

    /// Returns the first failure of the validators, which run once for each response.
    private func firstFailure(of validators: [Validator]) -> AFError? {
        let early = mutableState.withLock { $0.attempt.earlyValidation }
        if let early, early.count == validators.count { return early.failure }
        guard let response else { return nil }
        for validator in validators {
            if let failure = validator(response) { return failure }
        }
        return nil
    }

    /// Ends the attempt.
    package func endAttempt(with failure: AttemptFailure?) {
        let final = failure.map { self.error(for: $0) }
        let (error, task) = mutableState.withLock { mutableState in
            // An error that is not of the task's failure is a cancellation, and stays.
            if let final, mutableState.error == nil || mutableState.attempt.failure != nil {
                mutableState.error = final
            }
            return (mutableState.error, mutableState.lastTask)
        }
        if let task { observers?.notify { $0.request(self, didCompleteTask: task, with: error) } }
        perform(mutableState.withLock { $0.lifecycle.validated(hasError: error != nil) })
    }

    /// Asks the retriers about the request's error or a serializer's.
    func askRetriers() {
        let (error, number) = mutableState.withLock {
            ($0.serializers.undecidedError ?? $0.error, $0.lifecycle.decisionNumber)
        }
        guard let session, let error else { return decide(.doNotRetry, number) }
        let rule = retryRule()
        if rule == .retry { return decide(.retry, number) }
        // Without its validators, another attempt would accept any response.
        let isValidated = mutableState.withLock { !$0.hasDroppedValidators }
        guard isValidated, rule == .askRetriers, let retrier = session.interceptor(for: self) else {
            return decide(.doNotRetry, number)
        }
        // A completed request, whose serializer failed, is retained again until the decision.
        session.activate(self)
        if mutableState.withLock({ $0.lifecycle.isDone }) { return session.deactivate(self) }
        // Captures neither the session nor the request: a retrier that never calls back must not retain them.
        underlyingQueue.async { [weak session] in
            guard let session else { return }
            retrier.retry(self, for: session, dueTo: error) { [weak self] in self?.decide($0, number) }
        }
    }

    private func decide(_ result: RetryResult, _ number: Int) {
        // The results of the failed attempt are released outside the lock, as they may be the program's objects.
        let (action, _) = mutableState.withLock { mutableState in
            let action = mutableState.lifecycle.decided(number, retries: result.retryRequired)
            var dropped: MutableState.Results?
            switch action {
            case .none: break
            case .wait: dropped = mutableState.resetError()
            case .serialize: mutableState.settleFailure(result)
            }
            return (action, dropped)
        }
        switch action {
        case .none: break
        // Not the request: after it is canceled or released, nothing waits for the delay.
        case .wait: underlyingQueue.run(after: max(0, result.delay ?? 0)) { [weak self] in self?.startRetry() }
        case .serialize(let isFirst): runNextSerializer(isFirst: isFirst)
        }
    }

    private func startRetry() {
        let isRetry = exchanges?.startsNextExchange() != true
        let isDue = mutableState.withLock { mutableState in
            guard mutableState.lifecycle.retryIsDue(isRetry: isRetry) else { return false }
            mutableState.addAttempt()
            return true
        }
        guard isDue else { return }
        if isRetry { observers?.notify { $0.requestIsRetrying(self) } }
        prepare()
    }
}

extension Request.MutableState {
    /// Ends the lifecycle, and with it a serializer's failure about which the retriers have not decided.
    fileprivate mutating func end(_ event: (inout Lifecycle) -> Lifecycle.EndAction) -> Lifecycle.EndAction {
        let action = event(&lifecycle)
        if case .serialize = action { settleFailure(.doNotRetry) }
        return action
    }
}

extension Request.State {
    /// The state of the request's task; `nil` if it is not set.
    fileprivate var ofTask: ChainControl.State? {
        switch self {
        case .initialized, .finished: nil
        case .resumed: .running
        case .suspended: .suspended
        case .cancelled: .canceled
        }
    }
}
