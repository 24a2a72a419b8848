internal import AFTransport
internal import FoundationEssentials
internal import Synchronization

/// The buffer between a request and the ``ByteStream`` that reads its body.
final class ByteStreamBuffer: BodyConsumer {
    private struct State {
        var pieces = FIFO<BodyPiece>()
        /// The chunk that is being read, and the number of bytes read from it.
        var current: (piece: BodyPiece, read: Int)?
        var end: Result<Void, AFError>?
        /// Whether anything was read.
        var isOpened = false
        /// The closures that are called once when reading can continue.
        var waiters: [@Sendable () -> Void] = []

        /// Removes the unread chunks.
        mutating func dropPieces() -> [BodyPiece] {
            var dropped: [BodyPiece] = []
            if let current = current.take() { dropped.append(current.piece) }
            while let piece = pieces.popFirst() { dropped.append(piece) }
            return dropped
        }
    }

    private let token: DataStreamRequest.CancellationToken
    private let state = Mutex(State())

    init(_ token: DataStreamRequest.CancellationToken) { self.token = token }

    var isReady: Bool {
        state.withLock { $0.current != nil || !$0.pieces.isEmpty || $0.end != nil }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let (outcome, finished) = try state.withLock { state -> (BodyRead, BodyPiece?) in
            guard let (piece, read) = state.current ?? state.pieces.popFirst().map({ ($0, 0) }) else {
                if let end = state.end {
                    try end.get()
                    return (.end, nil)
                }
                state.waiters.append(whenReady)
                return (.notYet, nil)
            }
            state.isOpened = true
            let rest = piece.data.dropFirst(read)
            let count = rest.copyBytes(to: buffer)
            let isFinished = count == rest.count
            state.current = isFinished ? nil : (piece, read + count)
            return (.bytes(count), isFinished ? piece : nil)
        }
        finished?.release()
        return outcome
    }

    func take(_ piece: BodyPiece) {
        let isWanted = change { state in
            guard state.end == nil else { return false }
            state.pieces.append(piece)
            return true
        }
        if !isWanted { piece.release() }
    }

    func startOver() {
        if state.withLock({ $0.isOpened }) { return end(with: .bodyStartedOver) }
        for piece in state.withLock({ $0.dropPieces() }) { piece.release() }
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
            return (state.dropPieces(), isEarly)
        }
        for piece in unread { piece.release() }
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
