internal import AFHTTP
internal import Synchronization

/// A destination of bytes: a descriptor, memory, a file.
package protocol ByteOutput: AnyObject, Sendable {
    /// Writes all bytes or throws; after a failure the number of written bytes is unknown.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure)

    /// Ends the last line if the output knows that it is incomplete.
    func endLine() throws(OutputFailure)
}

extension ByteOutput {
    package func write(_ text: String) throws(OutputFailure) {
        let bytes = text.octets
        // Only this accessor rethrows typed errors.
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Does nothing: only some outputs record the last byte.
    package func endLine() {}
}

/// The reason why an output accepts no more bytes.
package enum OutputFailure: Error, Hashable, Sendable {
    /// The reader has closed the pipe (`EPIPE`): on standard output this ends the run without a message.
    case closed
    /// Waiting for the reader ended.
    case wait(WaitFailure)
    /// A system error, such as `ENOSPC` for a full disk.
    case failed(errno: Int32)
}

/// The reason why a local wait failed.
package enum WaitFailure: Error, Hashable, Sendable {
    /// A timeout of an option expired.
    ///
    /// - Parameter isIdle: Whether no process was at the other end.
    case timeout(option: String, seconds: Double, isIdle: Bool)
    /// A signal arrived, which the exit status indicates.
    case interrupted(status: Int32)
    /// A system call failed.
    case system(errno: Int32)
}

/// Discards everything.
package final class DiscardedOutput: ByteOutput {
    package init() {}

    package func write(_ bytes: UnsafeRawBufferPointer) {}
}

/// Stores the bytes in memory.
package final class MemoryOutput: ByteOutput {
    private let state = Mutex<[UInt8]>([])

    package init() {}

    /// All bytes written so far.
    package var bytes: [UInt8] { state.withLock(\.self) }

    /// The bytes as text; invalid UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func write(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { $0 += bytes }
    }
}
