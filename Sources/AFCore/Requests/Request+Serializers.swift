internal import Dispatch
internal import Synchronization

/// The execution of serializers: one at a time, outside of the session's queue.
extension Request {
    /// Adds a serializer, and starts the request if handlers do that.
    func append(_ job: @escaping SerializerQueue.Job) {
        let step = contents.withLock { contents in
            contents.jobs.append(job)
            return contents.lifecycle.serializerAdded()
        }
        if step == .none { startIfAutomatic() } else { perform(step) }
    }

    /// Starts the request for a handler, unless the caller must do that.
    func startIfAutomatic() {
        guard let session else { return _ = resume() }
        if shouldAutomaticallyResume ?? session.startRequestsImmediately { return _ = resume() }
        let isNew = contents.withLock { contents in
            guard contents.lifecycle.state == .initialized, !contents.awaitsStart else { return false }
            contents.awaitsStart = true
            return true
        }
        if isNew { session.remember(self) }
    }

    /// Calls the closure when the request has ended, before the response handlers; immediately if it has.
    func whenFinished(_ handler: @escaping SerializerQueue.FinishHandler) {
        let isOver = contents.withLock { contents in
            if !contents.lifecycle.isDone { contents.jobs.append(finishHandler: handler) }
            return contents.lifecycle.isDone
        }
        if isOver { handler(self) }
    }

    /// Runs serializers in a loop: recursion would become deep with many synchronous ones.
    func runNextSerializer() {
        let isFree = contents.withLock { contents in
            contents.owedSerializers += 1
            return contents.owedSerializers == 1
        }
        guard isFree else { return }
        var isOwing = true
        while isOwing {
            runOneSerializer()
            isOwing = contents.withLock { contents in
                contents.owedSerializers -= 1
                return contents.owedSerializers > 0
            }
        }
    }

    private func runOneSerializer() {
        let (job, callers) = contents.withLock { contents -> (SerializerQueue.Job?, SerializerQueue.Callers?) in
            if let job = contents.jobs.popJob() { return (job, nil) }
            guard contents.lifecycle.serializersRan() == .complete else { return (nil, nil) }
            return (nil, contents.jobs.takeCallers())
        }
        if let job { job(self) }
        if let callers { complete(callers) }
    }

    private func complete(_ callers: SerializerQueue.Callers) {
        cleanUp()
        dropHandlers()
        session?.deactivate(self)
        // First, and synchronously: a response handler on any queue is called after these.
        for handler in callers.finishHandlers { handler(self) }
        for completion in callers.completions { completion() }
    }

    /// Releases closures that may retain the request; outside the lock, as they may hold the last references.
    private func dropHandlers() {
        var handlers = (Hooks(), nil as ProgressLimiter?, nil as ProgressLimiter?, [] as [Validator])
        contents.withLock { contents in
            swap(&contents.hooks, &handlers.0)
            swap(&contents.uploadHandler, &handlers.1)
            swap(&contents.downloadHandler, &handlers.2)
            swap(&contents.validators, &handlers.3)
            if !handlers.3.isEmpty { contents.hasDroppedValidators = true }
        }
    }

    /// Handles the end of a serializer.
    ///
    /// Its error may cause a retry, unless it is the request's own, about which the retriers have decided.
    ///
    /// - Parameter deliver: Calls the handler; with an error if that replaces the serializer's own.
    func serializerDidEnd(_ error: AFError?, deliver: @escaping @Sendable (AFError?) -> Void) {
        let step = contents.withLock { contents in
            let step = error == nil || contents.error != nil ? .none : contents.lifecycle.serializerFailed()
            if let error, step != .none {
                contents.heldFailure = HeldFailure(error: error, deliver: deliver)
            } else {
                contents.jobs.appendCompletion { deliver(nil) }
            }
            return step
        }
        if step == .none { runNextSerializer() } else { perform(step) }
    }
}
