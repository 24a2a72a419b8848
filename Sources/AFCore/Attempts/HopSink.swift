internal import AFHTTP
internal import AFTransport
internal import Synchronization

/// Tells a task what happens to one of its hops, and passes the final response on to the request.
final class HopSink: TransferSink {
    /// What becomes of the response.
    private enum State {
        /// There is no head yet.
        case open
        /// A redirect handler thinks about it.
        case asked
        /// The handler has answered, and the request is being told.
        case answered
        case settled(Hop.Next)
    }

    private struct Contents {
        var verdict = State.open
        /// Whether bytes of the body wait for the verdict.
        var isPaused = false
        /// How the transfer ended, where that was before the verdict.
        var outcome: TransferOutcome?
        /// Bytes of a body that nobody wants.
        var discarded = 0
        /// The server's answer that a login followed; a proxy's may have come before.
        var challenge: HTTPURLResponse?
    }

    private let task: TransferTask
    private let receiver: any TransferTaskReceiver
    private let memory: CredentialMemory?
    /// Only the transport's thread asks, but for a handler's late answer, so hardly anybody ever waits for this.
    private let contents = Mutex(Contents())
    /// How much of a redirect's body is read, so that the connection can be used again.
    private static let patience = 64 * 1024

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
            contents.withLock { $0.challenge = $0.challenge ?? head.response }
        } else if head.kind == .final {
            memory.note(challenge: contents.withLock { $0.challenge }, answer: head.response)
        }
    }

    private func ask(about redirection: Hop.Redirection, after response: HTTPURLResponse) {
        contents.withLock { $0.verdict = .asked }
        task.isAsking(self)
        // A handler that drops the question takes the redirect as the final response.
        let verdict = Verdict<URLRequest?>(unlessGiven: nil) { request in
            self.answer(request, to: redirection, after: response)
        }
        receiver.task(task, willBeRedirectedTo: redirection.request, for: response) { verdict.give($0) }
    }

    private func answer(_ request: URLRequest?, to redirection: Hop.Redirection, after response: HTTPURLResponse) {
        if task.state == .canceling { return withdraw() }
        let isAwaited = contents.withLock { contents in
            // Handlers answer late.
            guard case .asked = contents.verdict else { return false }
            contents.verdict = .answered
            return true
        }
        guard isAwaited else { return }
        settle(request.map { task.next($0, by: redirection) } ?? .stay, after: response)
    }

    /// Tells what becomes of the response, and only then lets its body go on.
    private func settle(_ next: Hop.Next, after response: HTTPURLResponse) {
        if case .stay = next {
            receiver.task(task, didReceive: response)
        } else {
            receiver.task(task, didReceiveRedirect: response)
        }
        let (outcome, isPaused) = contents.withLock { contents in
            contents.verdict = .settled(next)
            return (contents.outcome.take(), contents.isPaused)
        }
        task.didSettle(next)
        if isPaused { task.drain() }
        if let outcome { task.finishHop(outcome, next: next) }
    }

    /// The task was cancelled: nobody waits for a handler's answer. A transfer that is under way ends by itself.
    func withdraw() {
        let outcome = contents.withLock { contents -> TransferOutcome? in
            guard case .asked = contents.verdict, let outcome = contents.outcome.take() else { return nil }
            contents.verdict = .settled(.stay)
            return outcome
        }
        guard let outcome else { return }
        let failure = TransferFailure(.cancelled, "the request was cancelled")
        task.finishHop(TransferOutcome(failure: failure, metrics: outcome.metrics), next: .stay)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let next = contents.withLock { contents -> Hop.Next? in
            guard case .settled(let next) = contents.verdict else {
                contents.isPaused = true
                return nil
            }
            if case .stay = next {} else { contents.discarded += bytes.count }
            return next
        }
        guard let next else { return .pause }
        guard case .stay = next else {
            task.didDiscard(bytes)
            return contents.withLock({ $0.discarded }) > Self.patience ? .stop : .proceed
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
        let next = contents.withLock { contents -> Hop.Next? in
            switch contents.verdict {
            case .settled(let next): return next
            case .open: return .stay
            case .asked where outcome.failure?.kind.endsTask == true:
                contents.verdict = .settled(.stay)
                return .stay
            case .asked, .answered:
                contents.outcome = outcome
                return nil
            }
        }
        if let next {
            task.finishHop(outcome, next: next)
        } else if task.state == .canceling {
            // Cancelled while there was no outcome to withdraw yet.
            withdraw()
        }
    }
}

extension TransferFailure.Kind {
    /// Whether the failure ends a task even after a redirect, of which nothing else is of interest.
    var endsTask: Bool { self == .cancelled || self == .shutDown || self == .totalTimedOut }
}
