internal import Synchronization

/// A line at the end of a terminal's text that is drawn over and over, below whatever else is written.
final class ProgressLine: ByteOutput {
    private static let eraser = "\r\u{1B}[K"

    private let output: any ByteOutput
    /// What stands there; empty where nothing does.
    private let line = Mutex("")

    init(_ output: any ByteOutput) { self.output = output }

    /// Takes whole lines, and lets the drawn one follow them.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        try line.withLock { (line) throws(OutputFailure) in
            guard !line.isEmpty else { return try output.write(bytes) }
            var text = Array(Self.eraser.utf8)
            text.append(contentsOf: bytes)
            text.append(contentsOf: line.utf8)
            // Of the unsafe views only this one lets an error keep its type.
            try text.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
                try output.write(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Draws the line; an empty one erases what is there.
    func draw(_ text: String) {
        line.withLock { line in
            guard text != line else { return }
            line = text
            // Progress that nobody takes does not end the transfers.
            try? output.write(Self.eraser + text)
        }
    }
}
