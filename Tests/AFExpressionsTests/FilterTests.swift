import Testing

@testable import AFExpressions
@testable import AFHurl

@Suite struct FilterTests {
    @Test(arguments: [
        "header \"X-Id\" split \"-\" nth 1 toInt == 123", "header \"X-Id\" split \"-\" first == \"abc\"",
        "header \"X-Id\" split \"-\" last == \"123\"",
        "header \"X-Id\" split \"\" count == 9", "header \"X-Id\" split \"x\" count == 1",
        "header \"X-Id\" replace \"-\" \"+\" == \"abc+123\"",
        "header \"X-Id\" replaceRegex /\\d/ \"x\" == \"abc-xxx\"",
        "header \"X-Id\" replaceRegex \"([a-z]+)-(?P<n>\\\\d+)\" \"${n}_$1$$\" == \"123_abc$\"",
        "header \"X-Id\" regex /-(\\d+)/ == \"123\"", "header \"X-Id\" regex \"y(x)\" not exists",
        "header \"X-Id\" utf8Encode toHex == \"6162632d313233\"",
        "header \"X-Id\" utf8Encode base64Encode == \"YWJjLTEyMw==\"",
        "header \"X-Id\" utf8Encode base64UrlSafeEncode == \"YWJjLTEyMw\"",
        "header \"X-Id\" utf8Encode base64Encode base64Decode utf8Decode == \"abc-123\"",
        "header \"X-Id\" utf8Encode count == 7",
        "header \"X-Id\" utf8Encode base64UrlSafeEncode base64UrlSafeDecode utf8Decode == \"abc-123\"",
        "variable \"data\" utf8Decode == \"é\"", "variable \"latin\" utf8Decode == \"\\u{fffd}\"",
        "variable \"latin\" charsetDecode \"iso-8859-1\" == \"é€\"",
        "variable \"latin\" decode \"windows-1252\" == \"é€\"", "header \"Location\" urlQueryParam \"q\" == \"x y\"",
        "header \"Location\" urlQueryParam \"e\" == \"\"",
        "header \"Location\" urlQueryParam \"f\" not exists", "url urlQueryParam \"x\" == \"1 2\"",
        "url urlQueryParam \"y\" == \"é\"",
        "header \"Location\" urlEncode == \"http%3A//a/%3Fq%3Dx%2520y%26q%3Dz%26e\"",
        "header \"Location\" urlDecode == \"http://a/?q=x y&q=z&e\"",
        "variable \"html\" htmlUnescape == \"a < b &ABé¬it; € &nosuch; &\"",
        "variable \"name\" htmlEscape == \"Ada &quot;L.&quot;\"",
        "header \"X-Id\" replaceRegex /.+/ \"-1.5E+2\" toFloat == -150.0",
        "jsonpath \"$.price\" toInt == 1", "jsonpath \"$.id\" toFloat == 12.0", "jsonpath \"$.id\" toFloat isFloat",
        "jsonpath \"$.id\" toString == \"12\"",
        "variable \"rate\" toString == \"2.0\"", "jsonpath \"$.none\" toString == \"null\"",
        "variable \"day\" toString == \"1970-01-01T00:00:00.000000Z\"",
        "jsonpath \"$.tags\" first == \"a\"", "jsonpath \"$.tags\" last == \"c\"",
        "jsonpath \"$.tags\" nth -3 == \"a\"", "jsonpath \"$.tags[*]\" count == 3",
        "jsonpath \"$.date\" toDate \"%Y-%m-%dT%H:%M:%S%.fZ\" dateFormat \"%A %-d %B %H:%M\" == \"Saturday 31 January 08:05\"",
        "jsonpath \"$.date\" toDate \"%+\" daysBeforeNow == 135", "variable \"day\" daysBeforeNow == 20619",
        "variable \"day\" daysAfterNow == -20619",
        "cookie \"s[Expires]\" format \"%s\" == \"1799878981\"",
    ])
    func `a filter converts a value`(line: String) throws {
        #expect(try Evaluator.fixed.failure(of: line, in: .json) == nil)
    }

    @Test(
        arguments: [
            ("jsonpath \"$.id\" count == 1", .filterType(actual: "integer", expected: "list, bytes or nodeset"), 17),
            ("jsonpath \"$.name\" count == 1", .filterType(actual: "string", expected: "list, bytes or nodeset"), 19),
            ("jsonpath \"$.nested\" count == 1", .filterType(actual: "object", expected: "list, bytes or nodeset"), 21),
            ("jsonpath \"$.tags\" nth 3 == 1", .filterInput("out of bound - size is 3"), 19),
            ("jsonpath \"$.tags\" nth -4 == 1", .filterInput("out of bound - size is 3"), 19),
            ("jsonpath \"$.empty\" first == 1", .filterInput("out of bound - size is 0"), 20),
            ("jsonpath \"$.id\" first == 1", .filterType(actual: "integer", expected: "list"), 17),
            ("jsonpath \"$.name\" toInt == 1", .filterInput("string <Ada>"), 19),
            ("variable \"hex\" toFloat == 16.0", .filterInput("string <0x1p4>"), 16),
            ("variable \"hex\" replace \"0x1p4\" \"inf\" toFloat == 1", .filterInput("string <inf>"), 38),
            ("variable \"hex\" replace \"0x1p4\" \"nan\" toFloat == 1", .filterInput("string <nan>"), 38),
            ("variable \"hex\" replace \"0x1p4\" \"1e999\" toFloat == 1", .filterInput("string <1e999>"), 40),
            ("jsonpath \"$.ok\" toFloat == 1", .filterType(actual: "boolean", expected: "string or number"), 17),
            ("jsonpath \"$.name\" base64Decode == 1", .filterInput("string is not base64"), 19),
            ("jsonpath \"$.id\" base64Decode == 1", .filterType(actual: "integer", expected: "string"), 17),
            ("jsonpath \"$.name\" toHex == 1", .filterType(actual: "string", expected: "bytes"), 19),
            ("jsonpath \"$.tags\" toString == 1", .filterInput("list <[a,b,c]> can not be converted to a string"), 19),
            ("bytes charsetDecode \"x\" == 1", .filterEncoding("x"), 7),
            ("variable \"latin\" charsetDecode \"utf-8\" == 1", .filterDecoding("utf-8"), 18),
            ("jsonpath \"$.name\" toDate \"%Y\" exists", .filterDate("Ada", format: "%Y"), 19),
            ("jsonpath \"$.name\" toDate \"%Q\" exists", .filterFormat("%Q"), 19),
            ("variable \"day\" dateFormat \"%\" exists", .filterFormat("%"), 16),
            ("jsonpath \"$.name\" dateFormat \"%Y\" exists", .filterType(actual: "string", expected: "date"), 19),
            ("jsonpath \"$.id\" daysAfterNow == 1", .filterType(actual: "integer", expected: "date"), 17),
            ("jsonpath \"$.name\" location == 1", .filterType(actual: "string", expected: "response"), 19),
            ("jsonpath \"$.name\" jsonpath \"$\" == 1", .invalidJSON, 19),
            ("jsonpath \"$.id\" jsonpath \"$\" == 1", .filterType(actual: "integer", expected: "string"), 17),
            ("jsonpath \"$.id\" split \",\" count == 1", .filterType(actual: "integer", expected: "string"), 17),
            ("header \"X-Id\" regex \"z(y)\" toInt == 1", .missingFilterInput, 28),
            ("jsonpath \"$.id\" replaceRegex \"(\" \"\" == 1", .filterType(actual: "integer", expected: "string"), 17),
            ("jsonpath \"$.name\" replaceRegex \"(\" \"\" == 1", .invalidRegex, 32),
            ("variable \"bad\" urlDecode == 1", .filterInput("invalid UTF-8 stream"), 16),
        ] as [(String, HurlEvaluationError.Kind, Int)])
    func `a value of another type is an error of the filter`(
        line: String, kind: HurlEvaluationError.Kind, column: Int
    ) throws {
        var evaluator = Evaluator.fixed
        evaluator.variables["bad"] = .string("%ff")
        evaluator.variables["hex"] = .string("0x1p4")
        let error = try evaluator.failure(of: line, in: .json)
        #expect(error?.kind == kind)
        #expect(error?.range.start == SourcePosition(line: 4, column: column))
    }

    @Test func `a text is divided by bytes, not by characters`() {
        #expect("e\u{301}e".pieces(separatedBy: "e") == ["", "\u{301}", ""])
        #expect("aaa".pieces(separatedBy: "aa") == ["", "a"])
        #expect("\r\n".replacing("\n", byText: "") == "\r")
    }

    @Test(arguments: [
        ("&amp", "&"), ("&ampx", "&x"), ("&AMP;", "&"), ("&;", "&;"), ("&#;", "&#;"), ("&#x;", "&#x;"),
        ("&#0;", "\u{FFFD}"),
        ("&#xD800;", "\u{FFFD}"), ("&#99999999999;", "\u{FFFD}"), ("&#65", "A"), ("&#X1F600;", "😀"),
        ("&CounterClockwiseContourIntegral;", "∳"),
        ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&#129;", "\u{81}"), ("&&lt;", "&<"), ("&notin;", "∉"),
        ("&notin", "¬in"),
    ])
    func `a character reference is decoded as in HTML`(text: String, decoded: String) {
        #expect(text.htmlUnescaped == decoded)
    }
}
