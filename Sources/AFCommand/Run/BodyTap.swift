internal import AFCore

/// Lets somebody see the bytes of a stream that can be read only once, on their way to the transport.
struct BodyTap: Sendable {
    /// Called on the transport's thread with each piece, and with none at the end.
    let note: @Sendable (_ bytes: [UInt8]) -> Void
}

/// A stream with a tap.
final class TappedStream: BodyStream {
    private let stream: any BodyStream
    private let tap: BodyTap

    init(_ stream: any BodyStream, _ tap: BodyTap) {
        self.stream = stream
        self.tap = tap
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let outcome = try stream.read(into: buffer, whenReady: whenReady)
        switch outcome {
        case .bytes(let count): tap.note(Array(buffer[..<count]))
        case .end: tap.note([])
        case .notYet: break
        }
        return outcome
    }

    func rewind() -> Bool { stream.rewind() }
}
