internal import AFCore
internal import Synchronization

/// Lets somebody see the bytes of a stream that can be read only once, on their way to the transport.
struct BodyTap: Sendable {
    /// Whether more is of interest than the end.
    var wantsBytes = true
    /// What the listener still has to see; `nil` where nobody falls behind.
    var backlog: TapBacklog?
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
        let wantsBytes = first.wantsBytes || second.wantsBytes
        self.init(wantsBytes: wantsBytes, backlog: first.backlog ?? second.backlog) { bytes in
            first.note(bytes)
            second.note(bytes)
        }
    }
}

/// How many bytes a listener was given and has not seen to yet: a stream must not run away from a slow output.
final class TapBacklog: Sendable {
    private struct State {
        var bytes = 0
        var whenReady: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private static let limit = 1 << 20

    func add(_ bytes: [UInt8]) { state.withLock { $0.bytes += bytes.count } }

    func remove(_ bytes: [UInt8]) {
        let whenReady = state.withLock { state in
            state.bytes -= bytes.count
            return state.bytes < Self.limit ? state.whenReady.take() : nil
        }
        whenReady?()
    }

    /// Whether more may come now; where not, calls back once it may.
    func hasRoom(orCall whenReady: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.bytes >= Self.limit else { return true }
            state.whenReady = whenReady
            return false
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
        guard tap.backlog?.hasRoom(orCall: whenReady) != false else { return .notYet }
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
