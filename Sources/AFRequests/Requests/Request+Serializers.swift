internal import Dispatch
internal import Synchronization

/// The execution of serializers: one at a time, outside of the session's queue.
extension Request {
    /// Adds a serializer, and starts the request if handlers do that.
    ///
    /// - Parameter serializer: Called by this request, which it must capture unowned: it is not released if the request
    ///   is never started.
    package func append(_ serializer: @escaping @Sendable () -> Void) {
        let isLate = mutableState.withLock { mutableState in
            mutableState.serializers.append(serializer)
            return mutableState.lifecycle.serializerAdded()
        }
        if isLate { runNextSerializer() } else { startIfAutomatic() }
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
        if isNew { session.trackUnstarted(self) }
    }

    /// Calls the closure when the request has ended, before the response handlers; immediately if it has.
    package func whenFinished(_ handler: @escaping @Sendable (Request) -> Void) {
        let isOver = mutableState.withLock { mutableState in
            if !mutableState.lifecycle.isDone { mutableState.serializers.append(finishHandler: handler) }
            return mutableState.lifecycle.isDone
        }
        if isOver { handler(self) }
    }

    /// Runs serializers in a loop: recursion would become deep with many synchronous ones.
    ///
    /// - Parameter isFirst: Whether to report that the request has finished.
    func runNextSerializer(isFirst: Bool = false) {
        var next = mutableState.withLock { mutableState in
            mutableState.serializers.beginRun() ? mutableState.nextSerializer() : nil
        }
        // Before the first serializer; without serializers, the state is final by now.
        if isFirst { observers?.notify { $0.requestDidFinish(self) } }
        while let current = next {
            switch current {
            case .serializer(let serializer): serializer.run()
            case .end(let finished, _): complete(finished)
            case .nothing: break
            }
            next = mutableState.withLock { mutableState in
                mutableState.serializers.endRun() ? mutableState.nextSerializer() : nil
            }
        }
    }

    private func complete(_ finished: SerializerQueue.Finished) {
        cleanUp()
        session?.deactivate(self)
        // First, and synchronously: a response handler on any queue is called after these.
        for handler in finished.finishHandlers { handler(self) }
        for entry in finished.entries { entry.deliver?(nil) }
    }

    /// Handles the end of a serializer.
    ///
    /// Its error may cause a retry, unless it is the request's own, about which the retriers have decided.
    ///
    /// - Parameter deliver: Calls the handler; with an error if that replaces the serializer's own.
    package func serializerDidEnd(_ error: AFError?, deliver: @escaping @Sendable (AFError?) -> Void) {
        let isUndecided = mutableState.withLock { mutableState in
            guard let error, mutableState.error == nil, mutableState.lifecycle.serializerFailed() else {
                mutableState.serializers.didEnd(deliver)
                return false
            }
            mutableState.serializers.didFail(error, deliver)
            return true
        }
        if isUndecided { askRetriers() } else { runNextSerializer() }
    }
}

extension Request.MutableState {
    fileprivate enum NextSerializer {
        case serializer(SerializerQueue.Entry)
        /// All serializers have run: the handlers are called. The closures may retain the request; they are released
        /// outside the lock, as they may hold the last references.
        case end(SerializerQueue.Finished, released: ReleasedClosures)
        case nothing
    }

    fileprivate struct ReleasedClosures {
        let hooks: Request.Hooks
        let validators: [Request.Validator]
    }

    /// Removes the next serializer, or the handlers after the last one.
    fileprivate mutating func nextSerializer() -> NextSerializer {
        if let serializer = serializers.popNext() { return .serializer(serializer) }
        guard lifecycle.serializersRan() else { return .nothing }
        return .end(serializers.takeFinished(), released: takeClosures())
    }

    private mutating func takeClosures() -> ReleasedClosures {
        defer {
            hasDroppedValidators = hasDroppedValidators || !validators.isEmpty
            (hooks, validators) = (Request.Hooks(), [])
        }
        return ReleasedClosures(hooks: hooks, validators: validators)
    }
}
