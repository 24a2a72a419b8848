import AFHTTP
import Testing

@testable import AFExpressions
@testable import AFHurl

@Suite struct ResponseTests {
    private func failures(_ expected: String, in response: HurlResponseValues) throws -> [HurlEvaluationError.Kind] {
        let file = try HurlFile(parsing: "GET http://localhost\n\(expected)\n")
        let values = HurlResponse.Values(response)
        let expectedResponse = try #require(file.entries.first?.response)
        let evaluator = Evaluator.fixed
        return
            (evaluator.statusFailures(of: expectedResponse, in: values)
            + evaluator.failures(of: expectedResponse, in: values)).map(\.kind)
    }

    @Test(arguments: [
        "HTTP 200", "HTTP/1.1 200", "HTTP *", "HTTP/1.1 *", "HTTP 200\nX-Id: abc-123",
        "HTTP 200\nset-cookie: t=a=b; HttpOnly; SameSite=Lax; Domain=.example.org",
    ])
    func `a response meets the expectation`(expected: String) throws {
        #expect(try failures(expected, in: .json).isEmpty)
    }

    @Test(
        arguments: [
            ("HTTP 404", [.status("200")]), ("HTTP/2 404", [.version("HTTP/1.1"), .status("200")]),
            ("HTTP 99999999999999999999", []),
            ("HTTP 200\nX-Id: abc", [.headerValue("abc-123")]), ("HTTP 200\nX-No: a", [.headerNotFound]),
            ("HTTP 200\nX-Id: {{none}}", [.undefinedVariable("none")]),
            (
                "HTTP 200\nX-No: a\n[Asserts]\nstatus == 1\nbody == {{none}}",
                [
                    .headerNotFound, .failure(actual: "integer <200>", expected: "integer <1>", isTypeMismatch: false),
                    .undefinedVariable("none"),
                ]
            ),
        ] as [(String, [HurlEvaluationError.Kind])])
    func `every failure is reported`(expected: String, kinds: [HurlEvaluationError.Kind]) throws {
        guard !kinds.isEmpty else {
            #expect(throws: HurlSyntaxError.self) { try failures(expected, in: .json) }
            return
        }
        #expect(try failures(expected, in: .json) == kinds)
    }

    @Test(arguments: [
        "{\"a\": {{count}}}", "`{\"a\": 3}`", "hex,7b2261223a20337d;", "base64,eyJhIjogM30;", "```json\n{\"a\": 3}```",
    ])
    func `a body is compared as text or bytes`(body: String) throws {
        let response = HurlResponseValues(status: 200, body: Array("{\"a\": 3}".utf8))
        #expect(try failures("HTTP 200\n\(body)", in: response).isEmpty)
        let other = HurlResponseValues(status: 200, body: Array("{\"a\":3}".utf8))
        #expect(try failures("HTTP 200\n\(body)", in: other).count == 1)
    }

    @Test func `bytes of another body are shown without the start of a secret`() throws {
        var evaluator = Evaluator.fixed
        evaluator.variables.setSecret("s", to: String(repeating: "s3cret", count: 20))
        let expected = try #require(try HurlFile(parsing: "GET http://h\nHTTP 200\nhex,00;\n").entries[0].response)
        let response = HurlResponseValues(status: 200, body: Array(("a" + String(repeating: "s3cret", count: 20)).utf8))
        #expect(evaluator.failures(of: expected, in: HurlResponse.Values(response)).map(\.kind) == [.body("612a2a2a")])
    }

    @Test func `a header that is not UTF-8 is read as ISO-8859-1`() throws {
        let headers: HTTPHeaders = ["X": String(octets: [0x67, 0xE9]), "Y": "\u{E9}"]
        #expect(headers["X"] != "g\u{E9}")
        let response = HurlResponseValues(status: 200, headers: headers)
        #expect(try failures("HTTP 200\nX: g\u{E9}\nY: \u{E9}", in: response).isEmpty)
    }

    @Test func `different lines of a body are shown`() throws {
        let content = "GET http://localhost\nHTTP 200\n```\na\nb\nc\n```\n"
        let file = try HurlFile(parsing: content)
        let values = HurlResponse.Values(HurlResponseValues(status: 200, body: Array("a\nx\ny\nc\n".utf8)))
        let errors = Evaluator.fixed.failures(of: try #require(file.entries[0].response), in: values)
        #expect(
            errors.first?.text(in: SourceExcerpt(content, filename: "a.hurl"), entryLine: 1) == """
                Assert body value
                  --> a.hurl:5:1
                   |
                   | GET http://localhost
                   | ...
                 5 | b
                   |   -b
                   |   +x
                   |   +y
                   |
                """)
    }

    @Test func `a long binary body is shortened`() throws {
        let response = HurlResponseValues(status: 200, body: [UInt8](repeating: 0xAB, count: 1000))
        let kinds = try failures("HTTP 200\nhex,00;", in: response)
        #expect(kinds == [.body(String(repeating: "ab", count: 64) + "...")])
    }
}

@Suite struct VariableTests {
    @Test func `a file defines variables`() throws {
        let file = "# comment\n\na=1\n b_c-2 = x = y \r\n\td=\n"
        let definitions = try HurlVariables.definitions(inFile: file)
        #expect(definitions.map(\.name) == ["a", "b_c-2", "d"])
        #expect(definitions.map(\.value) == ["1", "x = y", ""])
    }

    @Test(arguments: ["a", "=1", "1a=2", "a b=1", "newDate=1"])
    func `another line is an error`(line: String) {
        #expect(throws: HurlVariables.LineError(line: 2)) { try HurlVariables.definitions(inFile: "x=1\n\(line)") }
    }

    @Test(arguments: [
        ("s3cret/+Ä", "a s3cret/+Ä b", "a *** b"), ("s3cret/+Ä", "q=s3cret%2F%2B%C3%84&r", "q=***&r"),
        ("s3cret/+Ä", "/s3cret/%2B%C3%84", "/***"),
        ("secret", "Basic YWRhOnNlY3JldA==", "Basic YWRhOnNl***dA=="), ("abcdef", "x YWJjZGVm y", "x *** y"),
        ("a\"quoted\"", "{\"a\\\"quoted\\\"\"}", "{\"***\"}"),
        ("secret", "736563726574", "***"), ("ab", "abc 6162 YWI=", "***c *** YWI="),
    ])
    func `a secret is masked, also if it is encoded`(secret: String, text: String, redacted: String) {
        var variables = HurlVariables()
        variables.setSecret("s", to: secret)
        #expect(variables.redacted(text) == redacted)
    }

    @Test func `a secret in another one leaves nothing of it`() {
        var variables = HurlVariables()
        variables.setSecret("a", to: "pass")
        variables.setSecret("b", to: "password")
        #expect(variables.redacted("password pass") == "*** ***")
    }
}
