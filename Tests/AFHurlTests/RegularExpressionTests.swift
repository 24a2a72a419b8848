import Testing

@testable import AFHurl

@Suite struct RegularExpressionTests {
    private func match(_ expression: String, _ text: String) throws -> [String?]? {
        let bytes = Array(text.utf8)
        return try RegularExpression(expression).match(in: bytes)?
            .map { range in range.map { String(decoding: bytes[$0], as: UTF8.self) } }
    }

    @Test(
        arguments: [
            ("a(b+)", "xabbc", ["abb", "bb"]), ("a|(b)", "a", ["a", nil]),
            ("(?<year>\\d{4})", "in 2026", ["2026", "2026"]),
            ("^$", "", [""]), ("\\w+", "-größe-", ["größe"]), ("\\d", "٣", ["٣"]), ("a\\sb", "a\u{A0}b", ["a\u{A0}b"]),
            ("\\W", "é!", ["!"]), ("[\\w-]+", "a-é", ["a-é"]), ("[^\\d]+", "1a2", ["a"]),
            ("\\u{e9}\\u00E9", "éé", ["éé"]),
            ("[]a]+", "]a", ["]a"]), ("[^]]+", "a]", ["a"]), ("[[:digit:]a]+", "12a", ["12a"]), ("(?i)É", "é", ["é"]),
            ("\\bfoo\\b", "a foo", ["foo"]), ("[\\[\\]]+", "[]", ["[]"]), ("\\.", "a.", ["."]),
            ("\\pL+", "1ab", ["ab"]), ("a[\\s\\S]*b", "xa\né b", ["a\né b"]), ("[\\S]+", " é- ", ["é-"]),
            ("[^\\S\n]+", "a\n \t\n", [" \t"]), ("[\\D]+", "1é-2", ["é-"]), ("[\\W_]+", "é_- a", ["_- "]),
            ("[^\\W_]+", "-é1_", ["é1"]), ("[\\d\\D]+", "1a", ["1a"]),
        ] as [(String, String, [String?])])
    func `an expression finds a match with its groups`(expression: String, text: String, groups: [String?]) throws {
        #expect(try match(expression, text) == groups)
    }

    @Test(arguments: [("a$", "a\n"), ("^b", "a\nb"), ("\\S", " \u{3000}"), ("\\D", "1٣")])
    func `an expression has no match`(expression: String, text: String) throws {
        #expect(try match(expression, text) == nil)
    }

    @Test(arguments: [
        "a(?=b)", "(?<!a)b", "(a)\\1", "a(", "[a&&b]", "[a--b]", "[a[b]]", "(?x)a", "\\p{No}\\", "a{1001}",
        "\\u{zz}",
    ])
    func `an expression that RE2 does not support is an error`(expression: String) {
        #expect(RegularExpression.problem(expression) != nil)
    }

    @Test func `matches are replaced as in Rust`() throws {
        func replaced(_ expression: String, _ text: String) throws -> String {
            let result = try RegularExpression(expression).replaceMatches(in: Array(text.utf8)) { _ in
                [UInt8(ascii: "-")]
            }
            return String(decoding: result, as: UTF8.self)
        }
        #expect(try replaced("b+", "abbcb") == "a-c-")
        #expect(try replaced("", "aé") == "-a-é-")
        #expect(try replaced("a*", "baac") == "-b-c-")
        #expect(try replaced("x", "abc") == "abc")
        #expect(try replaced("^a", "aaa") == "-aa")
        #expect(try replaced("a", "") == "")
        #expect(try replaced("$", "a") == "a-")
    }

    @Test func `a search of a long text takes linear time`() throws {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
        #expect(try RegularExpression("(a*)*b").match(in: text) == nil)
    }
}
