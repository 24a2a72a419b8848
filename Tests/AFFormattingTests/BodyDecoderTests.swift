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
        (.html, "<!-- <meta charset=latin1> --><p>\u{EF}", false),
        (.html, "<!-- <meta charset=utf-8> --><META  Charset = 'latin1' >\u{EF}", true),
        (.html, "<meta name=description content='charset=latin1'><meta data-charset=latin1>\u{EF}", false),
        (.html, "<meta name=a content='>'><meta content='a;charset=latin1' http-equiv=Content-Type>\u{EF}", true),
        (.html, "<metadata charset=latin1>\u{EF}", false),
        (.html, "<a title='<meta charset=koi8-r>'></a title='<meta charset=koi8-r>'><meta charset=latin1>\u{EF}", true),
        (.html, "<p title='<meta charset=latin1>'>\u{EF}", false),
        (.html, "1 < 2 <3 </ <meta charset=latin1>\u{EF}", true),
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
        for chunks in cuts(of: bytes) { #expect(decoded(chunks, .html) == Array("<meta charset=latin1>ï".utf8)) }
    }

    @Test(arguments: [BodyKind.text, .json, .xml, .html, .unknown, .eventStream], [nil, "iso-8859-1", "utf-8"])
    func `a byte order mark takes precedence over a given charset, and is not shown`(kind: BodyKind, charset: String?) {
        let text = "<a>€\u{FEFF}</a>"
        let littleEndian = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let bigEndian = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let bodies: [[UInt8]] = [
            [0xEF, 0xBB, 0xBF] + text.utf8, [0xFF, 0xFE] + littleEndian, [0xFE, 0xFF] + bigEndian,
        ]
        for bytes in bodies {
            for chunks in cuts(of: bytes) { #expect(decoded(chunks, kind, charset) == Array(text.utf8)) }
        }
    }

    @Test(arguments: [nil, "utf-32", "utf-32le", "utf-8"])
    func `UTF-32 with a byte order mark is decoded`(charset: String?) {
        let text = "<a>€\u{FEFF}</a>"
        let scalars = text.unicodeScalars.map { scalar in
            (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> ($0 * 8)) }
        }
        let littleEndian: [UInt8] = [0xFF, 0xFE, 0, 0] + scalars.flatMap { $0 }
        let bigEndian: [UInt8] = [0, 0, 0xFE, 0xFF] + scalars.flatMap { $0.reversed() }
        for kind in [BodyKind.text, .html, .json] {
            for chunks in cuts(of: littleEndian) + cuts(of: bigEndian) {
                #expect(decoded(chunks, kind, charset) == Array(text.utf8))
            }
        }
        #expect(decoded([[0xFF], [0xFE]], .text, charset) == [])
        #expect(decoded([[0xFF, 0xFE, 0x61], [0]], .text, charset) == [0x61])
    }

    @Test func `the start of a mark alone is text, and binary bodies have no mark`() {
        for chunks in cuts(of: [0xEF, 0xBB, 0x61]) {
            #expect(decoded(chunks, .text, "iso-8859-1") == Array("ï»a".utf8))
            #expect(decoded(chunks, .text) == [0xEF, 0xBB, 0x61])
        }
        #expect(decoded([[0xEF], [0xBB]], .text, "iso-8859-1") == Array("ï»".utf8))
        #expect(decoded([[0xEF]], .text) == [0xEF])
        #expect(decoded([[0xFF, 0xFE, 0x61, 0]], .binary) == [0xFF, 0xFE, 0x61, 0])
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

    private func decoded(_ chunks: [[UInt8]], _ kind: BodyKind, _ charset: String? = nil) -> [UInt8] {
        var decoder = BodyDecoder(of: kind, charset: charset)
        let text = chunks.flatMap { chunk in chunk.withUnsafeBytes { decoder.decode($0) } ?? chunk }
        return text + (decoder.finish() ?? [])
    }
}
