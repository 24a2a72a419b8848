import TestSupport
import Testing

@testable import AFFormatting

@Suite struct SanitizerTests {
    @Test(arguments: [
        ("plain text, twice as long as a word\n\tand more", "plain text, twice as long as a word\n\tand more"),
        ("héllo 東京 😀", "héllo 東京 😀"),
        ("\u{1B}[31mred\u{7}\u{7F}\u{0}", #"\x1b[31mred\x07\x7f\x00"#),
        ("\u{9B}31m\u{85}", #"\u009b31m\u0085"#),
        ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}", #"a\u202eb\u2066c\u200fd\u061c"#),
        ("line\r\nline\rover\r", #"line"# + "\r\n" + #"line\x0dover\x0d"#),
    ])
    func `terminal control characters are escaped`(text: String, expected: String) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            #expect(try shown(pieces, by: Sanitizer()).text == expected)
        }
    }

    @Test(
        arguments: [
            ([0x9B, 0x33], #"\x9b3"#),
            ([0x61, 0xFF, 0x62], #"a\xffb"#),
            ([0xC0, 0xAF], #"\xc0\xaf"#),
            ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),
            ([0xE2, 0x80], #"\xe2\x80"#),
            ([0xE2, 0x80, 0x41], #"\xe2\x80A"#),
            ([0xF0, 0x9F, 0x98, 0xF0, 0x9F, 0x98, 0x80], #"\xf0\x9f\x98😀"#),
            ([0xF4, 0x90, 0x80, 0x80], #"\xf4\x90\x80\x80"#),
        ] as [([UInt8], String)])
    func `bytes that are not UTF-8 are shown as hexadecimal escapes`(bytes: [UInt8], expected: String) throws {
        for pieces in cuts(of: bytes) {
            #expect(try shown(pieces, by: Sanitizer()).text == expected)
        }
    }

    @Test func `of all characters only the controls are escaped`() throws {
        let controls = [
            0..<0x09, 0x0B..<0x20, 0x7F..<0xA0, 0x61C..<0x61D, 0x200E..<0x2010, 0x2028..<0x202F, 0x2066..<0x206A,
        ]
        let scalars = (0..<0x110000).compactMap { Unicode.Scalar($0) }
        let isControl = { (scalar: Unicode.Scalar) in controls.contains { $0.contains(Int(scalar.value)) } }
        let safe = String(String.UnicodeScalarView(scalars.filter { !isControl($0) }))
        #expect(try shown([Array(safe.utf8)], by: Sanitizer()).text == safe)
        for scalar in scalars where isControl(scalar) {
            // Between other characters: 16 bytes of them are passed over together.
            let escape = String(scalar.value, radix: 16)
            let expected = scalar.isASCII ? "\\x" : "\\u"
            let padding = String(repeating: "0", count: (scalar.isASCII ? 2 : 4) - escape.count)
            for rest in ["éж", "éж and more than a block"] {
                let text = try shown([Array("あд\(scalar)\(rest)".utf8)], by: Sanitizer()).text
                #expect(text == "あд\(expected)\(padding)\(escape)\(rest)")
            }
        }
    }

    @Test func `sequences of every first byte are shown only if they are UTF-8`() throws {
        let others: [UInt8] = [
            0x20, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9C, 0x9F, 0xA0, 0xAE, 0xBF, 0xC0, 0xC3, 0xE3, 0xFF,
        ]
        for first in UInt8(0x80)...0xFF {
            for second in others {
                for third in others {
                    let bytes = [first, second, third, 0x2E]
                    let text = try shown([bytes], by: Sanitizer()).text
                    #expect(!text.holdsTerminalControls && !text.unicodeScalars.contains("\u{FFFD}"))
                    if !text.utf8.contains(UInt8(ascii: "\\")) { #expect(Array(text.utf8) == bytes) }
                    // Bytes in a block are what each alone is.
                    for start in ["", "123456789012"] {
                        let block = Array(start.utf8) + bytes + Array("123456789012".utf8)
                        #expect(try shown([block], by: Sanitizer()).text == "\(start)\(text)123456789012")
                    }
                }
            }
        }
    }

    @Test func `in JSON notation escapes are valid JSON`() throws {
        let bytes = Array("\u{7F}\u{9B}\u{202E}".utf8) + [0xFF, 0xE2, 0x80, 0x22]
        #expect(try shown([bytes], by: Sanitizer(notation: .json)).text == "\\u007f\\u009b\\u202e\u{FFFD}\u{FFFD}\"")
    }

    @Test func `line breaks and other control characters are escaped in a line`() {
        #expect(Sanitizer.line("a\r\nb\tc\u{1B}") == #"a\x0d\x0ab\x09c\x1b"#)
        #expect(Sanitizer.line("file.tar") == "file.tar")
    }

    @Test func `random bytes in any chunks are written without control characters`() throws {
        var numbers = SeededNumbers(seed: 9)
        let alphabet: [UInt8] = [
            0x1B, 0x9B, 0x0D, 0x0A, 0xC2, 0xE2, 0x80, 0xAE, 0xF0, 0x9F, 0x98, 0x41, 0x7F, 0xD8, 0x9C,
        ]
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                Bool.random(using: &numbers)
                    ? alphabet.randomElement(using: &numbers) ?? 0 : UInt8.random(in: 0...255, using: &numbers)
            }
            let whole = try shown([bytes], by: Sanitizer()).text
            #expect(!whole.holdsTerminalControls)
            let cut = Int.random(in: 0...bytes.count, using: &numbers)
            #expect(try shown([Array(bytes[..<cut]), Array(bytes[cut...])], by: Sanitizer()).text == whole)
            #expect(try shown(bytes.map { [$0] }, by: Sanitizer()).text == whole)
        }
    }

    @Test func `the decoder agrees with the standard library about UTF-8`() {
        var numbers = SeededNumbers(seed: 11)
        for _ in 0..<5000 {
            let bytes =
                [UInt8.random(in: 0x80...0xFF, using: &numbers)]
                + (0..<3).map { _ in UInt8.random(in: 0x70...0xC8, using: &numbers) }
            let first = String(decoding: bytes, as: UTF8.self).unicodeScalars.first?.value
            bytes.withUnsafeBufferPointer {
                if case .scalar(let value, _) = UTF8Sequence($0) {
                    #expect(value == first)
                } else {
                    #expect(first == 0xFFFD)
                }
            }
        }
    }
}
