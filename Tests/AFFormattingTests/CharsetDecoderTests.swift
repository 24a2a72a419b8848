import Testing

@testable import AFFormatting

@Suite struct CharsetDecoderTests {
    private static let samples: [(charset: String, bytes: [UInt8], text: String)] = [
        ("iso-8859-1", [0x5A, 0x6F, 0xEB], "Zoë"),
        ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
        // A letter is held back until the next byte tells whether a mark belongs to it.
        ("windows-1258", [0x56, 0x69, 0x65], "Vie"),
        ("windows-1258", [0x61, 0xEC], "á"),
        ("big5-hkscs", [0x88, 0x66], "Ê"),
        // One byte, and twelve in UTF-8.
        ("tscii", Array(repeating: 0x82, count: 100), String(repeating: "ஸ்ரீ", count: 100)),
        ("shift_jis", [0x93, 0xFA, 0x93], "日\u{FFFD}"),
        ("euc-jp", [0xFF, 0x41], "\u{FFFD}A"),
    ]

    @Test(arguments: samples)
    func `text comes out whole, in one piece or byte by byte`(charset: String, bytes: [UInt8], text: String) throws {
        #expect(try decoded([bytes], charset) == text)
        #expect(try decoded(bytes.map { [$0] }, charset) == text)
    }

    @Test(arguments: ["", "klingon", "UTF-8//TRANSLIT"])
    func `an unknown charset has no decoder`(charset: String) {
        #expect(CharsetDecoder(charset) == nil)
    }

    private func decoded(_ pieces: [[UInt8]], _ charset: String) throws -> String {
        let decoder = try #require(CharsetDecoder(charset))
        let bytes = pieces.flatMap { piece in piece.withUnsafeBytes { decoder.decode($0) } } + decoder.finish()
        return try #require(String(validating: bytes, as: UTF8.self))
    }
}
