internal import AFHTTP

/// Converts a body to UTF-8 without a byte order mark: from the charset of such a mark, else from a given charset, else
/// from the one that the first bytes declare.
///
/// The text does not depend on the chunks.
package struct BodyDecoder {
    /// The start of a body that may declare its charset.
    fileprivate struct Start {
        let kind: BodyKind
        /// The given charset.
        let charset: String?
        var bytes: [UInt8] = []
        /// The number of bytes that were returned already.
        var returned = 0
    }

    private var decoder: CharsetDecoder?
    /// The start of the body, until its charset is known.
    private var start: Start?

    /// Creates a decoder.
    ///
    /// - Parameter charset: The charset; `nil` if it is not known.
    package init(of kind: BodyKind, charset: String?) {
        if kind != .binary { start = Start(kind: kind, charset: charset) }
    }

    /// Returns `nil` for UTF-8 and ASCII, which need no decoder, and for unknown charsets.
    private static func decoder(for name: String) -> CharsetDecoder? {
        guard let charset = Charset(ianaName: name), !["UTF-8", "US-ASCII"].contains(charset.name) else { return nil }
        return CharsetDecoder(charset)
    }

    /// Returns a body, or its first bytes, in UTF-8.
    package static func decode(
        _ bytes: [UInt8], of kind: BodyKind, charset: String?, isComplete: Bool = true
    ) -> [UInt8] {
        var decoder = Self(of: kind, charset: charset)
        guard var text = bytes.withUnsafeBytes({ decoder.decode($0) }) else { return bytes }
        text += decoder.finish(isComplete: isComplete) ?? []
        return text
    }

    /// Returns a chunk in UTF-8; `nil` if it needs no conversion.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard var start = start.take() else { return decoder?.decode(bytes) }
        let taken = bytes.prefix(DeclaredCharset.sampleSize - start.bytes.count)
        start.bytes += taken
        if !ByteOrderMark.mayStart(with: start.bytes), let mark = ByteOrderMark(startOf: start.bytes) {
            return decode(start.bytes.dropFirst(mark.bytes.count) + bytes.dropFirst(taken.count), from: mark.charset)
        }
        switch start.declaration {
        case .incomplete:
            // ASCII is not held, so that a slow body is shown while it arrives.
            let text = start.ascii(upTo: start.bytes.count)
            self.start = start
            return text
        case .absent:
            let hasHeld = start.returned < start.bytes.count - taken.count
            return hasHeld ? Array(start.bytes[start.returned...] + bytes.dropFirst(taken.count)) : nil
        case .found(let charset, let end):
            let text = start.ascii(upTo: end)
            return text + decode(start.bytes[start.returned...] + bytes.dropFirst(taken.count), from: charset)
        }
    }

    /// Returns the first bytes of a known charset in UTF-8.
    private mutating func decode(_ bytes: ArraySlice<UInt8>, from charset: String) -> [UInt8] {
        decoder = Self.decoder(for: charset)
        return bytes.withUnsafeBytes { decoder?.decode($0) } ?? Array(bytes)
    }

    /// Returns the rest after the last chunk; `nil` if there was no conversion.
    ///
    /// - Parameter isComplete: Whether an incomplete character at the end is replaced.
    package mutating func finish(isComplete: Bool = true) -> [UInt8]? {
        var text: [UInt8]?
        if let start = start.take() {
            let mark = ByteOrderMark(startOf: start.bytes)
            let rest = start.bytes[max(start.returned, mark?.bytes.count ?? 0)...]
            text = decode(rest, from: mark?.charset ?? start.charset ?? "UTF-8")
        }
        let decoder = decoder.take()
        guard isComplete, let rest = decoder?.finish() else { return text }
        return (text ?? []) + rest
    }
}

extension BodyDecoder.Start {
    /// The charset, unless it depends on more bytes.
    fileprivate var declaration: DeclaredCharset {
        if ByteOrderMark.mayStart(with: bytes) { return .incomplete }
        return charset.map { .found($0, end: 0) } ?? DeclaredCharset(in: bytes, of: kind)
    }

    /// Returns the next bytes up to an offset, or the first that is not the same in all charsets.
    fileprivate mutating func ascii(upTo end: Int) -> [UInt8] {
        let text = bytes[returned..<max(end, returned)].prefix(while: \.isPlainASCII)
        returned = text.endIndex
        return Array(text)
    }
}

extension UInt8 {
    /// Whether the byte is ASCII, does not shift ISO 2022 charsets to another set, and does not start a mark.
    fileprivate var isPlainASCII: Bool { self < 0x80 && self != 0x1B && self != 0x0E && self != 0x0F && self != 0 }
}
