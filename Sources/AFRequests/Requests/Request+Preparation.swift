internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The preparation of a task: creates the URLRequest, adapts it, creates its body.
///
/// Between two steps the session is referenced weakly: a slow adapter must not retain it.
extension Request {
    /// The work before an attempt's URLRequest is created.
    @_spi(Requests) public enum Preparation: Sendable {
        /// Nothing: the creation is fast and runs no user code. It saves one of the four context switches of most
        /// requests.
        case none
        /// The session's queue of requests.
        case queue
        /// Slow work, which calls the closure when it has ended, and then the queue.
        case work(@Sendable (_ completion: @escaping @Sendable () -> Void) -> Void)
    }

    /// Prepares before the request is resumed.
    func prepareEarly() {
        if mutableState.withLock({ $0.lifecycle.prepareEarly() }) { prepare() }
    }

    func prepare() {
        let attempt = mutableState.withLock { $0.lifecycle.attempt }
        let own = startAttempt(attempt)
        guard let session else { return fail(.sessionDeinitialized, in: attempt) }
        session.activate(self)
        let (isDone, isResumed) = mutableState.withLock { ($0.lifecycle.isDone, $0.lifecycle.state == .resumed) }
        // Canceled in the meantime by another thread, which may have deactivated it first.
        if isDone { return session.deactivate(self) }
        switch exchanges.map({ .work($0.prepareExchange) }) ?? own {
        // Not before it is resumed: the creator of a request of an eager session may still add interceptors to it.
        case .none where isResumed && session.interceptor(for: self) == nil: makeRequest(attempt)
        case .none, .queue: makeRequest(attempt, on: session.requestQueue)
        case .work(let work): work { [queue = session.requestQueue] in self.makeRequest(attempt, on: queue) }
        }
    }

    private func makeRequest(_ attempt: Int, on queue: DispatchQueue) {
        queue.async {
            guard self.isPreparing(attempt) else { return }
            self.makeRequest(attempt)
        }
    }

    private func makeRequest(_ attempt: Int) {
        do throws(AFError) {
            let initial = try makeURLRequest()
            try initial.validate()
            guard record(in: attempt, { $0.initialRequest = initial }) else { return }
            observers?.notify { $0.request(self, didCreateInitialURLRequest: initial) }
            adapt(initial, attempt)
        } catch {
            failCreation(error, in: attempt)
        }
    }

    private func adapt(_ initial: URLRequest, _ attempt: Int) {
        guard let session else { return fail(.sessionDeinitialized, in: attempt) }
        guard let adapter = session.interceptor(for: self) else { return makeTask(initial, attempt) }
        let state = RequestAdapterState(requestID: id, session: session) { [weak self] in
            try self?.makeBody(for: initial)
        }
        // The session retains the request as long as it is active: an adapter that never calls back must not.
        adapter.adapt(initial, using: state) { [weak self] result in
            // Adapters may call back late or twice.
            guard let self, self.isPreparing(attempt) else { return }
            do {
                let adapted = try result.get()
                try adapted.validate()
                guard self.record(in: attempt, { $0.adaptedRequest = adapted }) else { return }
                self.observers?.notify { $0.request(self, didAdaptInitialRequest: initial, to: adapted) }
                self.makeTask(adapted, attempt)
            } catch {
                let error = AFError.requestAdaptationFailed(error: error)
                self.observers?.notify { $0.request(self, didFailToAdaptURLRequest: initial, withError: error) }
                self.fail(error, in: attempt)
            }
        }
    }

    private func makeTask(_ request: URLRequest, _ attempt: Int) {
        let url: HTTPURL?
        do throws(InvalidURL) {
            url = try request.httpURL
        } catch {
            return failCreation(.createURLRequestFailed(error: error), in: attempt)
        }
        guard let url else { return failCreation(.parameterEncodingFailed(reason: .missingURL), in: attempt) }
        do throws(AFError) {
            let body = try makeBody(for: request) ?? request.httpBody.map { .bytes(Array($0)) }
            guard rewind(body) else { return fail(.bodyNotRewindable, in: attempt, isLasting: true) }
            guard let session else { throw AFError.sessionDeinitialized }
            didCreate(request)
            let task = session.makeTask(for: self, hop: Hop(request: request, url: url, body: body))
            let isUsed = mutableState.withLock { mutableState in
                guard mutableState.lifecycle.prepared(attempt) else { return false }
                (mutableState.attempt.task, mutableState.attempt.body) = (task, body)
                return true
            }
            guard isUsed else { return }
            didCreate(task)
            applyStateToTask()
        } catch {
            fail(error, in: attempt)
        }
    }

    /// Rewinds the streams of the last attempt; new streams are at their first byte.
    private func rewind(_ body: BodySource?) -> Bool {
        guard let body, let sent = mutableState.withLock({ $0.sentBody }) else { return true }
        let used = Set(sent.streams.map { ObjectIdentifier($0) })
        return body.streams.allSatisfy { !used.contains(ObjectIdentifier($0)) || $0.rewind() }
    }

    private func isPreparing(_ attempt: Int) -> Bool { mutableState.withLock { $0.lifecycle.isPreparing(attempt) } }

    /// Records a request of an attempt; returns `false` if the attempt is no longer needed.
    private func record(in attempt: Int, _ change: (inout AttemptRecord) -> Void) -> Bool {
        mutableState.withLock { mutableState in
            guard mutableState.lifecycle.isPreparing(attempt) else { return false }
            change(&mutableState.attempt)
            return true
        }
    }

    /// Fails the attempt, as there is no valid URLRequest.
    private func failCreation(_ error: AFError, in attempt: Int) {
        observers?.notify { $0.request(self, didFailToCreateURLRequestWithError: error) }
        fail(error, in: attempt)
    }

    /// Fails the attempt before it has a task.
    private func fail(_ error: AFError, in attempt: Int, isLasting: Bool = false) {
        didFailToCreateRequest()
        let action = mutableState.withLock { mutableState in
            let action = mutableState.lifecycle.failedToPrepare(attempt, isLasting: isLasting)
            if action != .none { mutableState.error = mutableState.error ?? error }
            return action
        }
        perform(action)
    }
}

extension AFError {
    fileprivate static var bodyNotRewindable: AFError {
        let detail = "the body must be sent again, but can be read only once"
        return .createUploadableFailed(error: TransferFailure(.bodyNotRewindable, detail))
    }
}
