import Testing

@testable import AFJSON

@Suite struct JSONTextTests {
    @Test(arguments: [
        "1e400", "1.50", "-0", "123456789012345678901234567890", "0.10e+05", #""\u00e9\/""#, "true", "null",
        #"{"b":1,  "a":2,"b":3}"#, "[ ]", "{ }", "[1,[2,[3]]]", #"{"a":{"b":[{}]}}"#,
        "\"é\u{1F600}\"",
    ])
    func `valid JSON keeps its notation`(text: String) throws {
        #expect(try JSONText(text).text == text)
        #expect(try JSONText(" \t\(text)\r\n").text == text)
    }

    @Test func `nesting of any depth is traversed`() throws {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(try JSONText(deep).text == deep)
    }

    @Test func `strings are escaped only where required`() {
        #expect(
            JSONText.string("a\"b\\c/\u{8}\t\n\u{C}\r\u{1}é\u{7F}").text
                == "\"a\\\"b\\\\c/\\b\\t\\n\\f\\r\\u0001é\u{7F}\"")
    }

    @Test(arguments: [
        (#""a""#, "a"), (#""\"\\\/\b\t\n\f\r""#, "\"\\/\u{8}\t\n\u{C}\r"), (#""\u00e9\ud83d\ude00""#, "é\u{1F600}"),
        (#""\ud83d""#, "\u{FFFD}"),
    ])
    func `a JSON string is decoded`(spelling: String, meaning: String) {
        #expect(JSONText.unquoted(spelling) == meaning)
    }

    @Test func `containers have the spacing of HTTPie`() {
        let value = JSONText.object([
            .init("a", .string("b")),
            .init("c", .array([.raw("2"), .object([]), .array([])])),
        ])
        #expect(value.text == #"{"a": "b", "c": [2, {}, []]}"#)
    }

    @Test func `a container is split by one level`() throws {
        let opened = try JSONText(#"{"\u0061" : [1,  2] ,"a":{"b":1.0}}"#).opened
        #expect(
            opened
                == .object([
                    .init(rawName: #""\u0061""#, value: .raw("[1,  2]")),
                    .init("a", .raw(#"{"b":1.0}"#)),
                ]))
        #expect(JSONText.raw("[ ]").opened == .array([]))
        #expect(JSONText.raw("{}").opened == .object([]))
        #expect(JSONText.raw("1").opened == .raw("1"))
    }

    @Test(arguments: ["1 2", "{}]", "\"a\"b", "[1],", "null\n1"])
    func `a value followed by text is not JSON`(text: String) {
        #expect(JSONValue(text) == nil)
    }
}
