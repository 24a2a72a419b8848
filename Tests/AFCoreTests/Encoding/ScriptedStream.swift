import AFCore
import Dispatch
import Synchronization

/// A body stream that does what a script says, then ends.
final class ScriptedStream: BodyStream {
    enum Step {
        case bytes(String)
        /// Nothing for a moment.
        case pause
        case failure(any Error)
    }

    private let script: [Step]
    private let position = Mutex(0)

    init(_ script: [Step]) {
        self.script = script
    }

    func read(
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

    func rewind() -> Bool {
        position.withLock { $0 = 0 }
        return true
    }
}
