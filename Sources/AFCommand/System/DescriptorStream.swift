internal import AFCore
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A body from a pipe, which may block its reader: read ahead on a private queue.
final class DescriptorStream: BodyStream {
    private struct State {
        var chunks: [[UInt8]] = []
        /// The number of consumed bytes of the first chunk.
        var offset = 0
        /// Whether a byte or the end was consumed.
        var hasBeenRead = false
        var isReading = false
        var isAtEnd = false
        var failure: FileProblem?
        var whenReady: (@Sendable () -> Void)?
        var descriptor: Int32?
        /// Whether ``descriptor`` is a FIFO that this process opened.
        var isOwnFIFO = false
    }

    private let path: String
    private let waits: WaitLimits
    /// The end of a redirected file when it was measured; `nil` for other types.
    private let end: Int64?
    /// The position of the first byte of a redirected file; `nil` for other types.
    private let start: off_t?
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "afcli.input")
    private static let chunkSize = 256 * 1024
    private static let readAheadLimit = 4

    /// Creates a body from a FIFO or a device, which is opened when it is read.
    init(path: String, _ waits: WaitLimits) {
        self.path = path
        self.waits = waits
        (start, end) = (nil, nil)
        state = Mutex(State())
    }

    /// Creates a body from the bytes of standard input that were already read, followed by the rest.
    init(standardInput input: InputBody, _ waits: WaitLimits) {
        path = "-"
        self.waits = waits
        let position = lseek(STDIN_FILENO, 0, SEEK_CUR)
        start = input.isRewindable && position >= 0 ? position - off_t(input.prefix.count) : nil
        end = position < 0 ? nil : input.size.map { Int64(position) + $0 }
        let chunks = input.prefix.isEmpty ? [] : [input.prefix]
        state = Mutex(State(chunks: chunks, descriptor: STDIN_FILENO))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if let descriptor, path != "-" { close(descriptor) }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let (result, startsReading) = try state.withLock { state in
            let result = try Self.take(from: &state, into: buffer)
            if result == .notYet { state.whenReady = whenReady }
            let startsReading = !state.isReading && !state.isAtEnd && state.chunks.count < Self.readAheadLimit
            if startsReading { state.isReading = true }
            return (result, startsReading)
        }
        if startsReading { queue.async { self.readAhead() } }
        return result
    }

    /// Bytes of a pipe cannot be read again, those of a redirected file can.
    func rewind() -> Bool {
        if state.withLock({ !$0.hasBeenRead }) { return true }
        guard let start else { return false }
        // On the queue: a running read ends first.
        return queue.sync {
            guard lseek(STDIN_FILENO, start, SEEK_SET) == start else { return false }
            state.withLock { $0 = State(descriptor: STDIN_FILENO) }
            return true
        }
    }

    private static func take(from state: inout State, into buffer: UnsafeMutableRawBufferPointer) throws -> BodyRead {
        guard let chunk = state.chunks.first else {
            if let failure = state.failure { throw failure }
            if state.isAtEnd { state.hasBeenRead = true }
            return state.isAtEnd ? .end : .notYet
        }
        state.hasBeenRead = true
        let count = min(buffer.count, chunk.count - state.offset)
        chunk.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[state.offset..<state.offset + count])
            )
        }
        state.offset += count
        if state.offset == chunk.count {
            state.chunks.removeFirst()
            state.offset = 0
        }
        return .bytes(count)
    }

    private func readAhead() {
        while true {
            let result = Result { () throws(FileProblem) in try readChunk() }
            let (ready, goesOn) = state.withLock { state in
                switch result {
                case .success(let chunk) where chunk.isEmpty: state.isAtEnd = true
                case .success(let chunk): state.chunks.append(chunk)
                case .failure(let problem): (state.failure, state.isAtEnd) = (problem, true)
                }
                state.isReading = !state.isAtEnd && state.chunks.count < Self.readAheadLimit
                return (state.whenReady.take(), state.isReading)
            }
            ready?()
            if !goesOn { return }
        }
    }

    /// Returns the next chunk; empty at the end.
    private func readChunk() throws(FileProblem) -> [UInt8] {
        let (descriptor, isOwnFIFO) = try openedDescriptor()
        let chunk = try FileAccess.readChunk(
            descriptor,
            path: path,
            size: Self.chunkSize,
            waits: waits,
            isOwnFIFO: isOwnFIFO
        )
        // Fails before the last chunk is sent, so that no server accepts a part of the file as complete.
        if let end, let size = FileStatus(descriptor)?.size, size > end {
            let reason = FileProblem.Reason.other("it grew while it was being sent")
            throw FileProblem(path: path, reason: reason, hint: FileProblem.sendCopy)
        }
        return chunk
    }

    private func openedDescriptor() throws(FileProblem) -> (Int32, isOwnFIFO: Bool) {
        let (known, isKnownFIFO) = state.withLock { ($0.descriptor, $0.isOwnFIFO) }
        if let known { return (known, isKnownFIFO) }
        let descriptor = try FileAccess.open(path)
        let isFIFO = FileStatus(descriptor)?.isFIFO == true
        state.withLock { ($0.descriptor, $0.isOwnFIFO) = (descriptor, isFIFO) }
        return (descriptor, isFIFO)
    }
}
