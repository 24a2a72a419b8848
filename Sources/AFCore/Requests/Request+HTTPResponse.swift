public import Dispatch
internal import Synchronization

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
}

extension Request {
    fileprivate func tellHeads(on queue: CallbackQueue, _ handler: @escaping @Sendable (HTTPURLResponse) -> Void) {
        var tell: (@Sendable (HTTPURLResponse) -> Void)? = { response in queue.async { handler(response) } }
        contents.withLock { swap(&$0.headHandler, &tell) }
    }
}
