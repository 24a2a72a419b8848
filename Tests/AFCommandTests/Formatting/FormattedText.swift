@testable import AFCommand

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

extension String {
    /// The text without the sequences that color it.
    var withoutColors: String {
        var text = ""
        var isInSequence = false
        for scalar in unicodeScalars {
            if scalar == "\u{1B}" { isInSequence = true }
            if !isInSequence { text.unicodeScalars.append(scalar) }
            if scalar == "m" { isInSequence = false }
        }
        return text
    }

    /// Whether there is anything that a terminal would obey, line ends (CRLF too) and tabs apart.
    var holdsTerminalControls: Bool {
        filter { $0 != "\r\n" }.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
