internal import AFHTTP
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Performs the actions of a task's ``AttemptState``: the sink of the transfers of all its hops.
///
/// Its methods run on the transport's thread; for a response from the cache, on the queue of its delivery. The start of the
/// first hop, the reply of a redirect handler, the end of a held response, and the end of an attempt that is canceled
/// without a transfer run on the thread that causes them.
final class AttemptRunner: TransferSink {
    private let task: TransferTask
    private let owner: any AttemptOwner

    init(_ task: TransferTask, of owner: any AttemptOwner) {
        self.task = task
        self.owner = owner
    }

    private var settings: TransferSettings { task.settings }

    func perform(_ action: AttemptState.DesiredAction) {
        switch action {
        case .start: startHop()
        case .forward: perform(task.mutableState.withLock { $0.state.nextCall() })
        case .complete(let completion), .release(let completion): complete(completion)
        }
    }

    func perform(_ action: AttemptState.ReleaseAction) {
        switch action {
        case .drain: task.drain()
        case .complete(let completion): complete(completion)
        }
    }

    private func perform(_ call: ChainControl.Call?) {
        call?.perform { task.mutableState.withLock { $0.state.callAfterLast() } }
    }

    private func startHop() {
        let start = task.mutableState.withLock { $0.state.beginHop(at: .now) }
        var transfer: Transfer
        do {
            transfer = try settings.transfer(for: start.hop)
        } catch {
            return complete(task.mutableState.withLock { $0.state.end(.trust(error), at: .now) })
        }
        transfer.elapsedTime = start.elapsedTime
        if settings.configuration.cache != nil { transfer.cacheUse = cacheUse }
        if let recorder = settings.credentialRecorder(for: start.hop) {
            task.mutableState.withLock { $0.state.authenticate(recorder) }
        }
        let control = task.transport.start(transfer, into: self)
        perform(task.mutableState.withLock { $0.state.register(control, as: start.number) })
    }

    // The header

    func receive(_ head: TransferHead) {
        let response = head.response
        switch task.mutableState.withLock({ $0.state.receiveHead(head) }) {
        case .none: break
        case .reportInterim: owner.task(task, didReceiveInterim: head)
        case .report(let authentication):
            authentication?.record(response)
            report(nil, after: response)
        case .evaluate(let hop, let authentication):
            authentication?.record(response)
            // This asks the session's trust manager, which may be the caller's code: it must run without the lock.
            settings.recordStrictTransport(response, of: hop)
            switch hop.next(after: response, by: settings.configuration.redirects) {
            case .stay: report(nil, after: response)
            case .refuse(let failure): report(.failure(failure), after: response)
            case .redirect(let redirection): ask(about: redirection, of: hop, after: response)
            }
        }
    }

    private func ask(about redirection: Hop.Redirection, of hop: Hop, after response: HTTPURLResponse) {
        task.mutableState.withLock { $0.state.askHandler() }
        // A handler that drops the closure makes the redirect the final response.
        let reply = OneShotReply<URLRequest?>(defaultValue: nil) { [task] request in
            // Not `self`: a handler may keep the closure after the end, and must not retain the owner.
            task.runner?.follow(redirection, of: hop, with: request, after: response)
        }
        owner.task(task, willBeRedirectedTo: redirection.request, for: response) { reply.send($0) }
    }

    /// Handles the reply of a redirect handler.
    ///
    /// - Parameter request: The request to send; `nil` if the redirect is the final response.
    private func follow(
        _ redirection: Hop.Redirection,
        of hop: Hop,
        with request: URLRequest?,
        after response: HTTPURLResponse
    ) {
        guard task.mutableState.withLock({ $0.state.acceptReply(about: hop.number) }) else { return }
        let policy = settings.configuration.redirects
        let next = request.map { request in
            Result { () throws(RedirectFailure) in try hop.following(redirection, with: request, by: policy) }
        }
        report(next, after: response)
    }

    /// Reports the decision about a header, and only then lets the body continue.
    ///
    /// - Parameter next: The next hop or failure; `nil` if the response is final.
    private func report(_ next: Result<Hop, RedirectFailure>?, after response: HTTPURLResponse) {
        if next == nil {
            owner.task(task, didReceive: response)
        } else {
            owner.task(task, didReceiveRedirect: response)
        }
        switch task.mutableState.withLock({ $0.state.decide(next, at: .now) }) {
        case .none: break
        case .drain: task.drain()
        case .discard(let number, let drains):
            if response.expectedContentLength != 0 { abandon(number) }
            if drains { task.drain() }
        case .end(let action): perform(action)
        }
    }

    /// Ends the transfer of a redirect whose body takes too long.
    private func abandon(_ number: Int) {
        // Dispatch's first timer takes a thread and several descriptors.
        if task.control(ofTransfer: number)?.cancel(after: 1) == true { return }
        DispatchQueue.global().run(after: 1) { [weak task] in task?.control(ofTransfer: number)?.cancel() }
    }

    // The body

    func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        switch task.mutableState.withLock({ $0.state.receiveBody(bytes.count) }) {
        case .deliver:
            let flow = owner.task(task, didReceive: bytes)
            if flow == .proceed { task.received.add(Int64(bytes.count), ordering: .relaxed) }
            return flow
        case .pause: return .pause
        case .discard(let isLast):
            reportDiscarded(bytes)
            return isLast ? .stop : .proceed
        case .stop: return .stop
        }
    }

    /// Reports the bytes of a redirect's body to observers of transfer events.
    private func reportDiscarded(_ bytes: UnsafeRawBufferPointer) {
        guard let handler = settings.configuration.eventHandler, handler.kinds.contains(.redirectBody) else { return }
        handler.handle(TransferEvent(kind: .redirectBody, bytes: Array(bytes)))
    }

    func decodesBody(of response: HTTPURLResponse) -> Bool? {
        switch task.mutableState.withLock({ $0.state.decodesBody() }) {
        case .ask: owner.task(task, decodesBodyOf: response)
        case .decode: true
        case .wait: nil
        }
    }

    func receiveEncoded(_ bytes: UnsafeRawBufferPointer) {
        if task.mutableState.withLock({ $0.state.isFinal }) { owner.task(task, didReceiveEncoded: bytes) }
    }

    func didSend(_ bytes: Int64, of total: Int64?) {
        let new = task.mutableState.withLock { $0.state.didSend(bytes) }
        owner.task(task, didSend: bytes, new: new, of: total)
    }

    // The end

    func finish(_ outcome: TransferOutcome) {
        perform(task.mutableState.withLock { $0.state.finish(outcome, at: .now) })
    }

    private func perform(_ action: AttemptState.EndAction) {
        switch action {
        case .none, .wait: break
        case .complete(let completion): complete(completion)
        case .follow(let hop, let metrics): follow(hop, after: metrics)
        }
    }

    private func follow(_ hop: Hop, after metrics: TransactionMetrics) {
        guard Safety.requires("20-rewind", hop.body?.rewind() ?? true) else {
            let failure = AttemptFailure.redirect(RedirectFailure(reason: .bodyNotRewindable))
            return complete(task.mutableState.withLock { $0.state.end(failure, after: metrics, at: .now) })
        }
        if let end = task.mutableState.withLock({ $0.state.follow(hop, after: metrics, at: .now) }) {
            return complete(end)
        }
        owner.task(task, willFollowRedirectTo: hop.request, with: hop.body)
        startHop()
    }

    private func complete(_ completion: AttemptState.Completion) {
        task.releaseOwner()
        owner.task(task, didComplete: completion.failure, metrics: completion.metrics)
    }

    // The cache

    private var cacheUse: CacheUse {
        let policy = settings.cachePolicy(for: task.originalRequest)
        return CacheUse(policy: policy, isCacheable: owner.isCacheable) { [owner, task] response, store, finish in
            owner.task(task, willCache: response, store: store, then: finish)
        }
    }
}

extension AttemptState.Authentication {
    /// Stores or removes the credential according to the final response.
    fileprivate func record(_ response: HTTPURLResponse) { recorder.update(challenge: challenge, response: response) }
}
