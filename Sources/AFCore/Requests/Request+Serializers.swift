internal import Dispatch
internal import Synchronization

/// Running serializers: one at a time, off the session's queue.
extension Request {
    /// Adds a serializer, and starts the request where handlers do that.
    func append(_ job: @escaping SerializerQueue.Job) {
        let step = contents.withLock { contents in
            contents.jobs.append(job)
            return contents.lifecycle.serializerAdded()
        }
        if step != .none { return perform(step) }
        if shouldAutomaticallyResume ?? session?.startRequestsImmediately ?? true { resume() }
    }

    /// Called once nothing more will happen, after the handlers.
    func appendFinishHandler(_ handler: @escaping @Sendable () -> Void) {
        contents.withLock { $0.jobs.appendFinishHandler(handler) }
    }

    func runNextSerializer() {
        let (job, step) = contents.withLock { contents -> (SerializerQueue.Job?, Lifecycle.Step) in
            if let job = contents.jobs.popJob() { return (job, .none) }
            return (nil, contents.lifecycle.serializersRan())
        }
        if let job { job(self) } else { perform(step) }
    }

    /// A serializer is through.
    ///
    /// Its error may bring another attempt, unless it is but the request's own, which the retriers have refused.
    ///
    /// - Parameter deliver: Calls the handler; with an error where that replaces the serializer's own.
    func serializerDidEnd(_ error: AFError?, deliver: @escaping @Sendable (AFError?) -> Void) {
        let step = contents.withLock { contents in
            guard let error, contents.error == nil else {
                contents.jobs.appendCompletion { deliver(nil) }
                return Lifecycle.Step.none
            }
            let step = contents.lifecycle.serializerFailed()
            if step == .none {
                contents.jobs.appendCompletion { deliver(nil) }
            } else {
                contents.heldFailure = HeldFailure(error: error, deliver: deliver)
            }
            return step
        }
        if step == .none { runNextSerializer() } else { perform(step) }
    }
}
