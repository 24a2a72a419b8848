internal import Synchronization

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
