public import AFTransport
internal import Dispatch
public import Foundation
internal import Synchronization

/// A request body that one of Foundation's streams gives.
///
/// The stream belongs to the body from then on: it is opened where it is not open yet, and read on a queue of its own, as
/// reading may block.
public final class InputStreamBody: BodyStream {
    private let reader: Mutex<InputStreamReader>
    private let makeStream: (@Sendable () -> InputStream)?

    /// A body that can be sent once: Foundation's streams do not go back.
    public init(_ stream: InputStream) {
        reader = Mutex(InputStreamReader(stream))
        makeStream = nil
    }

    /// A body that can be sent again, as each attempt and each redirect may need.
    ///
    /// - Parameter makeStream: Gives a new stream, at its first byte; called at once and for every further time.
    public init(making makeStream: @escaping @Sendable () -> InputStream) {
        reader = Mutex(InputStreamReader(makeStream()))
        self.makeStream = makeStream
    }

    /// Gives what has been read ahead, or says that reading goes on.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        try reader.withLock(\.self).read(into: buffer, whenReady: whenReady)
    }

    /// Starts with a new stream where there is a way to make one, or where nothing has been read of the one at hand.
    public func rewind() -> Bool {
        if reader.withLock({ $0.isUntouched }) { return true }
        guard let makeStream else { return false }
        let next = InputStreamReader(makeStream())
        reader.withLock { $0 = next }
        return true
    }
}

/// Reads one stream, a chunk ahead of whoever asks.
private final class InputStreamReader: Sendable {
    private enum State {
        case untouched
        /// The next chunk is on its way; the closure waits for it.
        case reading(whenReady: @Sendable () -> Void)
        case chunk(ArraySlice<UInt8>)
        case end
        case failed(any Error)
    }

    private static let chunkSize = 64 * 1024

    private let queue = DispatchQueue(label: "org.afcli.inputStreamBody")
    /// Touched on the queue only, and by `deinit`, when nothing is on the queue any more.
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
                // Whoever asks next finds the chunk there, or waits for it.
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
