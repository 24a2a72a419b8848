internal import Synchronization

/// A stream that fails unless it has the announced length.
final class ExactLengthStream: BodyStream {
    private let stream: any BodyStream
    private let length: UInt64
    private let position = Mutex<UInt64>(0)

    init(_ stream: any BodyStream, length: UInt64) {
        self.stream = stream
        self.length = length
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let outcome = try stream.read(into: buffer, whenReady: whenReady)
        let total = position.withLock { position in
            if case .bytes(let count) = outcome { position += UInt64(count) }
            return position
        }
        guard total <= length, outcome != .end || total == length else {
            let error = AFError.UnexpectedInputStreamLength(bytesExpected: length, bytesRead: total)
            throw AFError.multipartEncodingFailed(reason: .inputStreamReadFailed(error: error))
        }
        return outcome
    }

    func rewind() -> Bool {
        guard stream.rewind() else { return false }
        position.withLock { $0 = 0 }
        return true
    }
}
