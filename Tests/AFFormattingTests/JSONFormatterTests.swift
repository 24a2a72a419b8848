import TestSupport
import Testing

@testable import AFFormatting
@testable import AFJSON

@Suite struct JSONFormatterTests {
    @Test(arguments: [
        (
            #"{"a":1,"b":[true,false,null]}"#,
            "{\n    \"a\": 1,\n    \"b\": [\n        true,\n        false,\n        null\n    ]\n}"
        ),
        (" [ ] ", "[]"),
        ("{ \n }", "{}"),
        (#"[{},[],""]"#, "[\n    {},\n    [],\n    \"\"\n]"),
        (#""text""#, #""text""#),
        ("-1.50e+007", "-1.50e+007"),
        ("null", "null"),
        ("", ""),
        (" \r\n\t", ""),
    ])
    func `each member or element is written on its own line`(text: String, expected: String) throws {
        let (output, brokenOffset) = try shown([Array(text.utf8)], by: JSONFormatter())
        #expect(output == expected)
        #expect(brokenOffset == nil)
    }

    @Test func `the order, duplicate keys and the notation of numbers are preserved`() throws {
        let text = #"{"z":1e400,"a":1.50,"z":123456789012345678901234567890,"b":-0.0E-1}"#
        let expected = """
            {
              "z": 1e400,
              "a": 1.50,
              "z": 123456789012345678901234567890,
              "b": -0.0E-1
            }
            """
        #expect(try shown(text, by: JSONFormatter(layout: .indented(2))) == expected)
    }

    @Test(arguments: ["{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}{\"a\":2}", "\n{\"a\":1}\r\n\r\n{\"a\":2}"])
    func `each of several documents starts on its own line`(text: String) throws {
        #expect(try shown(text, by: JSONFormatter()) == "{\n    \"a\": 1\n}\n{\n    \"a\": 2\n}")
    }

    @Test func `each text of a sequence starts on its own line`() throws {
        let text = "\u{1E}{\"a\":1}\n\u{1E}2\n\u{1E}3\n"
        for pieces in cuts(of: Array(text.utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output == "{\n    \"a\": 1\n}\n2\n3")
            #expect(brokenOffset == nil)
        }
        #expect(try shown(text, by: JSONFormatter(layout: .asReceived)) == text)
        let shownOnTerminal = try shown(text, by: JSONFormatter(layout: .asReceived, isForTerminal: true))
        #expect(shownOnTerminal == text.filter { $0 != "\u{1E}" })
    }

    @Test func `consecutive scalars are separate documents`() throws {
        #expect(try shown("1 2\n\"a\" true null", by: JSONFormatter()) == "1\n2\n\"a\"\ntrue\nnull")
    }

    @Test(arguments: [
        (#""a\/b""#, #""a/b""#),
        (#""caf\u00e9 \u6771\u4EAC""#, #""café 東京""#),
        (#""\ud83d\ude00""#, #""😀""#),
        (#""\u003cb\u003E""#, #""<b>""#),
        (#""\ud83d""#, #""\ud83d""#),
        (#""\ud83d\n\ude00""#, #""\ud83d\n\ude00""#),
        (#""\ud83dx""#, #""\ud83dx""#),
        (#""\ud83d\ud83d\ude00""#, #""\ud83d😀""#),
        (#""\ude00\u00e9""#, #""\ude00é""#),
        (#""\u0022\u005c\u005C""#, #""\u0022\u005c\u005C""#),
        (#""\u001b\u007f\u009b\u0000""#, #""\u001b\u007f\u009b\u0000""#),
        (#""\u202e\u2066\u200f\u061c\u2028\ufeff\ue000""#, #""\u202e\u2066\u200f\u061c\u2028\ufeff\ue000""#),
        (#""\"\\\b\f\n\r\t""#, #""\"\\\b\f\n\r\t""#),
    ])
    func `an escape for a visible character is shown as that character`(text: String, expected: String) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output == expected)
            #expect(brokenOffset == nil)
        }
    }

    @Test(arguments: [
        ("{\"a\":1,}", "{\n    \"a\": 1,\n    }", 7),
        ("{\"a\" 1}", "{\n    \"a\" 1}", 5),
        ("[1 2]", "[\n    1 2]", 3),
        ("{\n1}", "{ 1}", 2),
        ("[1, ]", "[\n    1,\n    ]", 4),
        ("[1,2}x", "[\n    1,\n    2}x", 4),
        ("[tru]", "[\n    tru]", 4),
        ("[01]", "[\n    01]", 2),
        ("[1.]", "[\n    1.]", 3),
        ("[-]", "[\n    -]", 2),
        ("[\"a\\x\"] [1]", "[\n    \"a\\x\"] [1]", 4),
        ("[\"a\\u12g4\"]", "[\n    \"a\\u12g4\"]", 7),
        ("\"a\nb\"", "\"a\nb\"", 2),
        ("12:30", "12:30", 2),
        ("[1]]", "[\n    1\n]]", 3),
        ("{\"a\":1} and [1]", "{\n    \"a\": 1\n}\nand [1]", 8),
        ("[]\ntrailing", "[]\ntrailing", 5),
    ])
    func `from the first illegal byte on nothing is formatted`(text: String, expected: String, offset: Int) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output == expected)
            #expect(brokenOffset == offset)
        }
    }

    @Test func `the notation of an escape does not depend on the next bytes`() throws {
        let values = (UInt32(0)...0xFFFF).filter { !(0xD800...0xDFFF ~= $0) }
        let escapes = values.map { "\\u" + String(String($0 + 0x10000, radix: 16).dropFirst()) }
        let shownAlone = values.enumerated().map { index, value in
            let character = Unicode.Scalar(value)
            let isShown = character.map { $0.isPlainlyVisible && $0 != "\"" && $0 != "\\" } ?? false
            return isShown ? character.map { "\($0)" } ?? "" : escapes[index]
        }
        for (separator, shownSeparator) in [("", ""), (" ", " "), (#"\n"#, #"\n"#), (#"\/"#, "/"), (#"\""#, #"\""#)] {
            let text = "\"\(escapes.joined(separator: separator))\""
            for formatter in [JSONFormatter(), JSONFormatter(isForTerminal: true)] {
                let expected = "\"\(shownAlone.joined(separator: shownSeparator))\""
                #expect(try shown(text, by: formatter) == expected)
            }
        }
    }

    @Test(arguments: ["{", "[1", "[1,", "{\"a\"", "\"abc", "\"\\u00", "\"\\ud83d\\", "tru", "-", "1e"])
    func `incomplete JSON is reported as broken at its end`(text: String) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output.filter { $0 != "\n" && $0 != " " } == text)
            #expect(brokenOffset == text.utf8.count)
        }
    }

    @Test(arguments: [")]}',\n", "for(;;);", "while(1);", "throw 1; ", "&&&", "\u{FEFF})]}'\n"])
    func `a prefix against JSON hijacking is preserved`(prefix: String) throws {
        for pieces in cuts(of: Array((prefix + "[1,2]").utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output == prefix.filter { $0 != "\u{FEFF}" } + "[\n    1,\n    2\n]")
            #expect(brokenOffset == nil)
        }
    }

    @Test func `a long text before JSON is not accepted as a prefix`() throws {
        let text = String(repeating: "x", count: 300) + "[1]"
        let (output, brokenOffset) = try shown([Array(text.utf8)], by: JSONFormatter())
        #expect(output == text)
        #expect(brokenOffset == 0)
    }

    @Test func `a byte order mark is removed, and an incomplete one is invalid`() throws {
        for pieces in cuts(of: [0xEF, 0xBB, 0xBF] + Array("[]".utf8)) {
            let (output, brokenOffset) = try shown(pieces, by: JSONFormatter())
            #expect(output == "[]")
            #expect(brokenOffset == nil)
        }
        for pieces in cuts(of: [0xEF, 0xBB]) {
            #expect(try shown(pieces, by: JSONFormatter()).brokenOffset != nil)
        }
    }

    @Test func `colors do not change the formatted text`() throws {
        let text = #"{"a":[1,-2.5,"x\n",true,null,{}],"b":{"c":""}} [1] "#
        let plain = try shown(text, by: JSONFormatter())
        let colored = try shown(text, by: JSONFormatter(palette: .standard))
        #expect(colored != plain)
        #expect(colored.withoutColors == plain)
        #expect(colored.contains("\u{1B}[1;34m\"a\"\u{1B}[0m: ["))
    }

    @Test func `colors end before invalid or missing JSON`() throws {
        #expect(try shown("[\"a\u{7}b", by: JSONFormatter(palette: .standard)) == "[\n    \u{1B}[32m\"a\u{1B}[0m\u{7}b")
        #expect(try shown("[1", by: JSONFormatter(palette: .standard)) == "[\n    \u{1B}[36m1\u{1B}[0m")
    }

    @Test func `colors without layout do not change any byte`() throws {
        let text = "\u{FEFF} {\"a\" : [ 1 , \"\\u00e9\\/\" ]\r\n}\n{ }\n"
        let formatter = JSONFormatter(layout: .asReceived, palette: .standard)
        for pieces in cuts(of: Array(text.utf8)) {
            #expect(try shown(pieces, by: formatter).text.withoutColors == text)
        }
    }

    @Test func `control characters in strings are escaped as JSON on a terminal`() throws {
        let text = "[\"a\u{9B}31m\u{202E}b\u{7F}é\"]"
        let expected = "[\n    \"a\\u009b31m\\u202eb\\u007fé\"\n]"
        for pieces in cuts(of: Array(text.utf8)) {
            #expect(try shown(pieces, by: JSONFormatter(isForTerminal: true)).text == expected)
        }
    }

    @Test func `output is written before the input is complete`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var formatter = JSONFormatter()
        let piece = Array(("[" + String(repeating: "123456,", count: 20_000)).utf8)
        try piece.withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(!output.bytes.isEmpty)
        #expect(buffer.count < 2 * OutputBuffer.drainSize)
    }

    @Test func `the indentation of deep nesting is limited`() throws {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        let text = try shown(deep, by: JSONFormatter())
        #expect(text.utf8.count < 500_000)
        #expect(text.filter { !" \n".contains($0) } == deep)
        #expect(text.hasPrefix("[\n    [\n        ["))
    }

    @Test func `containers are formatted up to the maximum depth, and deeper ones are invalid`() throws {
        let depth = ContainerStack.maximumDepth
        let formatter = JSONFormatter(layout: .indented(0))
        let deep =
            [UInt8](repeating: UInt8(ascii: "["), count: depth) + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        #expect(try shown([deep], by: formatter).brokenOffset == nil)
        let deeper = [UInt8](repeating: UInt8(ascii: "["), count: depth + 1)
        #expect(try shown([deeper], by: formatter).brokenOffset == depth)
    }

    @Test func `the stack of containers remembers each kind`() {
        var numbers = SeededNumbers(seed: 3)
        var stack = ContainerStack()
        let kinds = (0..<200).map { _ in Bool.random(using: &numbers) }
        for kind in kinds { stack.push(isObject: kind) }
        for kind in kinds.reversed() {
            #expect(stack.isInObject == kind)
            stack.pop()
        }
        #expect(stack.depth == 0)
        #expect(!stack.isInObject)
    }
}
