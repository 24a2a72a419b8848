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

/// The bytes in two pieces, cut at every place, and one by one.
func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
}

/// Numbers that are the same in every run (the SplitMix64 generator).
struct RepeatableNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
