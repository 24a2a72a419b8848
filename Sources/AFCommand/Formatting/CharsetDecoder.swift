import Glibc

/// Turns text in some character set into UTF-8, piece by piece; bytes that are no text become U+FFFD.
final class CharsetDecoder {
    /// glibc's, which remembers the state of a character set with shifts.
    private let descriptor: iconv_t
    /// The beginning of a character that the next piece completes.
    private var held: [UInt8] = []

    /// `nil` for a character set that the system does not know.
    init?(_ charset: String) {
        // A slash would hand options to iconv.
        guard !charset.isEmpty, !charset.contains("/"), let descriptor = iconv_open("UTF-8", charset),
            descriptor != iconv_t(bitPattern: -1)
        else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var input = held + bytes
        var text: [UInt8] = []
        let left = input.withUnsafeMutableBytes { convert($0, into: &text) }
        held = input.suffix(left)
        return text
    }

    /// What was held back: letters that a mark could have followed, and U+FFFD for a character without its end.
    func finish() -> [UInt8] {
        var text: [UInt8] = []
        _ = step(nil, nil, into: &text)
        if !held.isEmpty { text += Self.replacement }
        held = []
        return text
    }

    private static let replacement = Array("\u{FFFD}".utf8)

    /// How many bytes begin a character that is not whole yet.
    private func convert(_ input: UnsafeMutableRawBufferPointer, into text: inout [UInt8]) -> Int {
        var next = input.assumingMemoryBound(to: CChar.self).baseAddress
        var left = input.count
        // An impossible byte is replaced and stepped over.
        while left > 0, step(&next, &left, into: &text) == EILSEQ {
            text += Self.replacement
            (next, left) = (next.map { $0 + 1 }, left - 1)
        }
        return left
    }

    /// Converts up to the end, or to what stops glibc, and gives its reason for that; without input, what it remembers.
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
