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
        // No character set that glibc knows needs more bytes in UTF-8 than four for one of its own.
        var room = [UInt8](repeating: 0, count: 4 * input.count + 16)
        let count = input.count
        let (written, left) = input.withUnsafeMutableBytes { input in
            room.withUnsafeMutableBytes { convert(input, into: $0) }
        }
        held = Array(input[(count - left)...])
        return Array(room[..<written])
    }

    /// What is shown for a character without its end.
    func finish() -> [UInt8] {
        defer { held = [] }
        return held.isEmpty ? [] : Self.replacement
    }

    private static let replacement = Array("\u{FFFD}".utf8)

    /// How many bytes were written, and how many begin a character that is not whole yet.
    private func convert(
        _ input: UnsafeMutableRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> (written: Int, left: Int) {
        var next = input.assumingMemoryBound(to: CChar.self).baseAddress
        var end = output.assumingMemoryBound(to: CChar.self).baseAddress
        var (left, room) = (input.count, output.count)
        while left > 0 {
            if iconv(descriptor, &next, &left, &end, &room) != -1 || errno == EINVAL { break }
            // An impossible byte, or no room for what follows too many of them.
            guard errno == EILSEQ, room >= Self.replacement.count else { break }
            for byte in Self.replacement {
                end?.pointee = CChar(bitPattern: byte)
                end = end.map { $0 + 1 }
            }
            (next, left, room) = (next.map { $0 + 1 }, left - 1, room - Self.replacement.count)
        }
        return (output.count - room, left)
    }
}
