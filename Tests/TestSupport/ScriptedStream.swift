public import AFTransport
internal import Dispatch
internal import Synchronization

/// A body stream with scripted steps.
public final class ScriptedStream: BodyStream {
    public enum Step: Sendable {
        case bytes(String)
        /// A short time without data.
        case pause
        case failure(any Error)
    }

    private let script: [Step]
    private let canRewind: Bool
    private let position = Mutex(0)

    public init(_ script: [Step], canRewind: Bool = true) {
        self.script = script
        self.canRewind = canRewind
    }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        let step: Step? = position.withLock { position in
            defer { position += 1 }
            return position < script.count ? script[position] : nil
        }
        switch step {
        case .bytes(let text):
            buffer.copyBytes(from: text.utf8)
            return .bytes(text.utf8.count)
        case .pause:
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: whenReady)
            return .notYet
        case .failure(let error): throw error
        case nil: return .end
        }
    }

    public func rewind() -> Bool {
        position.withLock { position in
            let isPossible = canRewind || position == 0
            if isPossible { position = 0 }
            return isPossible
        }
    }
}
