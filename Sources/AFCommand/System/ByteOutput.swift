import Synchronization

/// A place that takes bytes in order: a descriptor, memory, a file.
protocol ByteOutput: AnyObject, Sendable {
    /// Takes all of the bytes or throws; how many were taken before a failure is not known.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure)
}

/// Why an output takes no more bytes.
enum OutputFailure: Error, Hashable, Sendable {
    /// Nobody reads any more (`EPIPE`): on standard output the quiet end of the run.
    case closed
    /// The wait for the reader ended.
    case wait(WaitFailure)
    /// The system's reason, such as `ENOSPC` for a full disk.
    case failed(errno: Int32)
}

/// Takes everything and keeps nothing.
final class DiscardedOutput: ByteOutput {
    func write(_ bytes: UnsafeRawBufferPointer) {}
}

/// Keeps what was written.
final class MemoryOutput: ByteOutput {
    private let pieces = Mutex<[[UInt8]]>([])

    /// Everything written so far.
    var bytes: [UInt8] { pieces.withLock { Array($0.joined()) } }

    /// Everything written so far as text; what is not UTF-8 is replaced.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// How many writes there were: shows when something was flushed.
    var writeCount: Int { pieces.withLock({ $0.count }) }

    func write(_ bytes: UnsafeRawBufferPointer) {
        pieces.withLock { $0.append(Array(bytes)) }
    }
}

/// Passes on what another output takes and drops the rest: for what is said beside the result.
final class OptionalOutput: ByteOutput {
    private let output: any ByteOutput

    init(_ output: any ByteOutput) {
        self.output = output
    }

    func write(_ bytes: UnsafeRawBufferPointer) { try? output.write(bytes) }
}

/// Passes everything on, and knows whether that ended inside a line.
final class LineOutput: ByteOutput {
    private let output: any ByteOutput
    private let lastByte = Mutex<UInt8?>(nil)

    init(_ output: any ByteOutput) { self.output = output }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        if let last = bytes.last { lastByte.withLock { $0 = last } }
        try output.write(bytes)
    }

    /// Ends the line where there is one that has no end.
    func endLine() throws(OutputFailure) {
        let last = lastByte.withLock(\.self)
        if let last, last != UInt8(ascii: "\n") { try write("\n") }
    }
}
