import Testing

@testable import AFJSON

@Suite struct ByteBlockTests {
    @Test(arguments: UInt8.min...UInt8.max)
    func `a run of digits ends at the first byte that is not a digit`(byte: UInt8) {
        let digits = Array("12345678901234567".utf8)
        for index in digits.indices {
            var text = digits
            text[index] = byte
            let length = text.withUnsafeBufferPointer { text in
                text.baseAddress.map { $0.skippingDigits(to: $0 + text.count) - $0 }
            }
            #expect(length == (digits.contains(byte) ? digits.count : index))
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `a run of a string ends at the first quote, backslash or control character`(byte: UInt8) {
        let text = Array("a run of more than 32 bytes: \u{7F}\u{80}é😀".utf8)
        let endsRun = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
        for index in text.indices {
            #expect(
                length(of: text, with: byte, at: index) { $0.skippingStringRun(to: $1) }
                    == (endsRun ? index : text.count))
        }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func `white space ends at the first byte that is none`(byte: UInt8) {
        let text = Array(" \n\r\t                  \n            ".utf8)
        for index in text.indices.dropFirst() {
            let isSpace = [0x20, 0x0A, 0x0D, 0x09].contains(byte)
            #expect(
                length(of: text, with: byte, at: index) { $0.skippingSpace(to: $1) } == (isSpace ? text.count : index))
        }
    }

    @Test(
        arguments: [
            ("0", 1), ("-7", 2), ("-0.5", 4), ("123456789012345", 15), ("1.5", 3), ("-12.345", 7), ("01", nil),
            ("-", nil),
            ("1.", nil), ("1.e5", nil), ("1e5", nil), (".5", nil), ("1.2.3", nil), ("--1", nil),
            ("1234567890123456", nil),
            ("1.23456789012345", nil), ("+1", nil), ("1x", nil),
        ] as [(String, Int?)])
    func `short numbers are recognized without their parse state`(number: String, length: Int?) {
        for end in [",", "]", "}", " ", "\n"] {
            let text = Array((number + end + String(repeating: "1", count: 20)).utf8)
            let found = text.withUnsafeBufferPointer { text in
                text.baseAddress.flatMap { start in
                    start.endOfShortNumber(before: start + text.count).map { $0 - start }
                }
            }
            #expect(found == length)
        }
    }

    private func length(
        of text: [UInt8],
        with byte: UInt8,
        at index: Int,
        _ skip: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> UnsafePointer<UInt8>
    ) -> Int? {
        var text = text
        text[index] = byte
        return text.withUnsafeBufferPointer { text in
            text.baseAddress.map { skip($0, $0 + text.count) - $0 }
        }
    }
}
