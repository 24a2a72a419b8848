@testable import AFCommand
@testable import AFFormatting

/// Returns the formatted bytes, which must not depend on the division into chunks.
func shown(_ bytes: [UInt8], by formatter: some BodyFormatting) throws -> [UInt8] {
    let whole = try shown([bytes[...]], by: formatter)
    let half = bytes.count / 2
    require(try shown([bytes[..<half], bytes[half...]], by: formatter) == whole, "two pieces are shown as one")
    require(try shown(bytes.indices.map { bytes[$0...$0] }, by: formatter) == whole, "bytes are shown as a whole")
    return whole
}

private func shown(_ pieces: [ArraySlice<UInt8>], by formatter: some BodyFormatting) throws -> [UInt8] {
    var formatter = formatter
    let output = MemoryOutput()
    var buffer = OutputBuffer(output)
    for piece in pieces {
        try piece.withUnsafeBufferPointer { piece throws(OutputFailure) in
            try formatter.consume(UnsafeRawBufferPointer(piece), into: &buffer)
        }
    }
    try formatter.finish(into: &buffer)
    try buffer.flush()
    return output.bytes
}

extension [UInt8] {
    /// Without a byte order mark in front.
    var withoutMark: ArraySlice<UInt8> { self[...].withoutMark }

    /// The text without color sequences: `ESC [ … m`.
    var withoutStyles: [UInt8] {
        var kept: [UInt8] = []
        var rest = self[...]
        while let byte = rest.popFirst() {
            guard byte == 0x1B, rest.first == UInt8(ascii: "[") else {
                kept.append(byte)
                continue
            }
            rest = rest.drop { $0 != UInt8(ascii: "m") }.dropFirst()
        }
        return kept
    }

    /// Whether the text has only characters and line ends, and no control characters for a terminal.
    var isHarmlessOnTerminal: Bool {
        guard let text = String(validating: self, as: UTF8.self) else { return false }
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if previous == "\r", scalar != "\n" { return false }
            previous = scalar
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: break
            case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return false
            default: break
            }
        }
        return previous != "\r"
    }
}

extension ArraySlice<UInt8> {
    /// Without a byte order mark in front.
    var withoutMark: ArraySlice<UInt8> { starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self }
}
