internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// The buffer between a request and the ``ByteStream`` that reads its body.
final class ByteStreamBuffer: BodyConsumer {
    private struct State {
        var chunks = FIFO<BodyChunk>()
        /// The chunk that is being read, and the number of bytes read from it.
        var current: (chunk: BodyChunk, read: Int)?
        var end: Result<Void, AFError>?
        /// Whether anything was read.
        var isOpened = false
        /// The closures that are called once when reading can continue.
        var waiters: [@Sendable () -> Void] = []

        /// Removes the unread chunks.
        mutating func dropChunks() -> [BodyChunk] {
            var dropped: [BodyChunk] = []
            if let current = current.take() { dropped.append(current.chunk) }
            while let chunk = chunks.popFirst() { dropped.append(chunk) }
            return dropped
        }
    }

    private let token: DataStreamRequest.CancellationToken
    private let state = Mutex(State())

    init(_ token: DataStreamRequest.CancellationToken) { self.token = token }

    var isReady: Bool {
        state.withLock { $0.current != nil || !$0.chunks.isEmpty || $0.end != nil }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let (outcome, finished) = try state.withLock { state -> (BodyRead, BodyChunk?) in
            guard let (chunk, read) = state.current ?? state.chunks.popFirst().map({ ($0, 0) }) else {
                if let end = state.end {
                    try end.get()
                    return (.end, nil)
                }
                state.waiters.append(whenReady)
                return (.notYet, nil)
            }
            state.isOpened = true
            let rest = chunk.data.dropFirst(read)
            let count = rest.copyBytes(to: buffer)
            let isFinished = count == rest.count
            state.current = isFinished ? nil : (chunk, read + count)
            return (.bytes(count), isFinished ? chunk : nil)
        }
        finished?.release()
        return outcome
    }

    func receive(_ chunk: BodyChunk) {
        let isWanted = change { state in
            guard state.end == nil else { return false }
            state.chunks.append(chunk)
            return true
        }
        if !isWanted { chunk.release() }
    }

    func restart() {
        if state.withLock({ $0.isOpened }) { return end(with: .bodyStartedOver) }
        for chunk in state.withLock({ $0.dropChunks() }) { chunk.release() }
    }

    /// Reading does not end the request: the rest can be read after its end.
    func drain(_ request: DataStreamRequest, then completion: @escaping @Sendable () -> Void) { completion() }

    func complete(_ completion: DataStreamRequest.Completion) {
        change { state in
            state.end = state.end ?? completion.error.map(Result.failure) ?? .success(())
        }
    }

    /// Ends the reading.
    func close() { end(with: .explicitlyCancelled) }

    private func end(with error: AFError) {
        let (unread, isEarly) = change { state in
            let isEarly = state.end == nil
            if isEarly { state.end = .failure(error) }
            return (state.dropChunks(), isEarly)
        }
        for chunk in unread { chunk.release() }
        if isEarly { token.cancel() }
    }

    /// Changes the state and notifies the waiting readers.
    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, waiters) = state.withLock { state in
            defer { state.waiters = [] }
            return (body(&state), state.waiters)
        }
        for waiter in waiters { waiter() }
        return value
    }
}

extension AFError {
    fileprivate static var bodyStartedOver: AFError {
        let detail = "the request was retried after bytes of the body had been read"
        return .sessionTaskFailed(error: TransferFailure(.stopped, detail))
    }
}
