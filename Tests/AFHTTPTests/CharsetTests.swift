import AFHTTP
import FoundationEssentials
import Testing

struct CharsetTests {
    @Test(
        arguments: [
            ("utf-8", [0xC3, 0xA9, 0xF0, 0x9F, 0x8E, 0x89], "é🎉"),
            ("UTF8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("iso-8859-1", [0x61, 0xE9, 0x80], "aé\u{80}"),
            ("latin1", [0x61], "a"),
            ("windows-1252", [0x80, 0xE9], "€é"),
            ("us-ascii", [0x61], "a"),
            ("ISO-8859-15", [0xA4], "€"),
            ("koi8-r", [0xD0, 0xD2, 0xC9], "при"),
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B], "日本"),
            ("x-sjis", [0x93, 0xFA], "日"),
            ("shift_jis", [0x87, 0x40, 0xFB, 0xFC, 0x5C], "①髙\\"), ("gb2312", [0xE9, 0x46], "镕"),
            ("euc-kr", [0x8C, 0x63], "똠"), ("x-cp1251", [0xEF], "п"), ("latin-1", [0xE9], "é"),
            ("euc-jp", [0xC6, 0xFC], "日"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
            ("gb18030", [0xC8, 0xD5, 0x81, 0x30, 0x81, 0x30], "日\u{80}"),
            ("big5", [0xA4, 0xE9], "日"),
            ("euc-kr", [0xC0, 0xCF], "일"),
            ("utf-16", [0xFE, 0xFF, 0x00, 0x61], "a"),
            ("utf-16", [0xFF, 0xFE, 0x61, 0x00], "a"),
            ("utf-16", [0x00, 0x61], "a"),
            ("utf-16le", [0x61, 0x00, 0x3C, 0xD8, 0x89, 0xDF], "a🎉"),
            ("utf-16be", [0x00, 0x61], "a"),
            ("utf-32", [0x00, 0x00, 0x00, 0x61], "a"),
            ("utf-32", [0xFF, 0xFE, 0x00, 0x00, 0x61, 0x00, 0x00, 0x00], "a"),
            ("unicode-1-1", [0x00, 0x61], "a"),
            ("utf-8", [], ""),
        ] as [(String, [UInt8], String)])
    func `bytes are decoded in the named charset`(name: String, bytes: [UInt8], text: String) {
        #expect(Charset(ianaName: name)?.decode(Data(bytes)) == text)
    }

    @Test(
        arguments: [
            ("utf-8", [0xFF]), ("utf-8", [0xC3]), ("utf-8", [0xED, 0xA0, 0x80]), ("us-ascii", [0x80]),
            ("utf-16", [0x61]), ("utf-16le", [0x00, 0xD8]), ("shift_jis", [0x93]), ("windows-1252", [0x81]),
            ("utf-32be", [0x00, 0x11, 0x00, 0x00]),
        ] as [(String, [UInt8])])
    func `invalid bytes are rejected`(name: String, bytes: [UInt8]) {
        #expect(Charset(ianaName: name)?.decode(Data(bytes)) == nil)
    }

    @Test(arguments: ["", "klingon", "utf-8//IGNORE", "utf-8/", "utf 8", "../x", "utf-8\0"])
    func `an unknown charset name is rejected`(name: String) {
        #expect(Charset(ianaName: name) == nil)
    }

    @Test func `a very long text is decoded completely`() {
        let text = String(repeating: "日本語", count: 100_000)
        let bytes = Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        #expect(Charset(ianaName: "utf-16be")?.decode(bytes) == text)
        #expect(Charset(ianaName: "utf-16be")?.decode(bytes.dropFirst(2)) == String(text.dropFirst()))
    }

    @Test func `encodings and names correspond`() {
        #expect(Charset(.utf8)?.name == "UTF-8")
        #expect(Charset(ianaName: "windows-1251")?.encoding == .windowsCP1251)
        #expect(Charset(ianaName: "koi8-r")?.encoding == nil)
        #expect(Charset(.windowsCP1252)?.decode(Data([0x80])) == "€")
    }
}
