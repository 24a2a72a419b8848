internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// The progress of a hop, changed under the lock of its task.
struct HopProgress {
    /// The decision about the response.
    enum Decision {
        /// No header was received.
        case open
        /// A redirect handler is deciding.
        case awaitingReply
        /// The handler has decided, and the request is being informed.
        case answered
        case settled(Continuation)
    }

    enum Continuation {
        /// The response is the final one.
        case stay
        case follow(Hop)
        case refuse(RedirectFailure)

        init(of hop: Hop, _ redirection: Hop.Redirection, with request: URLRequest?, by policy: RedirectPolicy) {
            do throws(RedirectFailure) {
                if let request {
                    self = .follow(try hop.following(redirection, with: request, by: policy))
                } else {
                    self = .stay
                }
            } catch {
                self = .refuse(error)
            }
        }
    }

    var decision = Decision.open
    /// Whether body bytes wait for the decision.
    var isPaused = false
    /// The outcome of the transfer, if it ended before the decision.
    var outcome: TransferOutcome?
    /// The number of discarded bytes of a redirect's body.
    var discarded = 0
    /// The number of sent body bytes.
    var sent: Int64 = 0
    var credentials: CredentialRecorder?
    /// The server's challenge that authentication followed; a proxy's may have preceded it.
    var challenge: HTTPURLResponse?
}

/// The hops of a task. These methods run on the transport's thread, except for the start of the first hop and the reply
/// of a redirect handler.
extension TransferTask {
    /// The number of bytes of a redirect's body that are read so that the connection can be reused.
    private static let discardLimit = 64 * 1024

    private var receiver: (any TransferTaskReceiver)? { mutableState.withLock({ $0.receiver }) }

    func startHop() {
        let (hop, receiver, startTime) = mutableState.withLock { ($0.hop, $0.receiver, $0.startTime) }
        guard let receiver else { return }
        var transfer: Transfer
        do { transfer = try settings.transfer(for: hop) } catch { return complete(.trust(error)) }
        if hop.number > 0 { transfer.elapsedTime = Double(monotonicNanoseconds() - startTime) / 1e9 }
        if let credentials = settings.credentialRecorder(for: hop) {
            mutableState.withLock { $0.progress.credentials = credentials }
        }
        transfers.start { transport.start(transfer, into: HopSink(task: self, receiver: receiver)) }
    }

    // The header

    fileprivate func receive(_ head: TransferHead, for receiver: any TransferTaskReceiver) {
        guard head.kind == .final else {
            if head.kind == .intermediate { noteChallenge(head.response) }
            receiver.task(self, didReceiveInterim: head)
            return
        }
        let response = head.response
        let (hop, credentials, challenge) = mutableState.withLock { mutableState in
            mutableState.response = response
            let hop = mutableState.hop.isConcerned(by: response) ? mutableState.hop : nil
            return (hop, mutableState.progress.credentials, mutableState.progress.challenge)
        }
        credentials?.note(challenge: challenge, answer: response)
        guard let hop else { return settle(.stay, after: response, for: receiver) }
        // This asks the session's trust manager, which may be the caller's code: it must run without the lock.
        settings.noteStrictTransport(response, of: hop)
        switch hop.next(after: response, by: settings.configuration.redirects) {
        case .stay: settle(.stay, after: response, for: receiver)
        case .refuse(let failure): settle(.refuse(failure), after: response, for: receiver)
        case .redirect(let redirection): ask(about: redirection, of: hop, after: response, for: receiver)
        }
    }

    private func noteChallenge(_ response: HTTPURLResponse) {
        guard response.statusCode == 401 else { return }
        mutableState.withLock { $0.progress.challenge = $0.progress.challenge ?? response }
    }

    // Redirects

    private func ask(
        about redirection: Hop.Redirection,
        of hop: Hop,
        after response: HTTPURLResponse,
        for receiver: any TransferTaskReceiver
    ) {
        mutableState.withLock { $0.progress.decision = .awaitingReply }
        // A handler that drops the closure makes the redirect the final response.
        let reply = OneShotReply<URLRequest?>(defaultValue: nil) { request in
            // Not the receiver from outside: a handler may keep the closure after the end of the task.
            guard self.isAwaitingReply(for: hop), let receiver = self.receiver else { return self.stopWaiting() }
            self.settle(
                .init(of: hop, redirection, with: request, by: self.settings.configuration.redirects),
                after: response,
                for: receiver
            )
        }
        receiver.task(self, willBeRedirectedTo: redirection.request, for: response) { reply.give($0) }
    }

    /// Accepts the reply of a redirect handler, unless it is too late.
    private func isAwaitingReply(for hop: Hop) -> Bool {
        mutableState.withLock { mutableState in
            guard case .awaitingReply = mutableState.progress.decision, mutableState.hop.number == hop.number,
                mutableState.state != .canceling
            else { return false }
            mutableState.progress.decision = .answered
            return true
        }
    }

    /// Reports the decision, and only then lets the body continue.
    private func settle(
        _ next: HopProgress.Continuation,
        after response: HTTPURLResponse,
        for receiver: any TransferTaskReceiver
    ) {
        let isFinal = if case .stay = next { true } else { false }
        if isFinal {
            receiver.task(self, didReceive: response)
        } else {
            receiver.task(self, didReceiveRedirect: response)
        }
        // The next hop may start as soon as the decision is recorded.
        let redirected = isFinal ? nil : transfers.number
        let (isPaused, outcome) = mutableState.withLock { mutableState in
            mutableState.progress.decision = .settled(next)
            return (mutableState.progress.isPaused, mutableState.progress.outcome.take())
        }
        if let redirected, outcome == nil, response.expectedContentLength != 0 { abandon(redirected) }
        if isPaused { drain() }
        if let outcome { finishHop(outcome, next) }
    }

    /// Ends the transfer of a redirect whose body takes too long.
    private func abandon(_ number: Int) {
        // Dispatch's first timer takes a thread and several descriptors.
        if transfers.cancel(number: number, after: 1) { return }
        DispatchQueue.global().run(after: 1) { [weak self] in self?.transfers.cancel(number: number) }
    }

    /// Stops waiting for a redirect handler, as the task was canceled. A running transfer ends by itself.
    func stopWaiting() {
        let outcome = mutableState.withLock { mutableState -> TransferOutcome? in
            guard mutableState.state == .canceling, case .awaitingReply = mutableState.progress.decision,
                let outcome = mutableState.progress.outcome.take()
            else { return nil }
            mutableState.progress.decision = .settled(.stay)
            return outcome
        }
        guard let outcome else { return }
        let failure = TransferFailure(.cancelled, "the request was canceled")
        finishHop(TransferOutcome(failure: failure, metrics: outcome.metrics), .stay)
    }

    // The body

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer, for receiver: any TransferTaskReceiver) -> Flow {
        let (flow, isFinal) = mutableState.withLock { mutableState -> (Flow, Bool) in
            if case .settled(.stay) = mutableState.progress.decision { return (.proceed, true) }
            guard case .settled = mutableState.progress.decision else {
                mutableState.progress.isPaused = true
                return (.pause, false)
            }
            mutableState.progress.discarded += bytes.count
            return (mutableState.progress.discarded > Self.discardLimit ? .stop : .proceed, false)
        }
        guard isFinal else {
            if flow != .pause { reportDiscarded(bytes) }
            return flow
        }
        let answer = receiver.task(self, didReceive: bytes)
        if answer == .proceed { received.add(Int64(bytes.count), ordering: .relaxed) }
        return answer
    }

    fileprivate func decodesBody(of response: HTTPURLResponse, for receiver: any TransferTaskReceiver) -> Bool? {
        let isFinal = mutableState.withLock { mutableState -> Bool? in
            guard case .settled(let next) = mutableState.progress.decision else {
                mutableState.progress.isPaused = true
                return nil
            }
            return if case .stay = next { true } else { false }
        }
        // That of a redirect is discarded, and shown to observers.
        return isFinal == true ? receiver.task(self, decodesBodyOf: response) : isFinal.map { _ in true }
    }

    fileprivate func receiveEncoded(_ bytes: UnsafeRawBufferPointer, for receiver: any TransferTaskReceiver) {
        let isFinal = mutableState.withLock { mutableState in
            if case .settled(.stay) = mutableState.progress.decision { true } else { false }
        }
        if isFinal { receiver.task(self, didReceiveEncoded: bytes) }
    }

    /// Reports the bytes of a redirect's body to observers of transfer events.
    private func reportDiscarded(_ bytes: UnsafeRawBufferPointer) {
        guard let handler = settings.configuration.eventHandler, handler.kinds.contains(.redirectBody) else { return }
        handler.handle(TransferEvent(kind: .redirectBody, bytes: Array(bytes)))
    }

    fileprivate func didSend(_ bytes: Int64, of total: Int64?) {
        let new = mutableState.withLock { mutableState in
            // An authentication round sends the body from its first byte.
            let before = bytes < mutableState.progress.sent ? 0 : mutableState.progress.sent
            mutableState.progress.sent = bytes
            return bytes - before
        }
        receiver?.task(self, didSend: bytes, new: new, of: total)
    }

    // The end

    fileprivate func finish(_ outcome: TransferOutcome) {
        let next = mutableState.withLock { mutableState -> HopProgress.Continuation? in
            switch mutableState.progress.decision {
            case .settled(let next): return next
            case .open: return .stay
            case .awaitingReply where outcome.failure?.kind.endsTask == true:
                mutableState.progress.decision = .settled(.stay)
                return .stay
            case .awaitingReply, .answered:
                mutableState.progress.outcome = outcome
                return nil
            }
        }
        // The task may have been canceled before there was an outcome.
        if let next { finishHop(outcome, next) } else { stopWaiting() }
    }

    private func finishHop(_ outcome: TransferOutcome, _ next: HopProgress.Continuation) {
        switch next {
        case .stay: complete(outcome.failure.map(AttemptFailure.transfer), after: outcome.metrics)
        case .refuse(let failure): complete(.redirect(failure), after: outcome.metrics)
        case .follow(let hop):
            // The redirect's own body and its failure are irrelevant.
            if let failure = outcome.failure, failure.kind == .shutDown || failure.kind == .totalTimedOut {
                return complete(.transfer(failure), after: outcome.metrics)
            }
            follow(hop, after: outcome.metrics)
        }
    }

    private func follow(_ hop: Hop, after metrics: TransactionMetrics) {
        guard Safety.requires("20-rewind", hop.body?.rewind() ?? true) else {
            return complete(.redirect(RedirectFailure(reason: .bodyNotRewindable)), after: metrics)
        }
        let (receiver, isCancelled) = mutableState.withLock { mutableState in
            mutableState.transactions.append(metrics)
            mutableState.hop = hop
            mutableState.progress = HopProgress()
            return (mutableState.receiver, mutableState.state == .canceling)
        }
        if isCancelled { return complete(.transfer(TransferFailure(.cancelled, "the request was canceled"))) }
        receiver?.task(self, willFollowRedirectTo: hop.request, with: hop.body)
        startHop()
    }

    /// Ends the task.
    ///
    /// - Parameter last: The metrics of the last hop, if it was started.
    func complete(_ failure: AttemptFailure?, after last: TransactionMetrics? = nil) {
        let (metrics, receiver) = mutableState.withLock { mutableState in
            mutableState.state = .completed
            if let last { mutableState.transactions.append(last) }
            let start = mutableState.startDate ?? .now
            let metrics = TransferMetrics(
                taskInterval: DateInterval(start: start, end: max(start, .now)),
                transactionMetrics: mutableState.transactions
            )
            return (metrics, mutableState.receiver.take())
        }
        transfers.end()
        receiver?.task(self, didComplete: failure, metrics: metrics)
    }
}

/// Forwards the events of a hop to its task, which cannot be a sink itself: the methods of a public sink are public.
private final class HopSink: CachingSink {
    private let task: TransferTask
    private let receiver: any TransferTaskReceiver

    init(task: TransferTask, receiver: any TransferTaskReceiver) {
        self.task = task
        self.receiver = receiver
    }

    func receive(_ head: TransferHead) { task.receive(head, for: receiver) }
    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow { task.receive(bytes, for: receiver) }
    func decodesBody(of response: HTTPURLResponse) -> Bool? { task.decodesBody(of: response, for: receiver) }
    func receiveEncoded(_ bytes: UnsafeRawBufferPointer) { task.receiveEncoded(bytes, for: receiver) }
    func didSend(_ bytes: Int64, of total: Int64?) { task.didSend(bytes, of: total) }
    func finish(_ outcome: TransferOutcome) { task.finish(outcome) }

    var cachePolicy: URLRequest.CachePolicy { task.settings.cachePolicy(for: task.originalRequest) }
    var isCacheable: Bool { receiver.isCacheable }

    func willCache(
        _ response: CachedURLResponse,
        store: @escaping @Sendable (CachedURLResponse?) -> Void,
        then finish: @escaping @Sendable () -> Void
    ) {
        receiver.task(task, willCache: response, store: store, then: finish)
    }
}

extension TransferFailure.Kind {
    /// Whether the failure ends a task even after a redirect, when other failures are irrelevant.
    fileprivate var endsTask: Bool { self == .cancelled || self == .shutDown || self == .totalTimedOut }
}
