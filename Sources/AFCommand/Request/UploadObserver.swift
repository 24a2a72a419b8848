internal import AFCore
internal import Synchronization

/// Observes the bytes of a stream that can be read only once, as they are sent.
struct UploadObserver: Sendable {
    /// Whether the bytes are observed, and not only the end.
    var needsBytes = true
    /// The limit on unprocessed bytes; `nil` for observers that do not block.
    var backlog: UploadBacklog?
    /// Called on the transport's thread with each chunk, and with an empty one at the end.
    let receive: @Sendable (_ bytes: [UInt8]) -> Void
}

extension UploadObserver {
    /// Combines two observers; `nil` if both are `nil`.
    init?(_ first: UploadObserver?, _ second: UploadObserver?) {
        guard let first, let second else {
            guard let only = first ?? second else { return nil }
            self = only
            return
        }
        let needsBytes = first.needsBytes || second.needsBytes
        self.init(needsBytes: needsBytes, backlog: first.backlog ?? second.backlog) { bytes in
            first.receive(bytes)
            second.receive(bytes)
        }
    }
}

/// The number of bytes an observer has not processed: a stream must not overtake a slow output.
final class UploadBacklog: Sendable {
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

    /// Whether there is space for more; if not, calls back when there is.
    func hasCapacity(orCall whenReady: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.bytes >= Self.limit else { return true }
            state.whenReady = whenReady
            return false
        }
    }
}

/// A body whose bytes an observer receives as they are sent.
final class ObservedStream: BodyStream {
    private let stream: any BodyStream
    private let observer: UploadObserver

    init(_ stream: any BodyStream, _ observer: UploadObserver) {
        self.stream = stream
        self.observer = observer
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        guard observer.backlog?.hasCapacity(orCall: whenReady) != false else { return .notYet }
        let outcome = try stream.read(into: buffer, whenReady: whenReady)
        switch outcome {
        case .bytes(let count): if observer.needsBytes { observer.receive(Array(buffer[..<count])) }
        case .end: observer.receive([])
        case .notYet: break
        }
        return outcome
    }

    func rewind() -> Bool { stream.rewind() }
}
