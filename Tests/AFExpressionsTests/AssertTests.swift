import AFHTTP
import Testing

@testable import AFExpressions
@testable import AFHurl

@Suite struct AssertTests {
    @Test(arguments: [
        "status == 200", "status != 201", "status > 199", "status >= 200", "status < 200.5", "status <= {{status}}",
        "status < 1e400", "status > -1e400", "status != 1e400", "status not > 1e400",
        "version == \"1.1\"", "url contains \"/a?\"", "duration == 42", "ip isIpv6", "bytes count > 10",
        "rawbytes == hex,1f8b;", "sha256 startsWith hex,02;", "md5 startsWith hex,05;", "redirects count == 1",
        "redirects nth 0 location == \"http://localhost/b\"", "header \"x-id\" == \"abc-123\"",
        "header \"X-No\" not exists",
        "header \"set-cookie\" count == 2", "header \"Set-Cookie\" isList",
        "cookie \"s\" == \"1\"", "cookie \"s[Max-Age]\" == 60", "cookie \"s[Secure]\" exists",
        "cookie \"s[HttpOnly]\" not exists",
        "cookie \"t\" == \"a=b\"", "cookie \"t[SameSite]\" == \"Lax\"", "cookie \"t[Domain]\" == \".example.org\"",
        "cookie \"s[Expires]\" isDate", "cookie \"s[expires]\" dateFormat \"%Y-%m-%d\" == \"2027-01-13\"",
        "cookie \"u\" not exists", "variable \"count\" == 3", "variable \"none\" not exists",
        "variable \"nothing\" exists",
        "body startsWith \"{\"", "body contains \"Ada\"", "body matches /\"id\": \\d+/", "body matches \"na.e\"",
        "regex /\"id\": (\\d+)/ == \"12\"", "regex \"x(y)\" not exists",
        "certificate \"Subject\" == \"CN = localhost\"",
        "certificate \"Issuer\" not exists", "certificate \"Expire-Date\" daysAfterNow == 179",
        "xpath \"count(//a)\" == 2", "xpath \"//a\" exists", "xpath \"//b\" not exists", "xpath \"//a\" count == 2",
        "xpath \"name()\" == \"xml\"", "body xpath \"name()\" == \"html\"", "xpath \"//a\" isObject",
        "xpath \"none\" not exists",
        "jsonpath \"$.id\" == 12", "jsonpath \"$.id\" == 12.0", "jsonpath \"$.price\" == 1.5",
        "jsonpath \"$.big\" isInteger",
        "jsonpath \"$.big\" == 12345678901234567890", "jsonpath \"$.big\" > 1", "jsonpath \"$.none\" == null",
        "jsonpath \"$.none\" exists", "jsonpath \"$.nothing\" not exists", "jsonpath \"$.ok\" == true",
        "jsonpath \"$.tags\" count == 3", "jsonpath \"$.tags\" contains \"b\"", "jsonpath \"$.tags\" includes \"b\"",
        "jsonpath \"$.tags[*]\" nth -1 == \"c\"", "jsonpath \"$.empty\" isEmpty", "jsonpath \"$.empty\" exists",
        "jsonpath \"$.tags[0]\" == \"a\"", "jsonpath \"$.nested\" isObject", "jsonpath \"$.nested\" not isEmpty",
        "jsonpath \"$.nested.a\" == {{one-two}}", "jsonpath \"$.name\" < \"Bob\"", "jsonpath \"$.name\" isString",
        "jsonpath \"$.price\" isFloat", "jsonpath \"$.price\" isNumber", "jsonpath \"$.id\" not isFloat",
        "jsonpath \"$.ok\" isBoolean",
        "jsonpath \"$.date\" isIsoDate", "jsonpath \"$.name\" not isIsoDate", "jsonpath \"$.date\" not isDate",
        "jsonpath \"$.address\" isIpv4", "jsonpath \"$.address\" not isIpv6", "jsonpath \"$.uuid\" isUuid",
        "jsonpath \"$.name\" not isUuid",
        "jsonpath \"$.date\" toDate \"%+\" < {{now}}", "jsonpath \"$.text\" jsonpath \"$.a[0]\" == 1",
        "bytes == file,body;",
        "jsonpath \"$.tags\" isCollection", "jsonpath \"$.name\" == `Ada`", "jsonpath \"$.name\" not == null",
    ])
    func `an assert holds`(line: String) throws {
        var evaluator = Evaluator.fixed
        evaluator.variables["status"] = .number(.integer(200))
        evaluator.variables["one-two"] = .list([.number(.integer(1)), .number(.float(2))])
        evaluator.variables["now"] = .date(evaluator.environment.now)
        var response = HurlResponseValues.json
        if line.contains("file,body") { response.body = [1, 2, 3] }
        let tested = line.replacing("file,body;", with: "file,data.bin;")
        #expect(try evaluator.failure(of: tested, in: response) == nil)
    }

    @Test(arguments: [
        ("status == 201", "integer <200>", "integer <201>", false),
        ("status != 200", "integer <200>", "not integer <200>", false),
        ("status not == 200", "integer <200>", "not integer <200>", false),
        ("status > 200", "integer <200>", "greater than integer <200>", false),
        ("status >= 201", "integer <200>", "greater or equal than integer <201>", false),
        ("status < 1", "integer <200>", "less than integer <1>", false),
        ("status <= 1", "integer <200>", "less or equal than integer <1>", false),
        ("status == \"200\"", "integer <200>", "string <200>", false),
        ("status > \"1\"", "integer <200>", "greater than string <1>", true),
        ("status not > \"1\"", "integer <200>", "not greater than string <1>", true),
        ("jsonpath \"$.name\" startsWith \"B\"", "string <Ada>", "starts with string <B>", false),
        ("jsonpath \"$.id\" startsWith \"1\"", "integer <12>", "starts with string <1>", true),
        ("jsonpath \"$.name\" endsWith \"B\"", "string <Ada>", "ends with string <B>", false),
        ("jsonpath \"$.name\" contains \"B\"", "string <Ada>", "contains string <B>", false),
        ("jsonpath \"$.tags\" contains \"d\"", "list <[a,b,c]>", "contains string <d>", false),
        ("jsonpath \"$.name\" matches /^B/", "string <Ada>", "matches regex <^B>", false),
        ("jsonpath \"$.id\" matches /1/", "integer <12>", "matches regex <1>", true),
        ("jsonpath \"$.x\" == 1", "none", "integer <1>", false),
        ("jsonpath \"$.x\" exists", "none", "something", false),
        ("jsonpath \"$.x\" > 1", "none", "greater than <integer <1>>", false),
        ("jsonpath \"$.x\" isEmpty", "none", "empty", false),
        ("jsonpath \"$.none\" not exists", "null", "not something", false),
        ("jsonpath \"$.tags\" isEmpty", "count equals to 3", "count equals to 0", false),
        ("jsonpath \"$.id\" isEmpty", "integer <12>", "count equals to 0", true),
        ("jsonpath \"$.name\" isInteger", "string <Ada>", "integer", false),
        ("jsonpath \"$.price\" isInteger", "float <1.5>", "integer", false),
        ("jsonpath \"$.name\" isIsoDate", "string <Ada>", "string with format YYYY-MM-DDTHH:mm:ss.sssZ", false),
        ("jsonpath \"$.id\" isIsoDate", "integer <12>", "string", true),
        ("jsonpath \"$.id\" not isUuid", "integer <12>", "not string", true),
        ("bytes startsWith hex,00ff;", "bytes <7b7d>", "starts with bytes <00ff>", false),
        ("jsonpath \"$.nested\" == 1", "object <{\"b\":1,\"a\":[1.0,2]}>", "integer <1>", false),
        ("cookie \"s[Secure]\" == true", "unit <Unit>", "boolean <true>", false),
        ("xpath \"//b\" exists", "nodeset <Nodeset(size=0)>", "something", false),
        ("variable \"day\" > 1", "date <1970-01-01 00:00:00 UTC>", "greater than integer <1>", true),
    ])
    func `a failure has the actual and the expected value`(
        line: String, actual: String, expected: String, isTypeMismatch: Bool
    ) throws {
        var response = HurlResponseValues.json
        if line.hasPrefix("bytes") { response.body = Array("{}".utf8) }
        let error = try Evaluator.fixed.failure(of: line, in: response)
        #expect(error?.kind == .failure(actual: actual, expected: expected, isTypeMismatch: isTypeMismatch))
        #expect(error?.range == SourceRange(line: 4))
    }

    @Test(
        arguments: [
            ("jsonpath \"$.a[\" == 1", .invalidJSONPath("$.a["), 10, 16),
            ("jsonpath \"{{none}}\" == 1", .undefinedVariable("none"), 13, 17),
            ("body == {{none}}", .undefinedVariable("none"), 11, 15),
            ("body == \"{{list}}\"", .unrenderable("list <[a,1]>"), 12, 16),
            ("body == file,no.txt;", .fileAccess("no.txt"), 14, 20),
            ("body == file,../secret;", .unauthorizedFile("../secret"), 14, 23),
            ("body matches \"(\"", .invalidRegex, 6, 17), ("regex \"(\" exists", .invalidRegex, 7, 10),
            ("xpath \"?\" exists", .invalidXPath, 7, 10),
            ("xpath \"library\" exists", .xPathUnavailable("XPath needs libxml2"), 1, 16),
            ("header \"No\" count == 1", .missingFilterInput, 13, 18),
            ("jsonpath \"$.x\" count == 1", .missingFilterInput, 16, 21),
            (
                "jsonpath \"$.tags\" nth {{name}} == 1",
                .invalidType(value: "string <Ada \"L.\">", expected: "integer"), 25, 29
            ),
        ] as [(String, HurlEvaluationError.Kind, Int, Int)])
    func `an error has its place`(line: String, kind: HurlEvaluationError.Kind, start: Int, end: Int) throws {
        let error = try Evaluator.fixed.failure(of: line, in: .json)
        #expect(error?.kind == kind)
        #expect(error?.range.start == SourcePosition(line: 4, column: start))
        #expect(error?.range.end == SourcePosition(line: 4, column: end))
    }

    @Test func `a body that is not JSON is an error of the query`() throws {
        let response = HurlResponseValues(status: 200, body: Array("<a>".utf8))
        #expect(try Evaluator.fixed.failure(of: "jsonpath \"$\" exists", in: response)?.kind == .invalidJSON)
        #expect(try Evaluator.fixed.failure(of: "body jsonpath \"$\" exists", in: response)?.kind == .invalidJSON)
    }

    @Test func `the charset of the type decodes the body`() throws {
        var response = HurlResponseValues(
            status: 200, headers: ["Content-Type": "text/plain; charset=latin1"], body: [0xE9, 0x80])
        #expect(try Evaluator.fixed.failure(of: "body == \"é€\"", in: response) == nil)
        response.headers["Content-Type"] = "text/plain"
        #expect(try Evaluator.fixed.failure(of: "body exists", in: response)?.kind == .bodyDecoding("utf-8"))
        response.headers["Content-Type"] = "text/plain; charset=nonsense"
        #expect(try Evaluator.fixed.failure(of: "body exists", in: response)?.kind == .bodyCharset("nonsense"))
        #expect(try Evaluator.fixed.failure(of: "bytes count == 2", in: response) == nil)
    }

    @Test func `without coercion a JSONPath query has a list`() throws {
        var evaluator = Evaluator.fixed
        evaluator.coercesJSONPath = false
        #expect(try evaluator.failure(of: "jsonpath \"$.id\" nth 0 == 12", in: .json) == nil)
        #expect(try evaluator.failure(of: "jsonpath \"$.x\" isEmpty", in: .json) == nil)
    }

    @Test func `a message shows the request, the line and the values`() throws {
        let content = "GET http://localhost/a\nHTTP 200\n[Asserts]\n\tjsonpath \"$.id\" > \"1\"\n"
        let file = try HurlFile(parsing: content)
        let excerpt = SourceExcerpt(content, filename: "a.hurl")
        let error = try Evaluator.fixed.failure(of: "jsonpath \"$.id\" > \"1\"", in: .json)
        #expect(
            error?.text(in: excerpt, entryLine: file.entries[0].request.range.start.line) == """
                Assert failure
                  --> a.hurl:4:0
                   |
                   | GET http://localhost/a
                   | ...
                 4 |     jsonpath "$.id" > "1"
                   |   actual:   integer <12>
                   |   expected: greater than string <1>
                   |   >>> types between actual and expected are not consistent
                   |
                """)
        let status = HurlEvaluationError(.status("404"), at: try #require(file.entries[0].response).statusRange)
        #expect(
            status.text(in: excerpt, entryLine: 1) == """
                Assert status code
                  --> a.hurl:2:6
                   |
                   | GET http://localhost/a
                 2 | HTTP 200
                   |      ^^^ actual value is <404>
                   |
                """)
    }
}
