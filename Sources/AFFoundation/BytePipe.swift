internal import Foundation

/// Bytes on their way from one thread to another, with a limit on how many may wait.
///
/// `@unchecked` as everything that changes is guarded by the condition.
final class BytePipe: @unchecked Sendable {
    enum Ending {
        case whole
        case failed(any Error)
        case closed
    }

    private let condition = NSCondition()
    private let capacity: Int
    private var waiting = Data()
    private var ending: Ending?
    private let closeHandler: @Sendable () -> Void

    /// - Parameter closeHandler: Called when the reader wants no more before the end.
    init(capacity: Int, whenClosed closeHandler: @escaping @Sendable () -> Void) {
        self.capacity = max(1, capacity)
        self.closeHandler = closeHandler
    }

    // The writer's side.

    /// Waits until the reader has made room.
    func write(_ data: Data) {
        condition.withLock {
            while waiting.count >= capacity, ending == nil { condition.wait() }
            guard ending == nil else { return }
            waiting.append(data)
            condition.broadcast()
        }
    }

    func end(_ error: (any Error)?) { end(error.map(Ending.failed) ?? .whole) }

    // The reader's side.

    /// Waits until there is a byte or nothing will come any more.
    ///
    /// - Returns: How many bytes were put into the buffer; 0 at the end, −1 after a failure.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        condition.withLock {
            while waiting.isEmpty, ending == nil { condition.wait() }
            let count = min(buffer.count, waiting.count)
            if count == 0, case .failed = ending { return -1 }
            waiting.copyBytes(to: buffer, count: count)
            waiting.removeFirst(count)
            condition.broadcast()
            return count
        }
    }

    func close() {
        guard end(.closed) else { return }
        closeHandler()
    }

    /// Whether reading gives something now, be it the end.
    var isReady: Bool { condition.withLock { !waiting.isEmpty || ending != nil } }

    /// How it ended, once everything before has been read.
    var reachedEnding: Ending? { condition.withLock { waiting.isEmpty ? ending : nil } }

    @discardableResult
    private func end(_ ending: Ending) -> Bool {
        condition.withLock {
            guard self.ending == nil else { return false }
            self.ending = ending
            condition.broadcast()
            return true
        }
    }
}
