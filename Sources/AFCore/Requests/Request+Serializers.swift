internal import Dispatch
internal import Synchronization

/// The execution of serializers: one at a time, outside of the session's queue.
extension Request {
    /// Adds a serializer, and starts the request if handlers do that.
    func append(_ job: @escaping @Sendable (Request) -> Void) {
        let step = mutableState.withLock { mutableState in
            mutableState.jobs.append(SerializerQueue.Job(run: job))
            return mutableState.lifecycle.serializerAdded()
        }
        if step == .none { startIfAutomatic() } else { perform(step) }
    }

    /// Starts the request for a handler, unless the caller must do that.
    func startIfAutomatic() {
        guard let session else { return _ = resume() }
        if shouldAutomaticallyResume ?? session.startRequestsImmediately { return _ = resume() }
        let isNew = mutableState.withLock { mutableState in
            guard mutableState.lifecycle.state == .initialized, !mutableState.awaitsStart else { return false }
            mutableState.awaitsStart = true
            return true
        }
        if isNew { session.remember(self) }
    }

    /// Calls the closure when the request has ended, before the response handlers; immediately if it has.
    func whenFinished(_ handler: @escaping SerializerQueue.FinishHandler) {
        let isOver = mutableState.withLock { mutableState in
            if !mutableState.lifecycle.isDone { mutableState.jobs.append(finishHandler: handler) }
            return mutableState.lifecycle.isDone
        }
        if isOver { handler(self) }
    }

    /// Runs serializers in a loop: recursion would become deep with many synchronous ones.
    func runNextSerializer() {
        let isFree = mutableState.withLock { mutableState in
            mutableState.owedSerializers += 1
            return mutableState.owedSerializers == 1
        }
        guard isFree else { return }
        var isOwing = true
        while isOwing {
            runOneSerializer()
            isOwing = mutableState.withLock { mutableState in
                mutableState.owedSerializers -= 1
                return mutableState.owedSerializers > 0
            }
        }
    }

    private func runOneSerializer() {
        let (job, callers) = mutableState.withLock { mutableState -> (SerializerQueue.Job?, SerializerQueue.Callers?) in
            if let job = mutableState.jobs.popJob() { return (job, nil) }
            guard mutableState.lifecycle.serializersRan() == .complete else { return (nil, nil) }
            return (nil, mutableState.jobs.takeCallers())
        }
        if let job { job.run(self) }
        if let callers { complete(callers) }
    }

    private func complete(_ callers: SerializerQueue.Callers) {
        cleanUp()
        dropHandlers()
        session?.deactivate(self)
        // First, and synchronously: a response handler on any queue is called after these.
        for handler in callers.finishHandlers { handler(self) }
        callers.completions.forEach { $0.call(nil) }
    }

    /// Releases closures that may retain the request; outside the lock, as they may hold the last references.
    private func dropHandlers() {
        var handlers = (Hooks(), nil as ProgressLimiter?, nil as ProgressLimiter?, [] as [Validator])
        mutableState.withLock { mutableState in
            swap(&mutableState.hooks, &handlers.0)
            swap(&mutableState.uploadHandler, &handlers.1)
            swap(&mutableState.downloadHandler, &handlers.2)
            swap(&mutableState.validators, &handlers.3)
            if !handlers.3.isEmpty { mutableState.hasDroppedValidators = true }
        }
    }

    /// Handles the end of a serializer.
    ///
    /// Its error may cause a retry, unless it is the request's own, about which the retriers have decided.
    ///
    /// - Parameter deliver: Calls the handler; with an error if that replaces the serializer's own.
    func serializerDidEnd(_ error: AFError?, deliver: @escaping @Sendable (AFError?) -> Void) {
        let step = mutableState.withLock { mutableState in
            let step = error == nil || mutableState.error != nil ? .none : mutableState.lifecycle.serializerFailed()
            if let error, step != .none {
                mutableState.heldFailure = HeldFailure(error: error, deliver: deliver)
            } else {
                mutableState.jobs.append(SerializerQueue.Completion(call: deliver))
            }
            return step
        }
        if step == .none { runNextSerializer() } else { perform(step) }
    }
}
