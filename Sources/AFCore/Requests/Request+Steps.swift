internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import Synchronization

/// The implementation of the ``Lifecycle``'s steps.
extension Request {
    /// Changes the lifecycle, reports a state change to the monitors, and executes the next step.
    ///
    /// - Parameters:
    ///   - reason: The request's error from now on, if the change applies and there was no error before.
    ///   - event: Calls a monitor's method; captures nothing, so that it needs no allocation.
    func change(
        _ fact: (inout Lifecycle) -> Lifecycle.Step,
        because reason: AFError? = nil,
        event: (@Sendable (any EventMonitor, Request) -> Void)? = nil
    ) {
        let (step, hasChanged) = mutableState.withLock { mutableState in
            let before = mutableState.lifecycle.state
            let step = fact(&mutableState.lifecycle)
            let hasChanged = mutableState.lifecycle.state != before
            if hasChanged || step != .none { mutableState.error = mutableState.error ?? reason }
            if case .serialize = step { mutableState.settleFailure(.doNotRetry) }
            return (step, hasChanged)
        }
        if hasChanged, let event { observers?.notify { event($0, self) } }
        perform(step)
    }

    func perform(_ step: Lifecycle.Step) {
        switch step {
        case .none, .complete: break
        case .prepare: prepare()
        case .beginTask:
            if let task { didCreate(task) }
            applyStateToTask()
        case .resumeTask, .suspendTask, .cancelTask: applyStateToTask()
        case .endTask: task?.cancel()
        case .validate: validate()
        case .decide: askRetriers()
        case .wait: waitForRetry()
        case .serialize(let isFirst): runNextSerializer(isFirst: isFirst)
        }
    }

    /// Sets the task to the request's state.
    private func applyStateToTask() {
        // The task's lock is taken inside the request's, so that the last call sets the latest state, even if callers
        // race.
        let (state, task, change) = mutableState.withLock { mutableState in
            let (state, task) = (mutableState.lifecycle.state, mutableState.tasks.last)
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

    /// Starts with another request's failure: asks the retriers and continues like a request whose first attempt
    /// failed.
    func resume(from request: URLRequest?, after error: AFError) {
        mutableState.withLock { mutableState in
            mutableState.requests = SmallList()
            if let request { mutableState.requests.append(request) }
        }
        change({ $0.resumeWithFailure() }, because: error, event: { $0.requestDidResume($1) })
    }

    // The end of an attempt

    /// Validates; without validators on the calling thread: most requests save the thread switch.
    private func validate() {
        let (failure, validators) = mutableState.withLock { ($0.error, $0.validators) }
        if validators.isEmpty || failure != nil { return conclude(failure) }
        validationQueue.async { self.conclude(failure ?? self.validationFailure(of: validators)) }
    }

    func firstFailure(of validators: [Validator]) -> AFError? {
        guard response != nil else { return nil }
        for validator in validators {
            if let failure = validator(self) { return failure }
        }
        return nil
    }

    private func conclude(_ failure: AFError?) {
        if hasConclusion { conclude(after: failure) { self.end(with: $0) } } else { end(with: failure) }
    }

    /// Ends the attempt.
    private func end(with failure: AFError?) {
        // Without a failure, only a cancellation may be recorded in between.
        let recorded = failure == nil ? nil : error
        let final = (recorded ?? failure).map(converted)
        let (error, task) = mutableState.withLock { mutableState in
            // Unless the request was canceled in between.
            if recorded != nil || mutableState.error == nil { mutableState.error = final }
            return (mutableState.error, mutableState.tasks.last)
        }
        if let task { observers?.notify { $0.request(self, didCompleteTask: task, with: error) } }
        change { $0.validated(hasError: error != nil) }
    }

    /// Asks the retriers about the request's error or a serializer's.
    private func askRetriers() {
        let (error, question) = mutableState.withLock {
            ($0.heldFailure?.error ?? $0.error, $0.lifecycle.questionCount)
        }
        guard let session, let error else { return decide(.doNotRetry, question) }
        if startsOver(after: error) { return decide(.retry, question) }
        // Without its validators, another attempt would accept any response.
        let isValidated = mutableState.withLock { !$0.hasDroppedValidators }
        guard isValidated, !isBeyondRetry, let retrier = session.interceptor(for: self) else {
            return decide(.doNotRetry, question)
        }
        // A completed request, whose serializer failed, is retained again until the decision.
        session.activate(self)
        if mutableState.withLock({ $0.lifecycle.isDone }) { return session.deactivate(self) }
        // Captures neither the session nor the request: a retrier that never calls back must not retain them.
        underlyingQueue.async { [weak session] in
            guard let session else { return }
            retrier.retry(self, for: session, dueTo: error) { [weak self] in self?.decide($0, question) }
        }
    }

    private func decide(_ result: RetryResult, _ question: Int) {
        let step = mutableState.withLock { mutableState in
            let step = mutableState.lifecycle.decided(question, retries: result.retryRequired)
            if step == .wait {
                mutableState.resetError()
                mutableState.retryDelay = result.delay ?? 0
            } else if step != .none {
                mutableState.settleFailure(result)
            }
            return step
        }
        perform(step)
    }

    private func waitForRetry() {
        let delay = mutableState.withLock({ $0.retryDelay })
        // Not the request: after it is canceled or released, nothing waits for the delay.
        underlyingQueue.run(after: max(0, delay)) { [weak self] in self?.tryAgain() }
    }

    private func tryAgain() {
        let step = mutableState.withLock { mutableState in
            let step = mutableState.lifecycle.retryIsDue()
            if step == .prepare {
                (mutableState.uploadProgress, mutableState.downloadProgress) = (.init(), .init())
                mutableState.hasTask = false
            }
            return step
        }
        guard step == .prepare else { return }
        resetForRetry()
        observers?.notify { $0.requestIsRetrying(self) }
        perform(step)
    }
}

extension Request {
    /// Ends the request, as the session was deallocated.
    func sessionDidEnd() { change({ $0.sessionEnded() }, because: .sessionDeinitialized) }
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
