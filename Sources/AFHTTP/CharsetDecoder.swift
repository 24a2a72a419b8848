internal import Glibc

/// Converts text to UTF-8 in chunks; invalid bytes become U+FFFD.
package final class CharsetDecoder {
    /// The descriptor of iconv, which stores the shift state.
    private let descriptor: iconv_t
    /// The start of a character that the next chunk completes.
    private var incompleteSequence: [UInt8] = []
    /// The mark of the big-endian byte order, until the start of the text shows whether there is one.
    private var bigEndianMark: [UInt8]?
    /// Whether bytes are converted one at a time: after a lone surrogate in UTF-7, the bytes that glibc's iconv skips
    /// depend on the size of its input.
    private let isBytewise: Bool
    /// Whether any byte was invalid.
    package private(set) var hasReplaced = false

    /// Returns `nil` if the system refuses the conversion.
    package init?(_ charset: Charset) {
        guard let descriptor = iconv_open("UTF-8", charset.name), descriptor != iconv_t(bitPattern: -1) else {
            return nil
        }
        self.descriptor = descriptor
        isBytewise = charset.name.hasPrefix("UTF-7") || charset.name.hasPrefix("UTF7")
        switch charset.name {
        case "UTF-16": bigEndianMark = [0xFE, 0xFF]
        case "UTF-32": bigEndianMark = [0, 0, 0xFE, 0xFF]
        default: break
        }
    }

    deinit { iconv_close(descriptor) }

    package func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard isBytewise else { return decodeChunk(bytes) }
        return bytes.indices.flatMap { decodeChunk(UnsafeRawBufferPointer(rebasing: bytes[$0...$0])) }
    }

    private func decodeChunk(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var input = incompleteSequence + bytes
        if let mark = bigEndianMark {
            incompleteSequence = input
            guard input.count >= mark.count else { return [] }
            // The default is big-endian (RFC 2781 §4.3); iconv would use the machine's order.
            if !input.starts(with: mark), !input.starts(with: mark.reversed()) { input = mark + input }
            bigEndianMark = nil
        }
        var text: [UInt8] = []
        let left = input.withUnsafeMutableBytes { convert($0, into: &text) }
        incompleteSequence = input.suffix(left)
        return text
    }

    /// Returns the remaining output: a letter that iconv holds back for a combining mark, and U+FFFD for an
    /// incomplete character.
    package func finish() -> [UInt8] {
        var text: [UInt8] = []
        _ = step(nil, nil, into: &text)
        if !incompleteSequence.isEmpty { replaceByte(into: &text) }
        incompleteSequence = []
        return text
    }

    private func replaceByte(into text: inout [UInt8]) {
        text += "\u{FFFD}".utf8
        hasReplaced = true
    }

    /// Returns the number of bytes of an incomplete character at the end.
    private func convert(_ input: UnsafeMutableRawBufferPointer, into text: inout [UInt8]) -> Int {
        var next = input.assumingMemoryBound(to: CChar.self).baseAddress
        var left = input.count
        // An invalid byte is replaced and skipped.
        while left > 0, step(&next, &left, into: &text) == EILSEQ {
            replaceByte(into: &text)
            (next, left) = (next.map { $0 + 1 }, left - 1)
        }
        return left
    }

    /// Converts until the end or an error, and returns that; without input, writes the stored state.
    private func step(
        _ input: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ left: UnsafeMutablePointer<Int>?,
        into text: inout [UInt8]
    ) -> CInt {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            while true {
                var (end, free) = (buffer.baseAddress, buffer.count)
                let reason = iconv(descriptor, input, left, &end, &free) == -1 ? errno : 0
                text.append(contentsOf: UnsafeRawBufferPointer(buffer).prefix(buffer.count - free))
                if reason != E2BIG { return reason }
            }
        }
    }
}
