import Testing

@testable import AFCommand
@testable import AFJSON

@Suite struct JSONPathTests {
    private static let document = """
        {"a": {"b": [10, {"c": "x"}], "b.c": 1, "0": 2}, "": 3, "n": null, "a[0]": 4, "twice": 1, "twice": 2, "é": 5}
        """

    private func value(at path: String, in document: String = JSONPathTests.document) throws -> String {
        var cursor = try JSONCursor(Array(document.utf8))
        if let reason = try JSONPath(path).find(in: &cursor) { return "missing: \(reason)" }
        return cursor.valueText
    }

    @Test(arguments: [
        ("a[b][0]", "10"), ("a.b[0]", "10"), ("a.b.0", "10"), (".a.b[1].c", "\"x\""), ("a[b][1][c]", "\"x\""),
        ("a[b.c]", "1"), (#"a.b\.c"#, "1"), (#"a.\0"#, "2"), (#"a[\0]"#, "2"), ("n", "null"), ("twice", "2"),
        ("é", "5"),
        (#"a\[0\]"#, "4"), ("[a][b].0", "10"), ("", JSONPathTests.document), (".", JSONPathTests.document),
    ])
    func `brackets and dots are equivalent`(path: String, found: String) throws {
        #expect(try value(at: path) == found)
    }

    @Test(arguments: [
        ("a.x", "'a' has no 'x'"), ("x.y", "the body has no 'x'"), ("a.b[2]", "'a.b' has 2 elements"),
        ("a[0]", "'a' is of type object"), ("n.x", "'n' is of type null"), ("a.b.c", "'a.b' is of type array"),
        ("a.b[1].c.d", "'a.b[1].c' is of type string"),
    ])
    func `a missing value is reported with the existing part of the path`(path: String, reason: String) throws {
        #expect(try value(at: path) == "missing: \(reason)")
    }

    @Test func `a document may be an array, a scalar or deeply nested`() throws {
        #expect(try value(at: "[1].a", in: "[0, {\"a\": true}]") == "true")
        #expect(try value(at: "[0]", in: "[]") == "missing: the body has 0 elements")
        #expect(try value(at: "", in: " 7 ") == "7")
        let depth = 200_000
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try value(at: "[0][0]", in: deep).count == 2 * (depth - 2))
        #expect(try value(at: "", in: "\u{FEFF}{}") == "{}")
    }

    @Test(arguments: ["a.", "a.[0]", "a[", "a]", "a[]", "a[-0]", "a[b]c", "a[*]", "a[0:2]", "a..b"])
    func `an invalid path is a usage error`(path: String) {
        #expect(throws: UsageError.self) { try JSONPath(path) }
    }
}

@Suite struct JSONValueTests {
    @Test(arguments: [
        ("1", "1.0"), ("1", "10e-1"), ("100", "1E+2"), ("0", "-0.00e7"), ("0.5", "5e-1"), ("-12.30", "-123e-1"),
        ("123456789012345678901234567890", "123456789012345678901234567890.0"), (#""\u0041\/""#, #""A/""#),
        (#"{"a": 1, "b": [true, null]}"#, #"{"b":[true,null],"a":1.0}"#), (#"{"a": 1, "a": 2}"#, #"{"a": 2}"#),
        (#""\ud83d\ude00""#, "\"😀\""), ("[]", " [ ] "),
    ])
    func `values in different notations are equal`(left: String, right: String) throws {
        #expect(try #require(JSONValue(left)) == #require(JSONValue(right)))
    }

    @Test(arguments: [
        ("1", "1.0000000000000000001"), ("1", "-1"), ("1", "\"1\""), ("1", "true"), ("null", "0"), ("[1]", "[1, 1]"),
        ("123456789012345678901234567890", "123456789012345678901234567891"), (#""a""#, #""A""#), ("{}", "[]"),
        (#"{"a": 1}"#, #"{"a": 1, "b": 1}"#), ("[1, 2]", "[2, 1]"), ("1e5", "1e6"), (#""\ud800""#, #""\ud801""#),
    ])
    func `different values are not equal`(left: String, right: String) throws {
        #expect(try #require(JSONValue(left)) != #require(JSONValue(right)))
    }

    @Test(arguments: [
        (#"{"a":[1,{"b":null}],"c":"x"}"#, #" { "c" : "\u0078", "a" : [1.0, {"b":null} ] }"#, true),
        (#"{"a":1}"#, #"{"a":2,"a":1}"#, true), (#"{"a":1}"#, #"{"a":1,"a":2}"#, false),
        (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), (#"{"a":1,"b":2}"#, #"{"a":1}"#, false), ("{}", "{}", true),
        ("[1,2]", "[1,2,3]", false), ("[1,2]", "[1]", false), ("[]", "[]", true), ("[]", "{}", false),
        ("[[],[1]]", "[[],[1]]", true), ("1", "[1]", false), (#""1""#, "1", false), ("null", "null", true),
    ])
    func `a value is found at its position in a longer text`(wanted: String, text: String, isFound: Bool) throws {
        let value = try #require(JSONValue(wanted))
        var cursor = try JSONCursor(Array(#"[0,\#(text),0]"#.utf8))
        let hasElement = cursor.enterElement(1)
        #expect(hasElement)
        #expect(value.isFound(at: cursor) == isFound)
    }

    @Test func `an invalid JSON value cannot be compared`() {
        for depth in [512, 513] {
            let nested = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
            #expect((JSONValue(nested) == nil) == (depth > JSONCursor.maximumDepthOfValues))
        }
        #expect(JSONValue("1e9999999999999999999") == nil)
        #expect(JSONValue("nul") == nil)
    }
}
