public import AFHTTP
internal import AFTransport
public import Dispatch
internal import Synchronization

extension Request {
    /// What a handler of heads makes of one.
    public enum ResponseDisposition: Hashable, Sendable {
        /// The body may come.
        case allow
        /// No body is wanted: the request is cancelled.
        case cancel
    }
}

extension DataRequest {
    /// Called with the final response's head of every attempt, before its body is complete. The last closure given
    /// counts; it starts nothing.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        tellHeads(on: CallbackQueue(queue), handler)
        return self
    }

    /// Called with the final response's head of every attempt, to say whether the body is wanted. None comes in before
    /// `completionHandler` is called, or let go of, which counts as ``Request/ResponseDisposition/allow``. The last closure
    /// given counts; it starts nothing.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse,
                _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        judgeHeads(on: CallbackQueue(queue), handler)
        return self
    }
}

extension DataStreamRequest {
    /// Called with the final response's head of every attempt, before any of its body where the queue is that of the
    /// stream's handler and serial. The last closure given counts; it starts nothing.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        onHTTPResponse(on: CallbackQueue(queue), perform: handler)
    }

    /// The same on a queue that need not be Dispatch's.
    @discardableResult
    public func onHTTPResponse(
        on queue: CallbackQueue,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        tellHeads(on: queue, handler)
        return self
    }

    /// Called with the final response's head of every attempt, to say whether the body is wanted. None comes in before
    /// `completionHandler` is called, or let go of, which counts as ``Request/ResponseDisposition/allow``. The last closure
    /// given counts; it starts nothing.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse,
                _ completionHandler: @escaping @Sendable (ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        judgeHeads(on: CallbackQueue(queue), handler)
        return self
    }
}

extension Request {
    /// Told of the final response's head.
    enum HeadHandler {
        case told(@Sendable (HTTPURLResponse) -> Void)
        /// Asked whether the body is wanted.
        case asked(@Sendable (HTTPURLResponse, Verdict<ResponseDisposition>) -> Void)
    }

    /// A task of which nothing is heard after its head, before somebody has said that the body is wanted.
    struct HeldTask {
        let task: TransferTask
        /// Set where the task ended meanwhile.
        var metrics: TransferMetrics?
    }

    fileprivate func tellHeads(on queue: CallbackQueue, _ handler: @escaping @Sendable (HTTPURLResponse) -> Void) {
        setHeadHandler(.told { response in queue.async { handler(response) } })
    }

    func judgeHeads(
        on queue: CallbackQueue,
        _ handler:
            @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) {
        setHeadHandler(.asked { response, verdict in queue.async { handler(response) { verdict.give($0) } } })
    }

    private func setHeadHandler(_ handler: HeadHandler) {
        var handler = Optional(handler)
        contents.withLock { swap(&$0.hooks.head, &handler) }
    }

    /// The final response's head came; on the transport's thread.
    func handleHead(_ response: HTTPURLResponse, of task: TransferTask) {
        let handler = contents.withLock { contents in
            if case .asked? = contents.hooks.head { contents.held = HeldTask(task: task) }
            return contents.hooks.head
        }
        switch handler {
        case nil: break
        case .told(let tell): tell(response)
        case .asked(let ask):
            ask(
                response,
                Verdict(unlessGiven: .allow) { disposition in
                    if disposition == .cancel { self.cancel() }
                    self.letGo(of: task, isWanted: disposition == .allow)
                }
            )
        }
    }

    /// Whether nothing may be heard of the task yet.
    func isHolding(_ task: TransferTask) -> Bool { contents.withLock { $0.held?.task === task } }

    /// Keeps the good end of a task to itself while its head is being judged; a failure needs no verdict.
    func holdBack(_ task: TransferTask, _ failure: (any Error)?, _ metrics: TransferMetrics) -> Bool {
        contents.withLock { contents in
            guard contents.held?.task === task else { return false }
            guard failure == nil, contents.lifecycle.state != .cancelled else {
                contents.held = nil
                return false
            }
            contents.held?.metrics = metrics
            return true
        }
    }

    /// Goes on with a task that was held. One that is not wanted stays held to its end: bytes may come in after a cancel.
    func letGo(of task: TransferTask, isWanted: Bool) {
        let held = contents.withLock { contents -> HeldTask? in
            guard let held = contents.held, held.task === task, isWanted || held.metrics != nil else { return nil }
            return contents.held.take()
        }
        guard let held else { return }
        if let metrics = held.metrics {
            self.task(task, didComplete: nil, metrics: metrics)
        } else {
            task.drain()
        }
    }
}
