internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// The buffer between a request and the reader of its body: a ``ByteStream`` or an asynchronous sequence.
final class ByteStreamBuffer: BodyConsumer {
    private struct State {
        var chunks = FIFO<BodyChunk>()
        /// The chunk that is being read, and the number of bytes read from it.
        var current: (chunk: BodyChunk, read: Int)?
        var end: Result<Void, AFError>?
        /// Whether the validators accept the attempt's response; `nil` before they ran.
        var isAccepted: Bool?
        var isBeingValidated = false
        /// The number of retries so far.
        var retryCount = 0
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

    /// The result of reading a chunk.
    enum ChunkRead {
        case chunk(Data)
        case notYet
        case end
    }

    private let token: DataStreamRequest.CancellationToken
    private let isValidating: Bool
    private let state = Mutex(State())

    /// Creates a buffer.
    ///
    /// - Parameter isValidating: Whether the validators run before the first chunk is read. The body of a response that
    ///   they do not accept is discarded: the request ends with their error, or is retried.
    init(_ token: DataStreamRequest.CancellationToken, isValidating: Bool = false) {
        self.token = token
        self.isValidating = isValidating
    }

    /// Removes the next chunk.
    ///
    /// - Throws: The request's error, after all chunks.
    func nextChunk() throws(AFError) -> ChunkRead {
        let (read, chunk) = state.withLock { state -> (Result<ChunkRead, AFError>, BodyChunk?) in
            if state.isBeingValidated { return (.success(.notYet), nil) }
            if let chunk = state.chunks.popFirst() {
                state.isOpened = true
                return (.success(.chunk(chunk.data)), chunk)
            }
            return (state.end?.map { .end } ?? .success(.notYet), nil)
        }
        chunk?.release()
        return try read.get()
    }

    /// Validates the response of the first chunk before the end of the request, which releases the validators: both run
    /// on the same queue.
    private func validate(_ request: DataStreamRequest, _ retryCount: Int) {
        request.validateEarly { [self] isAccepted in
            let rejected = change { state -> [BodyChunk] in
                guard state.retryCount == retryCount else { return [] }
                (state.isAccepted, state.isBeingValidated) = (isAccepted, false)
                return isAccepted ? [] : state.dropChunks()
            }
            for chunk in rejected { chunk.release() }
        }
    }

    /// Calls a closure once, from any thread, when reading can continue.
    func notify(_ whenReady: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            guard state.isBeingValidated || (state.chunks.isEmpty && state.end == nil) else { return true }
            state.waiters.append(whenReady)
            return false
        }
        if isReady { whenReady() }
    }

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
        let (isAccepted, unvalidated) = change { state -> (Bool, Int?) in
            guard state.end == nil, state.isAccepted != false else { return (false, nil) }
            state.chunks.append(chunk)
            guard isValidating, state.isAccepted == nil, !state.isBeingValidated else { return (true, nil) }
            state.isBeingValidated = true
            return (true, state.retryCount)
        }
        if let unvalidated { validate(chunk.request, unvalidated) }
        if !isAccepted { chunk.release() }
    }

    func restart() {
        if state.withLock({ $0.isOpened }) { return end(with: .bodyStartedOver) }
        let dropped = state.withLock { state in
            state.retryCount += 1
            (state.isAccepted, state.isBeingValidated) = (nil, false)
            return state.dropChunks()
        }
        for chunk in dropped { chunk.release() }
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
            state.isBeingValidated = false
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
