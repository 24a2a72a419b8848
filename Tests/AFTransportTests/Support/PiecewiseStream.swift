import AFTransport
import Synchronization
import TestSupport

/// A body whose chunks are delivered by the test.
final class PiecewiseStream: BodyStream {
    struct Broken: Error {}

    private struct State {
        var pieces: [[UInt8]]
        var given: [[UInt8]] = []
        var hasEnded: Bool
        var isBroken = false
        var whenReady: (@Sendable () -> Void)?
        var rewindCount = 0
    }

    private let state: Mutex<State>
    private let canRewind: Bool

    /// - Parameter hasEnded: Whether these are all chunks; otherwise ``give(_:)`` and ``end()`` follow.
    init(_ pieces: [[UInt8]] = [], hasEnded: Bool = true, canRewind: Bool = false) {
        state = Mutex(State(pieces: pieces, hasEnded: hasEnded))
        self.canRewind = canRewind
    }

    var rewindCount: Int { state.withLock(\.rewindCount) }
    /// Whether the transport waits for ``give(_:)``.
    var isAwaited: Bool { state.withLock { $0.whenReady != nil } }

    func give(_ piece: [UInt8]) { change { $0.pieces.append(piece) } }
    func end() { change { $0.hasEnded = true } }
    func fail() { change { $0.isBroken = true } }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        try state.withLock { state in
            if state.isBroken { throw Broken() }
            guard let piece = state.pieces.first else {
                if state.hasEnded { return .end }
                state.whenReady = whenReady
                return .notYet
            }
            let count = min(piece.count, buffer.count)
            buffer.copyBytes(from: piece[..<count])
            state.given.append(Array(piece[..<count]))
            if count == piece.count { state.pieces.removeFirst() } else { state.pieces[0].removeFirst(count) }
            return .bytes(count)
        }
    }

    func rewind() -> Bool {
        state.withLock { state in
            guard canRewind else { return false }
            state.rewindCount += 1
            state.pieces = state.given + state.pieces
            state.given = []
            return true
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let whenReady = state.withLock { state in
            body(&state)
            defer { state.whenReady = nil }
            return state.whenReady
        }
        whenReady?()
    }
}
