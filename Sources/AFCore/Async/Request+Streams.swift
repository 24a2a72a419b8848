public import AFHTTP
internal import Dispatch

/// What happens to a request as asynchronous sequences, which end with the request, all retries included. They start nothing.
///
/// Each takes the place of the closure for the same thing, and of the sequence that was made before it.
extension Request {
    /// How far the request body has gone out.
    public func uploadProgress(
        bufferingPolicy: StreamOf<TransferProgress>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferProgress> {
        stream(bufferingPolicy) { buffer in uploadProgress(queue: underlyingQueue) { buffer.yield($0) } }
    }

    /// How far the response body has come in.
    public func downloadProgress(
        bufferingPolicy: StreamOf<TransferProgress>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferProgress> {
        stream(bufferingPolicy) { buffer in downloadProgress(queue: underlyingQueue) { buffer.yield($0) } }
    }

    /// The request of every attempt, as adapters left it.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { buffer in onURLRequestCreation(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// The task of every attempt. It stands where Alamofire has `urlSessionTasks()`.
    public func transferTasks(
        bufferingPolicy: StreamOf<TransferTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<TransferTask> {
        stream(bufferingPolicy) { buffer in onTransferTaskCreation(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// A curl command for every attempt, without secrets; see ``cURLDescription()``.
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
        let source = StreamSource(buffer)
        // Behind what has been told on the same queue.
        whenFinished { request in request.underlyingQueue.async { source.buffer.finish() } }
        return StreamOf(buffer)
    }
}

extension DataRequest {
    /// The final response's head of every attempt.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { buffer in onHTTPResponse(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// Awaits a closure with the final response's head of every attempt; no body comes in meanwhile. The last closure given
    /// counts; it starts nothing.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void) -> Self
    {
        judgeHeads { response in
            await handler(response)
            return .allow
        }
        return self
    }

    /// Awaits a closure that says with the final response's head of every attempt whether the body is wanted; none comes in
    /// meanwhile. The last closure given counts; it starts nothing.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        judgeHeads(handler)
        return self
    }
}

extension DataStreamRequest {
    /// The final response's head of every attempt.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { buffer in onHTTPResponse(on: underlyingQueue) { buffer.yield($0) } }
    }

    /// Awaits a closure with the final response's head of every attempt; no body comes in meanwhile. The last closure given
    /// counts; it starts nothing.
    @discardableResult
    public func onHTTPResponse(perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> Void) -> Self
    {
        judgeHeads { response in
            await handler(response)
            return .allow
        }
        return self
    }

    /// Awaits a closure that says with the final response's head of every attempt whether the body is wanted; none comes in
    /// meanwhile. The last closure given counts; it starts nothing.
    @_disfavoredOverload
    @discardableResult
    public func onHTTPResponse(
        perform handler: @escaping @Sendable (_ response: HTTPURLResponse) async -> ResponseDisposition
    ) -> Self {
        judgeHeads(handler)
        return self
    }
}

extension Request {
    fileprivate func judgeHeads(_ handler: @escaping @Sendable (HTTPURLResponse) async -> ResponseDisposition) {
        judgeHeads(on: .inline) { response, answer in Task { answer(await handler(response)) } }
    }
}
