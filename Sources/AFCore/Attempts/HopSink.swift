internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// Reports the events of a hop to its task, and forwards the final response to the request.
final class HopSink: TransferSink {
    /// The state of the response.
    private enum Decision {
        /// No header was received.
        case open
        /// A redirect handler is deciding.
        case asked
        /// The handler has decided, and the request is being informed.
        case answered
        case settled(Hop.Next)
    }

    private struct MutableState {
        var decision = Decision.open
        /// Whether body bytes wait for the decision.
        var isPaused = false
        /// The outcome of the transfer, if it ended before the decision.
        var outcome: TransferOutcome?
        /// The number of discarded body bytes.
        var discarded = 0
        /// The server's challenge that authentication followed; a proxy's may have preceded it.
        var challenge: HTTPURLResponse?
    }

    private let task: TransferTask
    private let receiver: any TransferTaskReceiver
    private let memory: CredentialMemory?
    /// Only the transport's thread and a handler's late decision lock it, so it is hardly ever contended.
    private let mutableState = Mutex(MutableState())
    /// The number of bytes of a redirect's body that are read so that the connection can be reused.
    private static let discardLimit = 64 * 1024

    init(task: TransferTask, receiver: any TransferTaskReceiver, memory: CredentialMemory?) {
        self.task = task
        self.receiver = receiver
        self.memory = memory
    }

    func receive(_ head: TransferHead) {
        if let memory { note(head, memory) }
        guard head.kind == .final else { return receiver.task(task, didReceiveInterim: head) }
        switch task.outlook(after: head.response) {
        case .settled(let next): settle(next, after: head.response)
        case .redirect(let redirection): ask(about: redirection, after: head.response)
        }
    }

    private func note(_ head: TransferHead, _ memory: CredentialMemory) {
        if head.kind == .intermediate, head.response.statusCode == 401 {
            mutableState.withLock { $0.challenge = $0.challenge ?? head.response }
        } else if head.kind == .final {
            memory.note(challenge: mutableState.withLock { $0.challenge }, answer: head.response)
        }
    }

    private func ask(about redirection: Hop.Redirection, after response: HTTPURLResponse) {
        mutableState.withLock { $0.decision = .asked }
        task.isAsking(self)
        // A handler that drops the closure makes the redirect the final response.
        let reply = OneShotReply<URLRequest?>(defaultValue: nil) { request in
            self.answer(request, to: redirection, after: response)
        }
        receiver.task(task, willBeRedirectedTo: redirection.request, for: response) { reply.give($0) }
    }

    private func answer(_ request: URLRequest?, to redirection: Hop.Redirection, after response: HTTPURLResponse) {
        if task.state == .canceling { return withdraw() }
        let isAwaited = mutableState.withLock { mutableState in
            // Handlers may decide late.
            guard case .asked = mutableState.decision else { return false }
            mutableState.decision = .answered
            return true
        }
        guard isAwaited else { return }
        settle(request.map { task.next($0, by: redirection) } ?? .stay, after: response)
    }

    /// Reports the decision, and only then lets the body continue.
    private func settle(_ next: Hop.Next, after response: HTTPURLResponse) {
        if case .stay = next {
            receiver.task(task, didReceive: response)
        } else {
            receiver.task(task, didReceiveRedirect: response)
        }
        let (outcome, isPaused) = mutableState.withLock { mutableState in
            mutableState.decision = .settled(next)
            return (mutableState.outcome.take(), mutableState.isPaused)
        }
        task.didSettle(next)
        if isPaused { task.drain() }
        if let outcome { task.finishHop(outcome, next: next) }
    }

    /// Stops waiting for a handler, as the task was cancelled. A running transfer ends by itself.
    func withdraw() {
        let outcome = mutableState.withLock { mutableState -> TransferOutcome? in
            guard case .asked = mutableState.decision, let outcome = mutableState.outcome.take() else { return nil }
            mutableState.decision = .settled(.stay)
            return outcome
        }
        guard let outcome else { return }
        let failure = TransferFailure(.cancelled, "the request was cancelled")
        task.finishHop(TransferOutcome(failure: failure, metrics: outcome.metrics), next: .stay)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let next = mutableState.withLock { mutableState -> Hop.Next? in
            guard case .settled(let next) = mutableState.decision else {
                mutableState.isPaused = true
                return nil
            }
            if case .stay = next {} else { mutableState.discarded += bytes.count }
            return next
        }
        guard let next else { return .pause }
        guard case .stay = next else {
            task.didDiscard(bytes)
            return mutableState.withLock({ $0.discarded }) > Self.discardLimit ? .stop : .proceed
        }
        let flow = receiver.task(task, didReceive: bytes)
        if flow == .proceed { task.didReceive(bytes.count) }
        return flow
    }

    func didSend(_ bytes: Int64, of total: Int64?) {
        let new = task.didSend(bytes)
        receiver.task(task, didSend: bytes, new: new, of: total)
    }

    func finish(_ outcome: TransferOutcome) {
        let next = mutableState.withLock { mutableState -> Hop.Next? in
            switch mutableState.decision {
            case .settled(let next): return next
            case .open: return .stay
            case .asked where outcome.failure?.kind.endsTask == true:
                mutableState.decision = .settled(.stay)
                return .stay
            case .asked, .answered:
                mutableState.outcome = outcome
                return nil
            }
        }
        if let next {
            task.finishHop(outcome, next: next)
        } else if task.state == .canceling {
            // Cancelled before there was an outcome.
            withdraw()
        }
    }
}

extension TransferFailure.Kind {
    /// Whether the failure ends a task even after a redirect, when other failures are irrelevant.
    var endsTask: Bool { self == .cancelled || self == .shutDown || self == .totalTimedOut }
}
