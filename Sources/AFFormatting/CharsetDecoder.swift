internal import Glibc

/// Converts text to UTF-8 in chunks; invalid bytes become U+FFFD.
package final class CharsetDecoder {
    /// The descriptor of iconv, which stores the shift state.
    private let descriptor: iconv_t
    /// The start of a character that the next chunk completes.
    private var held: [UInt8] = []

    /// Returns `nil` if the system does not support the charset.
    package init?(_ charset: String) {
        // A slash would pass options to iconv.
        guard !charset.isEmpty, !charset.contains("/"), let descriptor = iconv_open("UTF-8", charset),
            descriptor != iconv_t(bitPattern: -1)
        else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    package func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var input = held + bytes
        var text: [UInt8] = []
        let left = input.withUnsafeMutableBytes { convert($0, into: &text) }
        held = input.suffix(left)
        return text
    }

    /// Returns the remaining output: a letter that iconv holds back for a combining mark, and U+FFFD for an
    /// incomplete character.
    package func finish() -> [UInt8] {
        var text: [UInt8] = []
        _ = step(nil, nil, into: &text)
        if !held.isEmpty { text += Self.replacement }
        held = []
        return text
    }

    private static let replacement = Array("\u{FFFD}".utf8)

    /// Returns the number of bytes of an incomplete character at the end.
    private func convert(_ input: UnsafeMutableRawBufferPointer, into text: inout [UInt8]) -> Int {
        var next = input.assumingMemoryBound(to: CChar.self).baseAddress
        var left = input.count
        // An invalid byte is replaced and skipped.
        while left > 0, step(&next, &left, into: &text) == EILSEQ {
            text += Self.replacement
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
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { room in
            while true {
                var (end, free) = (room.baseAddress, room.count)
                let reason = iconv(descriptor, input, left, &end, &free) == -1 ? errno : 0
                text.append(contentsOf: UnsafeRawBufferPointer(room).prefix(room.count - free))
                if reason != E2BIG { return reason }
            }
        }
    }
}
