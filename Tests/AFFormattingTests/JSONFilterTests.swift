import Testing

@testable import AFFormatting
@testable import AFJSON

@Suite(.timeLimit(.minutes(2))) struct JSONFilterTests {
    /// Returns the output in any division into two chunks, and byte by byte; all must be equal.
    private func filtered(
        _ text: String,
        _ paths: [[JSONFilter.Step]],
        _ presentation: BodyPresentation = BodyPresentation(),
        isRaw: Bool = false
    ) throws -> (text: String, filter: JSONFilter) {
        let filter = presentation.filter(paths, isRaw: isRaw, endsLines: true)
        let whole = try run([Array(text.utf8)], filter)
        for pieces in cuts(of: Array(text.utf8)) {
            let other = try run(pieces, filter)
            #expect(other.text == whole.text, "\(text) in \(pieces.map(\.count))")
            #expect(other.filter.problem == whole.filter.problem, "\(text) in \(pieces.map(\.count))")
            #expect(other.filter.matchCount == whole.filter.matchCount, "\(text) in \(pieces.map(\.count))")
        }
        return whole
    }

    private func run(_ pieces: [[UInt8]], _ filter: JSONFilter) throws -> (text: String, filter: JSONFilter) {
        let output = MemoryOutput()
        var filter = filter
        var buffer = OutputBuffer(output)
        for piece in pieces {
            // A copy of each chunk: nothing may point into an earlier one.
            let copy = Array(piece)
            try copy.withUnsafeBufferPointer { bytes throws(OutputFailure) in
                try filter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
            }
        }
        try filter.finish(into: &buffer)
        try buffer.flush()
        return (output.text, filter)
    }

    /// Returns a path: `*` is each element, `1:3` a range of them, `^a` the members `a` at any depth, `_` an empty name.
    private static func path(_ notation: String) -> [JSONFilter.Step] {
        notation.split(separator: " ").map { word -> JSONFilter.Step in
            if word == "*" { return .all }
            if word == "_" { return .member([]) }
            if word.hasPrefix("^") { return .descendants(Array(word.dropFirst().utf8)) }
            let bounds = word.split(separator: ":").compactMap { Int($0) }
            return bounds.count == 2 ? .elements(bounds[0]..<bounds[1]) : .member(Array(word.utf8))
        }
    }

    private static let cases: [(String, String, String)] = [
        (#"[{"name":"a"},{"name":"b","x":{"name":1}},{"y":2},3,"name"]"#, "* name", "\"a\"\n\"b\"\n"),
        (#"{"a":{"b":[10,20,30]}}"#, "a b 1:2", "20\n"), (#"{"a":{"b":[10,20,30]}}"#, "a b 1:9", "20\n30\n"),
        (#"[0,[1,[2,[3]]]]"#, "1:2 1:2", "[2,[3]]\n"), (#"{"a":1,"a":2}"#, "a", "1\n2\n"),
        (#"{"":{"":0}}"#, "_ _", "0\n"), (#"{"\u0061":1,"\u00e4":2,"b\"\\":3}"#, "a", "1\n"),
        (#"{"\u0061":1,"\u00e4":2,"b\"\\":3}"#, "ä", "2\n"),
        (#"{"\u0061":1,"\u00e4":2,"b\"\\":3}"#, "b\"\\", "3\n"), (#"{"\ud83d\ude00":1}"#, "😀", "1\n"),
        ("[1e400,-0.0,100000000000000000000,0.10]", "*", "1e400\n-0.0\n100000000000000000000\n0.10\n"),
        (#"["\ud800","\u00e9\n"]"#, "*", "\"\\ud800\"\n\"\\u00e9\\n\"\n"),
        ("{\"a\": 1,\n \"b\": [ 1 , { \"c\" : \" \" } ] }", "b", "[1,{\"c\":\" \"}]\n"),
        ("[true,false,null,[],{}]", "*", "true\nfalse\nnull\n[]\n{}\n"), ("\u{FEFF}[1]", "*", "1\n"),
        ("  17 ", "", "17\n"), ("null", "", "null\n"), (#""x""#, "", "\"x\"\n"), ("17", "", "17\n"),
        ("{\"a\":1}\n{\"a\":2}\n\n{\"b\":3}", "a", "1\n2\n"), ("1 2\n3", "", "1\n2\n3\n"),
        ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", "a", "1\n2\n"), ("\u{1E}1\n\u{1E}2\n\u{1E}", "", "1\n2\n"),
        (")]}',\n[1]", "*", "1\n"), (")]}'[1]", "*", "1\n"), ("\u{FEFF})]}',{\"a\":1}", "a", "1\n"),
        ("", "", ""), (" \n", "*", ""), ("1", "*", ""), (#"{"a":{"b":1},"c":[2]}"#, "*", "{\"b\":1}\n[2]\n"),
        (#"{"a":[{"n":1},[{"n":2}]],"n":3}"#, "^n", "1\n2\n3\n"),
        (#"{"n":{"n":{"n":[1]}},"x":{"n":7}}"#, "^n", "{\"n\":{\"n\":[1]}}\n{\"n\":[1]}\n[1]\n7\n"),
        (#"{"n":[{"n":1},{"n":2},3]}"#, "^n", "[{\"n\":1},{\"n\":2},3]\n1\n2\n"),
        (#"{"a":{"n":{"b":1}},"n":{"n":{"b":2}}}"#, "^n b", "1\n2\n"),
    ]

    @Test(arguments: cases)
    func `selected values are written in order, for any division into chunks`(
        text: String, path: String, expected: String
    ) throws {
        let result = try filtered(text, [Self.path(path)])
        #expect(result.text == expected)
        #expect(result.filter.problem == nil)
    }

    @Test func `several paths select each value once, in the order of the body`() throws {
        let paths = ["b", "a", "*", "a x"].map(Self.path)
        #expect(try filtered(#"{"a":{"x":1},"b":2,"c":3}"#, paths).text == "{\"x\":1}\n1\n2\n3\n")
        #expect(try filtered("[1,[2]]", [[], [.all]]).text == "[1,[2]]\n1\n[2]\n")
    }

    private static let flaws: [(String, String, Int, Bool)] = [
        ("[1,2", "',' or ']'", 4, true), ("[1,]", "a JSON value", 3, false),
        ("[12x]", "',' or ']'", 3, false),
        ("[1.]", "a digit", 3, false), ("[nullx]", "',' or ']'", 5, false), ("[tru]", "a JSON value", 1, false),
        ("{\"a\" 1}", "':'", 5, false), ("{a:1}", "a name in double quotes or '}'", 1, false),
        ("{\"a\":1,}", "a name in double quotes", 7, false), ("[1}", "',' or ']'", 2, false),
        ("<html>", "a JSON value", 0, false), ("[\"\\x\"]", "one of \"\\/bfnrtu after the backslash", 3, false),
        ("[\"\\u00g0\"]", "four hexadecimal digits after \\u", 6, false), ("[\"a", "a closing '\"'", 3, true),
        ("[\"\t\"]", "an escape such as \\n in the place of a control character", 2, false),
        ("[1] x", "a JSON value", 4, false), ("1x", "white space", 1, false), ("-", "a digit", 1, true),
        ("tru", "'true'", 3, true), ("[1]]", "a JSON value", 3, false), ("\u{FEFF}x", "a JSON value", 3, false),
        ("{\"a\":today}", "a JSON value", 5, false), (")]x", "a JSON value", 0, false),
        (")]}", "a JSON value", 3, true),
    ]

    @Test(arguments: flaws)
    func `the first invalid JSON byte is reported`(text: String, expectation: String, offset: Int, isAtEnd: Bool) throws
    {
        let result = try filtered(text, [Self.path("* a")])
        #expect(
            result.filter.problem
                == .invalid(JSONSyntaxError(expectation: expectation, offset: offset, isAtEnd: isAtEnd)))
        #expect(result.text == "")
    }

    @Test(arguments: [
        ("[12x]", ""), ("[1,2x]", "1\n"), ("[truex]", ""), ("[\"abc", ""), ("[\"abc\" x", "\"abc\"\n"),
        ("[[1,2", "[1,2"),
        ("[1", ""), ("[-", ""),
    ])
    func `an unfinished value never looks complete`(text: String, expected: String) throws {
        for isRaw in [false, true] {
            let result = try filtered(text, [[.all]], isRaw: isRaw)
            #expect(result.text == (isRaw ? expected.filter { $0 != "\"" } : expected))
        }
    }

    @Test func `raw strings have neither quotes nor escapes`() throws {
        let text = #"["a","\u00e9\n\"","\ud800",{"b":"c"},1,""]"#
        #expect(try filtered(text, [[.all]], isRaw: true).text == "a\né\n\"\n\u{FFFD}\n{\"b\":\"c\"}\n1\n\n")
        let terminal = BodyPresentation(isForTerminal: true)
        #expect(try filtered(#"["\u001b[2J\u202e"]"#, [[.all]], terminal, isRaw: true).text == "\\x1b[2J\\u202e\n")
    }

    @Test func `matches are formatted and colored like bodies`() throws {
        let text = #"[{"b":[1],"a":"\u00e9"},2]"#
        var presentation = BodyPresentation(isFormatted: true)
        presentation.indent = 2
        #expect(
            try filtered(text, [[.all]], presentation).text
                == "{\n  \"b\": [\n    1\n  ],\n  \"a\": \"é\"\n}\n2\n")
        presentation.isSorted = true
        #expect(
            try filtered(text, [[.all]], presentation).text
                == "{\n  \"a\": \"é\",\n  \"b\": [\n    1\n  ]\n}\n2\n")
        let colors = BodyPresentation(palette: .standard, isForTerminal: true)
        let output = try filtered(text, [[.all]], colors).text
        #expect(output.contains("\u{1B}["))
        #expect(output.split(separator: "\n").count == 2)
    }

    @Test func `a long scalar in several chunks is written completely`() throws {
        let long = String(repeating: "a\\n", count: 100_000)
        let filter = BodyPresentation().filter([[.all]], isRaw: false, endsLines: true)
        let pieces = ["[\"\(long)", "\(long)", "\",1]"].map { Array($0.utf8) }
        #expect(try run(pieces, filter).text == "\"\(long)\(long)\"\n1\n")
        let raw = BodyPresentation().filter([[.all]], isRaw: true, endsLines: true)
        let lines = long.replacing("\\n", with: "\n")
        #expect(try run(pieces, raw).text == "\(lines)\(lines)\n1\n")
    }

    @Test func `nested matches are limited in size and depth`() throws {
        var presentation = BodyPresentation()
        presentation.holdingLimit = 50_000
        let path: [JSONFilter.Step] = [.descendants(Array("a".utf8))]
        let filter = presentation.filter([path], isRaw: false, endsLines: true)
        let large = #"{"a":[{"a":"\#(String(repeating: "x", count: 100_000))"}]}"#
        #expect(try run([Array(large.utf8)], filter).filter.problem == .tooLarge(limit: 50_000))
        let deep = String(repeating: #"{"a":"#, count: 257) + "1" + String(repeating: "}", count: 257)
        #expect(try run([Array(deep.utf8)], filter).filter.problem == .tooNested)
        let allowed = String(deep.dropFirst(5).dropLast())
        let result = try run([Array(allowed.utf8)], filter)
        #expect(result.filter.problem == nil)
        #expect(result.filter.matchCount == 256)
    }

    @Test func `a million levels of nesting are accepted, and one more is an error`() throws {
        let depth = 1 << 20
        let text = Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
        let filter = BodyPresentation().filter([[.descendants([0x61])]], isRaw: false, endsLines: true)
        #expect(try run([text], filter).filter.problem == nil)
        let tooDeep = try run([[UInt8(ascii: "[")] + text], filter).filter.problem
        let error = JSONSyntaxError(expectation: "less nesting", offset: depth, isAtEnd: false)
        #expect(tooDeep == .invalid(error))
    }

    @Test func `without endsLines matches are only separated by line feeds`() throws {
        let filter = BodyPresentation().filter([[.all]], isRaw: false, endsLines: false)
        #expect(try run([Array("[1,[2],3]".utf8)], filter).text == "1\n[2]\n3")
    }

    @Test func `a name longer than those in the paths matches only the wildcard`() throws {
        let name = String(repeating: "\\u0061", count: 50_000)
        let filter = BodyPresentation().filter(["aa", "* *"].map(Self.path), isRaw: false, endsLines: true)
        let text = "{\"\(name)\":[1],\"\\u0061\\u0061\":2,\"aa\":3}"
        #expect(try run(text.utf8.map { [$0] }, filter).text == "1\n2\n3\n")
    }
}
