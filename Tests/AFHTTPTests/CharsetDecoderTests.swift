import AFHTTP
import Testing

@Suite struct CharsetDecoderTests {
    private static let samples: [(charset: String, bytes: [UInt8], text: String)] = [
        ("iso-8859-1", [0x5A, 0x6F, 0xEB], "Zoë"),
        ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
        // A letter is held back until the next byte shows whether a mark belongs to it.
        ("windows-1258", [0x56, 0x69, 0x65], "Vie"),
        ("windows-1258", [0x61, 0xEC], "á"),
        ("big5-hkscs", [0x88, 0x66], "Ê"),
        // Each byte becomes twelve bytes of UTF-8.
        ("tscii", Array(repeating: 0x82, count: 100), String(repeating: "ஸ்ரீ", count: 100)),
        ("shift_jis", [0x93, 0xFA, 0x93], "日\u{FFFD}"),
        ("euc-jp", [0xFF, 0x41], "\u{FFFD}A"),
        ("utf-16", [0x00, 0x61, 0x00, 0x62], "ab"),
        ("utf-16", [0xFF, 0xFE, 0x61, 0x00], "a"),
        ("utf-16", [0x61], "\u{FFFD}"),
        ("utf-32", [0x00, 0x00, 0x00, 0x61], "a"),
        ("utf-7", Array("+2D3cAQ-!".utf8), "\u{1F401}!"),
        // A lone surrogate.
        ("utf-7", Array("+333".utf8), "\u{FFFD}"),
        ("utf-7-imap", Array("&333-x".utf8), "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("x-sjis", [0x93, 0xFA], "日"),
    ]

    @Test(arguments: samples)
    func `text is decoded in one chunk or byte by byte`(charset: String, bytes: [UInt8], text: String) throws {
        #expect(try decoded([bytes], charset) == text)
        #expect(try decoded(bytes.map { [$0] }, charset) == text)
    }

    private func decoded(_ pieces: [[UInt8]], _ charset: String) throws -> String {
        let decoder = try #require(Charset(ianaName: charset).flatMap(CharsetDecoder.init))
        let bytes = pieces.flatMap { piece in piece.withUnsafeBytes { decoder.decode($0) } } + decoder.finish()
        return try #require(String(validating: bytes, as: UTF8.self))
    }
}
