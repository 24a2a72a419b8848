/// Colors the names and values of a URL-encoded form; the text is unchanged.
struct FormFormatter: BodyFormatting {
    private let palette: Palette
    private let isForTerminal: Bool
    private var sanitizer = Sanitizer(notation: .text)
    private var isInValue = false
    /// Whether the current name or value, and its color, has begun.
    private var hasBegun = false

    init(palette: Palette, isForTerminal: Bool) {
        self.palette = palette
        self.isForTerminal = isForTerminal
    }

    private var style: TextStyle { isInValue ? palette.string : palette.key }

    mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        var start = 0
        while start < bytes.count {
            let limit = min(start + Self.chunkSize, bytes.count)
            let end = bytes[start..<limit].firstIndex(where: isSeparator) ?? limit
            show(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), into: &buffer)
            start = end
            if end < limit {
                separate(bytes[end], into: &buffer)
                start += 1
            }
            try buffer.drain()
        }
    }

    mutating func finish(into buffer: inout OutputBuffer) {
        endPart(into: &buffer)
    }

    /// Only the first `=` of a pair is the separator.
    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || (byte == UInt8(ascii: "=") && !isInValue)
    }

    private mutating func separate(_ byte: UInt8, into buffer: inout OutputBuffer) {
        endPart(into: &buffer)
        buffer.begin(palette.punctuation)
        buffer.append(byte)
        buffer.end(palette.punctuation)
        isInValue = byte == UInt8(ascii: "=")
    }

    private mutating func show(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) {
        guard !bytes.isEmpty else { return }
        if !hasBegun { buffer.begin(style) }
        hasBegun = true
        if isForTerminal { sanitizer.sanitize(bytes, into: &buffer) } else { buffer.append(bytes) }
    }

    private mutating func endPart(into buffer: inout OutputBuffer) {
        sanitizer.finish(into: &buffer)
        if hasBegun { buffer.end(style) }
        hasBegun = false
    }
}
