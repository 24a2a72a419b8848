import Testing

@testable import AFCommand
@testable import AFJSON

@Suite struct JSONArgumentTests {
    @Test(arguments: [
        ("", "a JSON value", 1), ("abc", "a JSON value", 1), ("[1,]", "a JSON value", 4),
        ("01", "the end of the JSON text", 2),
        ("1 2", "the end of the JSON text", 3), ("-", "a digit", 2), ("1.", "a digit", 3), ("1e", "a digit", 3),
        ("\"a", "a closing '\"'", 3), ("[1 2]", "',' or ']'", 4), ("{\"a\" 1}", "':'", 6),
        ("{a:1}", "a name in double quotes or '}'", 2), ("{\"a\":1,}", "a name in double quotes", 8),
        ("\"\\x\"", "one of \"\\/bfnrtu after the backslash", 3),
        ("\"\\u12g4\"", "four hexadecimal digits after \\u", 6),
        ("\"a\nb\"", "an escape such as \\n in the place of a control character", 3), ("tru", "'true'", 4),
        ("[nul]", "a JSON value", 2), ("today", "a JSON value", 1),
        ("{", "a name in double quotes or '}'", 2), ("[", "a JSON value or ']'", 2), ("é]", "a JSON value", 1),
        ("\"é\"]", "the end of the JSON text", 4), ("NaN", "a JSON value", 1), ("[Infinity]", "a JSON value or ']'", 2),
        ("-Infinity", "a digit", 2),
    ])
    func `an error has the expected token and the position`(text: String, expectation: String, position: Int) {
        let error = #expect(throws: UsageError.self) { try JSONText(argument: text) }
        #expect(error?.problem == "not JSON: expected \(expectation) at character \(position)")
    }

    @Test func `the position of an error is shown in an excerpt of its line`() {
        let windows = #expect(throws: UsageError.self) { try JSONText(argument: "[\r\n1,\r\nx]") }
        #expect(windows?.excerpt?.lines == ["x]", "^"])
        let long = "[\n" + String(repeating: "1, ", count: 40) + "x, 2]"
        let error = #expect(throws: UsageError.self) { try JSONText(argument: long) }
        let lines = error?.excerpt?.lines ?? []
        #expect(lines.first?.hasSuffix("1, x, 2]") == true)
        #expect(lines.first?.count == 45)
        #expect(lines.last == String(repeating: " ", count: 40) + "^")
    }
}
