internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// What the steps of the ``Lifecycle`` mean.
extension Request {
    /// Asks the lifecycle, tells the monitors where the state changed, and does what follows.
    func change(_ fact: (inout Lifecycle) -> Lifecycle.Step, told event: (any EventMonitor) -> Void = { _ in }) {
        let (step, hasChanged) = contents.withLock { contents in
            let before = contents.lifecycle.state
            let step = fact(&contents.lifecycle)
            let hasChanged = contents.lifecycle.state != before
            if hasChanged, contents.lifecycle.state == .cancelled, contents.error == nil {
                contents.error = .explicitlyCancelled
            }
            return (step, hasChanged)
        }
        if hasChanged, let eventMonitor { event(eventMonitor) }
        perform(step)
    }

    func perform(_ step: Lifecycle.Step) {
        switch step {
        case .none: break
        case .prepare: prepare()
        case .makeTask:
            if let task { tell { $0.request(self, didCreateTask: task) } }
            steerTask()
        case .resumeTask, .suspendTask, .cancelTask: steerTask()
        case .validate: underlyingQueue.async { self.validate() }
        case .decide: askRetriers()
        case .wait: waitForRetry()
        case .serialize(let isFirst):
            if isFirst { tell { $0.requestDidFinish(self) } }
            runNextSerializer()
        case .complete: complete()
        }
    }

    func tell(_ event: (any EventMonitor) -> Void) {
        if let eventMonitor { event(eventMonitor) }
    }

    // Preparing.

    private func prepare() {
        guard let session else { return fail(.sessionDeinitialized) }
        session.activate(self)
        if isQuicklyMade, !session.hasAdapters(for: self) { return makeRequest(in: session) }
        session.requestQueue.async { self.makeRequest(in: session) }
    }

    private func makeRequest(in session: Session) {
        guard !isCancelled else { return }
        do {
            let initial = try makeURLRequest()
            try initial.validate()
            contents.withLock { $0.requests.append(initial) }
            tell { $0.request(self, didCreateInitialURLRequest: initial) }
            guard let adapter = session.adapter(for: self) else { return ready(initial, in: session) }
            let state = RequestAdapterState(requestID: id, session: session)
            adapter.adapt(initial, using: state) { result in self.adapted(initial, result, in: session) }
        } catch {
            let error = error.asAFError(or: .createURLRequestFailed(error: error))
            tell { $0.request(self, didFailToCreateURLRequestWithError: error) }
            fail(error)
        }
    }

    private func adapted(_ initial: URLRequest, _ result: Result<URLRequest, any Error>, in session: Session) {
        do {
            let adapted = try result.get()
            try adapted.validate()
            contents.withLock { $0.requests.append(adapted) }
            tell { $0.request(self, didAdaptInitialRequest: initial, to: adapted) }
            ready(adapted, in: session)
        } catch {
            let error = AFError.requestAdaptationFailed(error: error)
            tell { $0.request(self, didFailToAdaptURLRequest: initial, withError: error) }
            fail(error)
        }
    }

    private func ready(_ request: URLRequest, in session: Session) {
        do {
            guard let url = request.url else { throw AFError.parameterEncodingFailed(reason: .missingURL) }
            let hop = Hop(request: request, url: try HTTPURL(parsing: url.absoluteString), body: try body(of: request))
            tell { $0.request(self, didCreateURLRequest: request) }
            let task = session.makeTask(for: self, hop: hop)
            let step = contents.withLock { contents in
                let step = contents.lifecycle.prepared()
                if step != .none { contents.tasks.append(task) }
                return step
            }
            perform(step)
        } catch {
            fail(error.asAFError(or: .createURLRequestFailed(error: error)))
        }
    }

    private func body(of request: URLRequest) throws -> BodySource? {
        let body = try makeBody(for: request) ?? request.httpBody.map { .bytes(Array($0)) }
        if retryCount > 0, let body, !body.rewind() {
            let failure = TransferFailure(
                .bodyNotRewindable, "the body has to be sent again, and it can be read only once")
            throw AFError.createUploadableFailed(error: failure)
        }
        return body
    }

    /// The request fails before it has a task.
    private func fail(_ error: AFError) {
        contents.withLock { $0.error = $0.error ?? error }
        change { $0.failedToPrepare() }
    }

    /// Makes the task do what the request's state says. Callers race, so it looks again after each order.
    private func steerTask() {
        var obeyed: State?
        while true {
            let (state, task) = contents.withLock { ($0.lifecycle.state, $0.tasks.last) }
            guard let task, state != obeyed else { return }
            switch state {
            case .resumed:
                task.resume()
                tell { $0.request(self, didResumeTask: task) }
            case .suspended:
                task.suspend()
                tell { $0.request(self, didSuspendTask: task) }
            case .cancelled:
                task.cancel()
                tell { $0.request(self, didCancelTask: task) }
            case .initialized, .finished: break
            }
            obeyed = state
        }
    }

    // Ending.

    private func validate() {
        if let error = settle(after: error) { contents.withLock { $0.error = error } }
        let validators = contents.withLock(\.validators)
        for validator in validators where error == nil && response != nil {
            if let error = validator(self) { contents.withLock { $0.error = error } }
        }
        let error = error
        if let task { tell { $0.request(self, didCompleteTask: task, with: error) } }
        change { $0.validated(hasError: error != nil) }
    }

    /// Asks whoever may want another attempt, about the request's error or about a serializer's.
    private func askRetriers() {
        guard let session, let error = contents.withLock({ $0.heldFailure?.error ?? $0.error }) else {
            return decide(.doNotRetry)
        }
        if startsOver(after: error) { return decide(.retry) }
        guard let retrier = session.retrier(for: self) else { return decide(.doNotRetry) }
        underlyingQueue.async {
            retrier.retry(self, for: session, dueTo: error) { self.decide($0) }
        }
    }

    private func decide(_ result: RetryResult) {
        contents.withLock { contents in
            let isRetrying = result.isRetry && contents.lifecycle.state != .cancelled
            contents.retryDelay = result.delay
            if let held = contents.heldFailure {
                contents.heldFailure = nil
                if !isRetrying { contents.jobs.appendCompletion { held.deliver(result.error(insteadOf: held.error)) } }
            } else if isRetrying {
                contents.error = nil
            } else {
                contents.error = contents.error.map(result.error(insteadOf:))
            }
        }
        change { $0.decided(retries: result.isRetry) }
    }

    private func waitForRetry() {
        let delay = contents.withLock(\.retryDelay) ?? 0
        underlyingQueue.asyncAfter(deadline: .now() + delay) {
            let step = self.contents.withLock { contents in
                let step = contents.lifecycle.retryIsDue()
                if step == .prepare { contents.startOver() }
                return step
            }
            guard step == .prepare else { return }
            self.resetForRetry()
            self.tell { $0.requestIsRetrying(self) }
            self.perform(step)
        }
    }

    private func complete() {
        cleanUp()
        session?.deactivate(self)
        for completion in contents.withLock({ $0.jobs.takeCompletions() }) { completion() }
    }
}

extension Request {
    /// The session went away: what is not with the transport ends here, the rest as the transport ends.
    func sessionDidEnd() {
        contents.withLock { $0.error = $0.error ?? .sessionDeinitialized }
        change { $0.sessionEnded() }
    }
}
