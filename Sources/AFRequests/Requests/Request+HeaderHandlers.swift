public import AFHTTP
internal import AFTransport
public import Dispatch
internal import Synchronization

extension Request {
    /// The decision of a header handler.
    public enum ResponseDisposition: Hashable, Sendable {
        /// Receive the body.
        case allow
        /// Cancel the request.
        case cancel
    }
}

/// A request whose header may be handled before its body is complete: a ``DataRequest`` or a ``DataStreamRequest``.
public protocol ResponseHeaderObservable: Request {}

extension DataRequest: ResponseHeaderObservable {}
extension DataStreamRequest: ResponseHeaderObservable {}

extension ResponseHeaderObservable {
    /// Calls the closure with the final response's header of every attempt, before its body is complete; of a stream,
    /// before any of its body if the queue is the stream handler's and serial. A later closure replaces an earlier one.
    /// Does not start the request.
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        observeHeads(on: CallbackQueue(queue), handler)
        return self
    }

    /// Calls the closure with the final response's header of every attempt, to decide whether to receive the body. The
    /// body waits until `completionHandler` is called or released, which counts as
    /// ``Request/ResponseDisposition/allow``. A later closure replaces an earlier one. Does not start the request.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        on queue: DispatchQueue = .main,
        perform handler:
            @escaping @Sendable (
                _ response: HTTPURLResponse,
                _ completionHandler: @escaping @Sendable (Request.ResponseDisposition) -> Void
            ) -> Void
    ) -> Self {
        decideOnHeads(on: CallbackQueue(queue), handler)
        return self
    }
}

extension DataStreamRequest {
    /// Calls the closure with the final response's header of every attempt, on any executor.
    @discardableResult
    public func onHTTPResponse(
        on queue: CallbackQueue,
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) -> Void
    ) -> Self {
        observeHeads(on: queue, handler)
        return self
    }
}

extension Request {
    /// A handler of the final response's header.
    enum HeadHandler {
        case observing(@Sendable (HTTPURLResponse) -> Void)
        /// Decides whether to receive the body.
        case deciding(@Sendable (HTTPURLResponse, OneShotReply<ResponseDisposition>) -> Void)
    }

    fileprivate func observeHeads(on queue: CallbackQueue, _ handler: @escaping @Sendable (HTTPURLResponse) -> Void) {
        setHeadHandler(.observing { response in queue.async { handler(response) } })
    }

    func decideOnHeads(
        on queue: CallbackQueue,
        _ handler:
            @escaping @Sendable (HTTPURLResponse, @escaping @Sendable (ResponseDisposition) -> Void) -> Void
    ) {
        setHeadHandler(.deciding { response, reply in queue.async { handler(response) { reply.send($0) } } })
    }

    private func setHeadHandler(_ handler: HeadHandler) {
        var handler = Optional(handler)
        mutableState.withLock { swap(&$0.hooks.head, &handler) }
    }

    /// Handles the final response's header, on the transport's thread.
    func handleHead(_ response: HTTPURLResponse, of task: TransferTask) {
        switch mutableState.withLock({ $0.hooks.head }) {
        case nil: break
        case .observing(let observe): observe(response)
        case .deciding(let decide):
            task.hold()
            decide(
                response,
                OneShotReply(defaultValue: .allow) { disposition in
                    if disposition == .cancel { self.cancel() }
                    task.release(isAccepted: disposition == .allow)
                }
            )
        }
    }
}
