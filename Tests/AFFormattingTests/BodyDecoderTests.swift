import Testing

@testable import AFFormatting

@Suite struct BodyDecoderTests {
    @Test(arguments: [
        (BodyKind.xml, "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\u{EF}</a>", true),
        (.xml, "<?xml version='1.0'?><a encoding='latin1'>\u{EF}</a>", false),
        (.xml, "<a encoding='latin1'>\u{EF}</a>", false),
        (.html, "<title>\u{EF}</title><META Charset=latin1><p>\u{EF}", true),
        (.html, "<meta http-equiv=content-type content='text/html; charset=latin1'>\u{EF}", true),
        (.html, "<title>charset</title><!-- charset=cp437 --><meta charset='latin1'>\u{EF}", true),
        (.html, "<meta charset=utf-8><meta charset=latin1>\u{EF}", false),
        (.html, "\(String(repeating: "x", count: 1005))<meta charset=latin1>\u{EF}", false),
        (.html, "\u{EF}", false),
        (.text, "<meta charset=latin1>\u{EF}", false),
    ])
    func `the charset of a document does not depend on its chunks`(kind: BodyKind, text: String, isDecoded: Bool) {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let expected = isDecoded ? Array(text.utf8) : bytes
        for chunks in cuts(of: bytes) { #expect(decoded(chunks, kind) == expected) }
        #expect(BodyDecoder.decode(bytes, of: kind, charset: nil) == expected)
    }

    @Test func `a byte order mark takes precedence over a declaration`() {
        let bytes = Array("\u{FEFF}<meta charset=latin1>ï".utf8)
        for chunks in cuts(of: bytes) { #expect(decoded(chunks, .html) == bytes) }
    }

    @Test func `bytes before a declaration are decoded in any chunks`() {
        // In Shift JIS, 0x5C is a yen sign. ISO 2022 switches to another set of characters.
        let yen = Array("<p>\\<meta charset=shift_jis>".utf8) + [0x83, 0x41]
        let shifted = Array("<p>\u{1B}$B%\"\u{1B}(B<meta charset=iso-2022-jp>".utf8)
        for chunks in cuts(of: yen) { #expect(decoded(chunks, .html) == Array("<p>\\<meta charset=shift_jis>ア".utf8)) }
        for chunks in cuts(of: shifted) {
            #expect(decoded(chunks, .html) == Array("<p>ア<meta charset=iso-2022-jp>".utf8))
        }
    }

    @Test func `ASCII is returned before the charset is known`() {
        var decoder = BodyDecoder(of: .html, charset: nil)
        #expect(Array("<p>now".utf8).withUnsafeBytes { decoder.decode($0) } == Array("<p>now".utf8))
        #expect(([0x20, 0xEF, 0x20] as [UInt8]).withUnsafeBytes { decoder.decode($0) } == [0x20])
        #expect(decoder.finish() == [0xEF, 0x20])
    }

    @Test func `an incomplete character is replaced only at the end of the body`() {
        #expect(BodyDecoder.decode([0x83], of: .text, charset: "shift_jis") == Array("\u{FFFD}".utf8))
        #expect(BodyDecoder.decode([0x83], of: .text, charset: "shift_jis", isComplete: false) == [])
    }

    private func decoded(_ chunks: [[UInt8]], _ kind: BodyKind) -> [UInt8] {
        var decoder = BodyDecoder(of: kind, charset: nil)
        let text = chunks.flatMap { chunk in chunk.withUnsafeBytes { decoder.decode($0) } ?? chunk }
        return text + (decoder.finish() ?? [])
    }
}
