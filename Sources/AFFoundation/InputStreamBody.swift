public import AFTransport
internal import Dispatch
public import Foundation
internal import Synchronization

/// A request body read from one of Foundation's streams.
///
/// The body owns the stream: it opens it if necessary, and reads it on a private queue, as reading may block.
public final class InputStreamBody: BodyStream {
    private let reader: Mutex<InputStreamReader>
    private let makeStream: (@Sendable () -> InputStream)?

    /// Creates a body that can be sent once: Foundation's streams cannot be rewound.
    public init(_ stream: InputStream) {
        reader = Mutex(InputStreamReader(stream))
        makeStream = nil
    }

    /// Creates a body that can be sent again, as retries and redirects require.
    ///
    /// - Parameter makeStream: Returns a new stream at its first byte; called immediately and before each further
    ///   attempt.
    public init(making makeStream: @escaping @Sendable () -> InputStream) {
        reader = Mutex(InputStreamReader(makeStream()))
        self.makeStream = makeStream
    }

    /// Returns the chunk that was read ahead, or reports that reading is in progress.
    ///
    /// - Throws: The stream's error.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        try reader.withLock(\.self).read(into: buffer, whenReady: whenReady)
    }

    /// Restarts with a new stream if there is a closure for it, or if the current one is unread.
    public func rewind() -> Bool {
        if reader.withLock(\.self).isUntouched { return true }
        guard let makeStream else { return false }
        var other = InputStreamReader(makeStream())
        // The earlier one is released outside of the lock: that closes its stream.
        reader.withLock { swap(&$0, &other) }
        return true
    }
}

/// Reads a stream one chunk ahead.
private final class InputStreamReader: Sendable {
    private enum State {
        case untouched
        /// A read is in progress; the closure is called when it ends.
        case reading(whenReady: @Sendable () -> Void)
        case chunk(ArraySlice<UInt8>)
        case end
        case failed(any Error)
    }

    private static let chunkSize = 64 * 1024

    private let queue = DispatchQueue(label: "org.afcli.inputStreamBody")
    /// Used on the queue only, and by `deinit` when the queue is empty.
    private nonisolated(unsafe) let stream: InputStream
    private let state = Mutex(State.untouched)

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    var isUntouched: Bool {
        state.withLock { if case .untouched = $0 { true } else { false } }
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let (outcome, wantsChunk) = try state.withLock { state -> (BodyRead, Bool) in
            switch state {
            case .untouched:
                state = .reading(whenReady: whenReady)
                return (.notYet, true)
            case .reading:
                state = .reading(whenReady: whenReady)
                return (.notYet, false)
            case .chunk(let bytes):
                let count = min(bytes.count, buffer.count)
                buffer.copyBytes(from: bytes.prefix(count))
                let rest = bytes.dropFirst(count)
                // The next read finds the chunk or waits for it.
                state = rest.isEmpty ? .reading(whenReady: {}) : .chunk(rest)
                return (.bytes(count), rest.isEmpty)
            case .end: return (.end, false)
            case .failed(let error): throw error
            }
        }
        if wantsChunk { queue.async { self.readChunk() } }
        return outcome
    }

    private func readChunk() {
        if stream.streamStatus == .notOpen { stream.open() }
        let (count, bytes) = Self.read(from: stream)
        let next: State =
            switch count {
            case 0: .end
            case ..<0: .failed(stream.streamError ?? CocoaError(.fileReadUnknown))
            default: .chunk(bytes[...])
            }
        let whenReady = state.withLock { state -> (@Sendable () -> Void)? in
            defer { state = next }
            if case .reading(let whenReady) = state { return whenReady }
            return nil
        }
        whenReady?()
    }

    private static func read(from stream: InputStream) -> (count: Int, bytes: [UInt8]) {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            count = stream.read(start, maxLength: chunkSize)
            initialized = max(0, count)
        }
        return (count, bytes)
    }
}
