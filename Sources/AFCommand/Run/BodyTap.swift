internal import AFCore

/// Lets somebody see the bytes of a stream that can be read only once, on their way to the transport.
struct BodyTap: Sendable {
    /// Whether more is of interest than the end.
    var wantsBytes = true
    /// Called on the transport's thread with each piece, and with none at the end.
    let note: @Sendable (_ bytes: [UInt8]) -> Void
}

extension BodyTap {
    /// Both of them, where there are two.
    init?(_ first: BodyTap?, _ second: BodyTap?) {
        guard let first, let second else {
            guard let only = first ?? second else { return nil }
            self = only
            return
        }
        self.init(wantsBytes: first.wantsBytes || second.wantsBytes) { bytes in
            first.note(bytes)
            second.note(bytes)
        }
    }
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
        case .bytes(let count): if tap.wantsBytes { tap.note(Array(buffer[..<count])) }
        case .end: tap.note([])
        case .notYet: break
        }
        return outcome
    }

    func rewind() -> Bool { stream.rewind() }
}
