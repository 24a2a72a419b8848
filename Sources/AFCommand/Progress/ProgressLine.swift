internal import AFFormatting
internal import Synchronization

/// A line at the end of a terminal's output that is redrawn below other output.
final class ProgressLine: ByteOutput {
    private static let eraser = "\r\u{1B}[K"

    private let output: any ByteOutput
    /// The displayed text; empty if there is none, `nil` after ``end()``.
    private let line = Mutex<String?>("")

    init(_ output: any ByteOutput) { self.output = output }

    /// Writes complete lines and redraws the progress line after them.
    func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) {
        try line.withLock { (line) throws(OutputFailure) in
            guard let line, !line.isEmpty else { return try output.write(bytes) }
            var text = Array(Self.eraser.utf8)
            text.append(contentsOf: bytes)
            text.append(contentsOf: line.utf8)
            // Only this accessor rethrows typed errors.
            try text.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
                try output.write(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// Draws the line; has no effect after ``end()``.
    func draw(_ text: String) {
        line.withLock { line in
            guard let old = line, text != old else { return }
            line = text
            // A progress line that cannot be written does not end the transfers.
            try? output.write(Self.eraser + text)
        }
    }

    /// Erases the line.
    func end() {
        line.withLock { line in
            if let line, !line.isEmpty { try? output.write(Self.eraser) }
            line = nil
        }
    }
}
