import Testing

@testable import AFCommand

@Suite struct JSONTextTests {
    @Test(arguments: [
        "1e400", "1.50", "-0", "123456789012345678901234567890", "0.10e+05", #""\u00e9\/""#, "true", "null",
        #"{"b":1,  "a":2,"b":3}"#, "[ ]", "{ }", "[1,[2,[3]]]", #"{"a":{"b":[{}]}}"#,
        "\"é\u{1F600}\"",
    ])
    func `valid JSON keeps its spelling`(text: String) throws {
        #expect(try JSONText(argument: text).text == text)
        #expect(try JSONText(argument: " \t\(text)\r\n").text == text)
    }

    @Test(arguments: [
        ("", "a JSON value", 1), ("abc", "a JSON value", 1), ("[1,]", "a JSON value", 4),
        ("01", "the end of the JSON text", 2),
        ("1 2", "the end of the JSON text", 3), ("-", "a digit", 2), ("1.", "a digit", 3), ("1e", "a digit", 3),
        ("\"a", "a closing '\"'", 3), ("[1 2]", "',' or ']'", 4), ("{\"a\" 1}", "':'", 6),
        ("{a:1}", "a name in double quotes", 2), ("{\"a\":1,}", "a name in double quotes", 8),
        ("\"\\x\"", "one of \"\\/bfnrtu after the backslash", 3),
        ("\"\\u12g4\"", "four hexadecimal digits after \\u", 6),
        ("\"a\nb\"", "an escape such as \\n in the place of a control character", 3), ("tru", "'true'", 4),
        ("[nul]", "'null'", 5),
        ("{", "a name in double quotes", 2), ("[", "a JSON value", 2), ("é]", "a JSON value", 1),
        ("\"é\"]", "the end of the JSON text", 4), ("NaN", "a JSON value", 1), ("[Infinity]", "a JSON value", 2),
        ("-Infinity", "a digit", 2),
    ])
    func `an error says what was expected and where`(text: String, expectation: String, position: Int) {
        let error = #expect(throws: UsageError.self) { try JSONText(argument: text) }
        #expect(error?.problem == "not JSON: expected \(expectation) at character \(position)")
    }

    @Test func `the place of an error is shown in a window of its line`() {
        let long = "[\n" + String(repeating: "1, ", count: 40) + "x, 2]"
        let error = #expect(throws: UsageError.self) { try JSONText(argument: long) }
        let lines = error?.excerpt?.lines ?? []
        #expect(lines.first?.hasSuffix("1, x, 2]") == true)
        #expect(lines.first?.count == 45)
        #expect(lines.last == String(repeating: " ", count: 40) + "^")
    }

    @Test func `nesting of any depth is walked`() throws {
        let deep = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(try JSONText(argument: deep).text == deep)
    }

    @Test func `strings are escaped only where they must be`() {
        #expect(
            JSONText.string("a\"b\\c/\u{8}\t\n\u{C}\r\u{1}é\u{7F}").text
                == "\"a\\\"b\\\\c/\\b\\t\\n\\f\\r\\u0001é\u{7F}\"")
    }

    @Test(arguments: [
        (#""a""#, "a"), (#""\"\\\/\b\t\n\f\r""#, "\"\\/\u{8}\t\n\u{C}\r"), (#""\u00e9\ud83d\ude00""#, "é\u{1F600}"),
        (#""\ud83d""#, "\u{FFFD}"),
    ])
    func `a spelled string has a meaning`(spelling: String, meaning: String) {
        #expect(JSONText.unquoted(spelling) == meaning)
    }

    @Test func `containers have the spacing of HTTPie`() {
        let value = JSONText.object([
            .init("a", .string("b")),
            .init("c", .array([.raw("2"), .object([]), .array([])])),
        ])
        #expect(value.text == #"{"a": "b", "c": [2, {}, []]}"#)
    }

    @Test func `a container as typed is taken apart by one level`() throws {
        let opened = try JSONText(argument: #"{"\u0061" : [1,  2] ,"a":{"b":1.0}}"#).opened
        #expect(
            opened
                == .object([
                    .init(spelling: #""\u0061""#, value: .raw("[1,  2]")),
                    .init("a", .raw(#"{"b":1.0}"#)),
                ]))
        #expect(JSONText.raw("[ ]").opened == .array([]))
        #expect(JSONText.raw("{}").opened == .object([]))
        #expect(JSONText.raw("1").opened == .raw("1"))
    }
}
