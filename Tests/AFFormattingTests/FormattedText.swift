@testable import AFFormatting

/// Formats a text in chunks.
func shown(_ pieces: [[UInt8]], by formatter: some BodyFormatting) throws -> (text: String, brokenOffset: Int?) {
    let output = MemoryOutput()
    var formatter = formatter
    var buffer = OutputBuffer(output)
    for piece in pieces {
        try piece.withUnsafeBufferPointer { piece throws(OutputFailure) in
            try formatter.consume(UnsafeRawBufferPointer(piece), into: &buffer)
        }
    }
    try formatter.finish(into: &buffer)
    try buffer.flush()
    return (output.text, formatter.brokenOffset)
}

func shown(_ text: String, by formatter: some BodyFormatting) throws -> String {
    try shown([Array(text.utf8)], by: formatter).text
}

/// Returns the bytes in two chunks, split at every position, and in chunks of one byte.
func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
}
