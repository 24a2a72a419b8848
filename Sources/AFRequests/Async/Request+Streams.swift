public import AFHTTP
internal import Dispatch

/// The events of a request as asynchronous sequences, which end with the request, including all retries. They do not
/// start it.
///
/// Each replaces the closure for the same event, and the sequence created before.
extension Request {
    /// Returns the progress of the request body.
    public func uploadProgress(
        bufferingPolicy: StreamOf<TransferProgress>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferProgress> {
        stream(bufferingPolicy) { buffer in uploadProgress(queue: underlyingQueue) { buffer.yield($0) } }
    }

    /// Returns the progress of the response body.
    public func downloadProgress(
        bufferingPolicy: StreamOf<TransferProgress>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferProgress> {
        stream(bufferingPolicy) { buffer in downloadProgress(queue: underlyingQueue) { buffer.yield($0) } }
    }

    /// Returns the request of every attempt, as adapted.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { buffer in onURLRequestCreation(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// Returns the task of every attempt. Replaces Alamofire's `urlSessionTasks()`.
    public func transferTasks(
        bufferingPolicy: StreamOf<TransferTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferTask> {
        stream(bufferingPolicy) { buffer in onTransferTaskCreation(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// Returns a curl command for every attempt, without secrets; see ``cURLDescription()``.
    public func cURLDescriptions(
        bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
    ) -> StreamOf<String> {
        stream(bufferingPolicy) { buffer in describe(on: underlyingQueue, isRepeating: true) { buffer.yield($0) } }
    }

    fileprivate func stream<Element: Sendable>(
        _ policy: StreamOf<Element>.BufferingPolicy,
        _ connect: (StreamBuffer<Element>) -> Void
    ) -> StreamOf<Element> {
        let buffer = StreamBuffer<Element>(policy)
        connect(buffer)
        let end = OnDeinit { buffer.finish() }
        // After the events that were enqueued before.
        whenFinished { request in request.underlyingQueue.async { end.run() } }
        return StreamOf(buffer)
    }
}

extension ResponseHeaderObservable {
    /// Returns the final response's header of every attempt.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { buffer in onHTTPResponse(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// Calls an asynchronous closure with the final response's header of every attempt, before any of the body is
    /// received. A later closure replaces an earlier one. Does not start the request.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void) -> Self
    {
        decideOnHeads { response in
            await handler(response)
            return .allow
        }
        return self
    }

    /// Calls an asynchronous closure with the final response's header of every attempt, which decides whether to
    /// receive the body. A later closure replaces an earlier one. Does not start the request.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Request.ResponseDisposition
    ) -> Self {
        decideOnHeads(handler)
        return self
    }
}

extension Request {
    fileprivate func decideOnHeads(_ handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition) {
        decideOnHeads(on: .inline) { response, reply in Task { reply(await handler(response)) } }
    }
}
