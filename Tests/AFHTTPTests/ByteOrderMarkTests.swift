import AFHTTP
import Testing

@Suite struct ByteOrderMarkTests {
    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0xFF, 0xFE, 0x61, 0, 0xAC, 0x20], "a€"),
            ([0xFE, 0xFF, 0x20, 0xAC], "€"),
            ([0xEF, 0xBB, 0xBF], ""), ([0xFF, 0xFE], ""), ([0x61, 0xEF, 0xBB, 0xBF], "a\u{FEFF}"),
            ([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF], "\u{FEFF}"), ([], ""),
        ] as [([UInt8], String)])
    func `a mark is not a part of the text, and shows its encoding`(bytes: [UInt8], text: String) {
        #expect(bytes.withoutByteOrderMark == Array(text.utf8))
    }

    @Test func `UTF-16 that is cut stays as it is`() {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x61]
        #expect(bytes.withoutByteOrderMark == bytes)
    }

    @Test(
        arguments: [
            ([], true), ([0xEF], true), ([0xEF, 0xBB], true), ([0xFE], true), ([0xFF], true),
            ([0xFF, 0xFE], true), ([0xFF, 0xFE, 0], true), ([0, 0, 0xFE], true), ([0xEF, 0xBB, 0xBF], false),
            ([0xFE, 0xFF], false), ([0xFF, 0xFE, 0, 0], false), ([0xFF, 0xFE, 0x61], false), ([0x61], false),
            ([0xEF, 0xBC], false),
        ] as [([UInt8], Bool)])
    func `only a start of a mark needs more bytes`(bytes: [UInt8], isStart: Bool) {
        #expect(ByteOrderMark.mayStart(with: bytes) == isStart)
    }
}
