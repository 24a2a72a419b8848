internal import Synchronization

/// A stream of unknown length that must be as long as `Content-Length` announces.
///
/// The last byte is sent only at the end of the stream, so that no server mistakes the start of a longer body for the
/// complete one.
final class AnnouncedStream: BodyStream {
    private struct State {
        var position: Int64 = 0
        var lastByte: UInt8?
        var hasEnded = false
    }

    private let stream: any BodyStream
    private let length: Int64
    private let state = Mutex(State())

    init(_ stream: any BodyStream, length: Int64) {
        self.stream = stream
        self.length = length
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        while !state.withLock({ $0.hasEnded }) {
            let read = try stream.read(into: buffer, whenReady: whenReady)
            switch read {
            case .notYet: return .notYet
            case .bytes(let count):
                guard (1...buffer.count).contains(count), try take(count, last: buffer[count - 1]) else { return read }
                if count > 1 { return .bytes(count - 1) }
            case .end:
                guard let last = end() else { return .end }
                buffer[0] = last
                return .bytes(1)
            }
        }
        return .end
    }

    func rewind() -> Bool {
        guard stream.rewind() else { return false }
        state.withLock { $0 = State() }
        return true
    }

    /// Handles the end of the stream.
    ///
    /// - Returns: The last byte; `nil` if the stream is shorter than announced.
    private func end() -> UInt8? {
        state.withLock { state in
            state.hasEnded = true
            return state.lastByte
        }
    }

    /// Counts bytes of the stream.
    ///
    /// - Returns: Whether the last byte is the last announced one, which is then held back.
    private func take(_ count: Int, last: UInt8) throws(TransferFailure) -> Bool {
        let position = state.withLock { state in
            state.position += Int64(count)
            if state.position == length { state.lastByte = last }
            return state.position
        }
        guard position <= length else {
            throw TransferFailure(.bodyUnreadable, "the body is longer than its announced length of \(length) bytes")
        }
        return position == length
    }
}
