import Synchronization

/// A destination of bytes: a descriptor, memory, a file.
protocol ByteOutput: AnyObject, Sendable {
    /// Writes all bytes or throws; after a failure the number of written bytes is unknown.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure)
}

/// The reason why an output accepts no more bytes.
enum OutputFailure: Error, Hashable, Sendable {
    /// The reader has closed the pipe (`EPIPE`): on standard output this ends the run without a message.
    case closed
    /// Waiting for the reader ended.
    case wait(WaitFailure)
    /// A system error, such as `ENOSPC` for a full disk.
    case failed(errno: Int32)
}

/// Discards everything.
final class DiscardedOutput: ByteOutput {
    func write(_ bytes: UnsafeRawBufferPointer) {}
}

/// Stores the bytes in memory.
final class MemoryOutput: ByteOutput {
    private let pieces = Mutex<[[UInt8]]>([])

    /// All bytes written so far.
    var bytes: [UInt8] { pieces.withLock { Array($0.joined()) } }

    /// The bytes as text; invalid UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The number of writes, which shows flushes.
    var writeCount: Int { pieces.withLock({ $0.count }) }

    func write(_ bytes: UnsafeRawBufferPointer) {
        pieces.withLock { $0.append(Array(bytes)) }
    }
}

/// Forwards to another output and ignores its failures: for output that is not the result.
final class OptionalOutput: ByteOutput {
    private let output: any ByteOutput

    init(_ output: any ByteOutput) {
        self.output = output
    }

    func write(_ bytes: UnsafeRawBufferPointer) { try? output.write(bytes) }
}

/// Forwards to another output and records whether the last line is incomplete.
final class LineOutput: ByteOutput {
    private let output: any ByteOutput
    private let lastByte = Mutex<UInt8?>(nil)

    init(_ output: any ByteOutput) { self.output = output }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        if let last = bytes.last { lastByte.withLock { $0 = last } }
        try output.write(bytes)
    }

    /// Ends the last line if it is incomplete.
    func endLine() throws(OutputFailure) {
        let last = lastByte.withLock(\.self)
        if let last, last != UInt8(ascii: "\n") { try write("\n") }
    }
}
