internal import FoundationEssentials

/// A consumer of the chunks of a streamed body.
protocol BodyConsumer: AnyObject, Sendable {
    /// Receives a chunk, which must be released with ``DataStreamRequest/didConsume(_:)`` when it no longer uses
    /// memory; on the transport's thread.
    func receive(_ chunk: BodyChunk)
    /// Discards incomplete values: later chunks belong to another attempt.
    func restart()
    /// Calls back when the consumer can no longer fail: there are no more chunks, and all calls have returned.
    func drain(_ request: DataStreamRequest, then completion: @escaping @Sendable () -> Void)
    /// Receives the completion; the last call.
    func complete(_ completion: DataStreamRequest.Completion)
}

/// A chunk of a body for one consumer.
struct BodyChunk: Sendable {
    let data: Data
    let request: DataStreamRequest

    /// Releases the chunk, so that more of the body is received.
    func release() { request.didConsume(data.count) }
}
