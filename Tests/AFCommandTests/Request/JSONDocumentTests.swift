import Testing

@testable import AFCommand
@testable import AFJSON

@Suite struct JSONDocumentTests {
    /// `key=string` and `key:=json`, in order.
    private func document(_ items: [String]) throws -> String? {
        var document = JSONDocument()
        for item in items {
            let item = try RequestItem(item)
            try document.set(
                item.name, to: item.separator == .json ? JSONText(argument: item.value) : .string(item.value))
        }
        return document.text
    }

    @Test(arguments: [
        (["a=b", "c:=2"], #"{"a": "b", "c": 2}"#),
        (["c=1", "a=2", "c=3"], #"{"c": "3", "a": "2"}"#),
        (["a[b]=1", "a[c]=2"], #"{"a": {"b": "1", "c": "2"}}"#),
        (["a[]:=1", "a[]:=2"], #"{"a": [1, 2]}"#),
        (["a[2]:=1"], #"{"a": [null, null, 1]}"#),
        (["a[1][b]:=1", "a[0]:=2"], #"{"a": [2, {"b": 1}]}"#),
        (["key[][]:=2", "key[][]:=2"], #"{"key": [[2], [2]]}"#),
        (["[]:=1", "[]:=2"], "[1, 2]"),
        (["[0][a]=b", "[1]:=null"], #"[{"a": "b"}, null]"#),
        (["=x"], #"{"": "x"}"#), ([":=1"], #"{"": 1}"#),
        (["1=x", "007=y"], #"{"1": "x", "007": "y"}"#),
        ([#"a[\1]=x"#], #"{"a": {"1": "x"}}"#), ([#"\1=x"#], #"{"1": "x"}"#),
        ([#"a\[b\]=x"#], #"{"a[b]": "x"}"#), ([#"a[b\]c]=x"#], #"{"a": {"b]c": "x"}}"#),
        ([#"a\\b=x"#], #"{"a\\b": "x"}"#), ([#"a\b=x"#], #"{"a\\b": "x"}"#),
        (["foo:=[1]", "foo[]:=2"], #"{"foo": [1, 2]}"#),
        ([#"foo:={"x":  1.50,"y":[ ]}"#, "foo[z]=1"], #"{"foo": {"x": 1.50, "y": [ ], "z": "1"}}"#),
        ([#"foo:={"x":  1.50}"#], #"{"foo": {"x":  1.50}}"#),
        (["a[b]:=null", "a[b][c]=1", "a[d]=2"], #"{"a": {"b": {"c": "1"}, "d": "2"}}"#),
        (["a[]:=null", "a[0][b]=1"], #"{"a": [{"b": "1"}]}"#),
        (["a[b]=1", "a=2"], #"{"a": "2"}"#),
        (["é[ü]=ß"], #"{"é": {"ü": "ß"}}"#),
    ])
    func `keys create a document`(items: [String], text: String) throws {
        #expect(try document(items) == text)
    }

    @Test func `no items create no document`() throws {
        #expect(try document([]) == nil)
    }

    @Test(arguments: [
        (["a[=1"], "syntax error in a JSON key: expected a key, an index or ']'", "a[", "  ^"),
        (["a[b=1"], "syntax error in a JSON key: expected ']'", "a[b", "   ^"),
        (["a]=1"], "syntax error in a JSON key: expected '['", "a]", " ^"),
        (["]a=1"], "syntax error in a JSON key: expected a key, an index or '['", "]a", "^"),
        (["a[b]c=1"], "syntax error in a JSON key: expected '['", "a[b]c", "    ^"),
        (["a[b][cde=1"], "syntax error in a JSON key: expected ']'", "a[b][cde", "        ^"),
        (["[x]=1"], "syntax error in a JSON key: expected an index or ']'", "[x]", " ^"),
        (["a[[b]]=1"], "syntax error in a JSON key: expected a key, an index or ']'", "a[[b]]", "  ^"),
        (["a[-10]=1"], "value error in a JSON key: negative indexes are not supported", "a[-10]", "  ^^^"),
        (
            ["a[99999999999999999999]=1"], "value error in a JSON key: the maximum index is 999999",
            "a[99999999999999999999]", "  ^^^^^^^^^^^^^^^^^^^^"
        ),
        (
            ["a=1", "a[b]=2"], "type error in a JSON key: 'a' is of type string, but key access requires an object",
            "a[b]", " ^^^"
        ),
        (
            ["a[b]:=1", "a[b][]=2"],
            "type error in a JSON key: 'a[b]' is of type number, but append access requires an array", "a[b][]",
            "    ^^"
        ),
        (
            ["a[]=1", "a[x]=2"], "type error in a JSON key: 'a' is of type array, but key access requires an object",
            "a[x]", " ^^^"
        ),
        (
            ["a:=true", "a[10]=2"],
            "type error in a JSON key: 'a' is of type boolean, but index access requires an array", "a[10]", " ^^^^"
        ),
        (
            ["[]=1", "a=2"],
            "type error in a JSON key: the top level is of type array, but key access requires an object", "a", "^"
        ),
        (
            ["a=1", "[0]=2"],
            "type error in a JSON key: the top level is of type object, but index access requires an array", "[0]",
            "^^^"
        ),
    ])
    func `an error points at the invalid part of the key`(
        items: [String], problem: String, key: String, carets: String
    ) {
        let error = #expect(throws: UsageError.self) { try document(items) }
        #expect(error?.problem == problem)
        #expect(error?.excerpt?.lines == [key, carets])
    }

    @Test func `the nesting of a key is limited`() {
        let deep = "a" + String(repeating: "[b]", count: 600)
        #expect(throws: UsageError.self) { try JSONKey(deep) }
    }
}
