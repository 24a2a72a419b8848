internal import AFFormatting
internal import Synchronization

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
    private final class State: Sendable {
        let lastByte = Mutex<UInt8?>(nil)
    }

    private let output: any ByteOutput
    private let state: State

    /// Creates an output.
    ///
    /// - Parameter other: An output to the same file, whose lines are also this one's.
    init(_ output: any ByteOutput, sharing other: LineOutput? = nil) {
        self.output = output
        state = other?.state ?? State()
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        if let last = bytes.last { state.lastByte.withLock { $0 = last } }
        try output.write(bytes)
    }

    /// Ends the last line if it is incomplete.
    func endLine() throws(OutputFailure) {
        let last = state.lastByte.withLock(\.self)
        if let last, last != UInt8(ascii: "\n") { try write("\n") }
    }
}
