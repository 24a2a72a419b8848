internal import AFFormatting
internal import AFHTTP
internal import AFJSON

/// JSON in files, written in HTTPie's layout.
extension JSONText {
    /// Parses a file.
    ///
    /// - Throws: ``JSONFileProblem``
    init(file bytes: [UInt8]) throws(JSONFileProblem) {
        // That of UTF-8 is skipped by the parser.
        let bytes = ByteOrderMark(startOf: bytes) == .utf8 ? bytes : bytes.withoutByteOrderMark
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONFileProblem("it is not UTF-8 text")
        }
        do throws(JSONSyntaxError) {
            try self.init(text)
        } catch {
            throw JSONFileProblem(error, in: bytes)
        }
    }

    /// The contents of a file: indented by four, sorted by name, in ASCII, with a line end, as in HTTPie's files.
    var fileContent: [UInt8] {
        let output = MemoryOutput()
        // Writing to memory does not fail.
        try? writeIndented(to: output)
        let text = output.text.escapedInJSON { $0.value > 0x7E }
        return Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
    }

    private func writeIndented(to output: MemoryOutput) throws(OutputFailure) {
        var buffer = OutputBuffer(output)
        var sorter = JSONSorter(limit: .max, formatter: JSONFormatter(layout: .indented(4)))
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try sorter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
        try sorter.finish(into: &buffer)
        try buffer.flush()
    }
}

/// The reason why a file is not valid JSON, as the end of a sentence.
struct JSONFileProblem: Error, Equatable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    fileprivate init(_ error: JSONSyntaxError, in bytes: [UInt8]) {
        let line = bytes[..<error.offset].count { $0 == UInt8(ascii: "\n") } + 1
        let column = error.lineStart(in: bytes).count + 1
        reason = "line \(line), column \(column): expected \(error.expectation)"
    }
}
