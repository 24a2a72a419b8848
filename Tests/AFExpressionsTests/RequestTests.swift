import Testing

@testable import AFExpressions
@testable import AFHurl

@Suite struct RequestTests {
    private typealias Field = HurlRequestValues.Field

    private func values(_ text: String) throws -> HurlRequestValues {
        try Evaluator.fixed.values(of: HurlFile(parsing: text).entries[0].request)
    }

    private func error(_ text: String) throws -> HurlEvaluationError? {
        let request = try HurlFile(parsing: text).entries[0].request
        do throws(HurlEvaluationError) {
            _ = try Evaluator.fixed.values(of: request)
            for option in request.options { _ = try Evaluator.fixed.value(of: option) }
            return nil
        } catch {
            return error
        }
    }

    @Test func `a request has its values`() throws {
        let text = """
            POST http://localhost/{{count}}
            X-Name: {{name}}
            [Query]
            q: a b/é
            n: {{count}}
            [Cookies]
            c{{count}}: 1
            [BasicAuth]
            ada: pass {{count}}
            [Form]
            a b: 1&2
            """
        #expect(throws: HurlSyntaxError.self) { try values(text) }
        let request = try values(text.replacing("a b: 1&2", with: "a\\u{20}b: 1&2\nx:"))
        #expect(request.method == "POST")
        #expect(request.url == "http://localhost/3?q=a%20b%2F%C3%A9&n=3")
        #expect(request.headers == [Field("X-Name", "Ada \"L.\"")])
        #expect(request.cookies == [Field("c3", "1")])
        #expect(request.credentials == Field("ada", "pass 3"))
        #expect(request.body == .bytes(Array("a b=1%262&x=".utf8)))
        #expect(request.implicitType == "application/x-www-form-urlencoded")
    }

    @Test(arguments: [
        ("http://a", "http://a?x=1"), ("http://a/?y=2", "http://a/?y=2&x=1"), ("http://a/?", "http://a/?x=1"),
        ("http://a/?y&", "http://a/?y&x=1"),
        ("http://a/\\#f?", "http://a/?x=1#f?"), ("https://a/b\\#c", "https://a/b?x=1#c"),
    ])
    func `parameters are appended to the query`(url: String, result: String) throws {
        #expect(try values("GET \(url)\n[Query]\nx: 1\n").url == result)
    }

    @Test(arguments: [
        ("/path", "Missing scheme <http://> or <https://>"), ("localhost", "Missing scheme <http://> or <https://>"),
        ("ftp://a", "Only <http://> and <https://> schemes are supported"),
        ("HTTP://a", "Only <http://> and <https://> schemes are supported"),
        ("", "Missing scheme <http://> or <https://>"),
    ])
    func `a URL needs a scheme`(url: String, reason: String) throws {
        let error = try error("GET \(url)\n")
        #expect(error?.kind == .invalidURL(url, reason: reason))
        #expect(error?.range.start == SourcePosition(line: 1, column: 5))
    }

    @Test func `a body replaces a form, and a header its type`() throws {
        #expect(try values("POST http://a\n[Form]\na: 1\n{}\n").body == .bytes(Array("{}".utf8)))
        #expect(try values("POST http://a\n{}\n").implicitType == "application/json")
        #expect(try values("POST http://a\ncontent-type: text/plain\n{}\n").implicitType == nil)
        #expect(try values("GET http://a\n").body == .none)
    }

    @Test func `parts of a body are texts and files`() throws {
        let text = "POST http://a\n[Multipart]\na: {{count}}\nb: file,data.bin;\nc: file,data.bin; text/x-{{count}}\n"
        #expect(
            try values(text).body
                == .multipart([
                    .init(name: "a", content: .text("3")),
                    .init(name: "b", content: .file([1, 2, 3], path: "data.bin", type: "application/octet-stream")),
                    .init(name: "c", content: .file([1, 2, 3], path: "data.bin", type: "text/x-3")),
                ]))
        #expect(try error("POST http://a\n[Multipart]\nb: file,../secret;\n")?.kind == .unauthorizedFile("../secret"))
    }

    @Test(arguments: [
        ("a.html", "text/html"), ("dir.d/a.JPG", "image/jpeg"), ("a", "application/octet-stream"),
        ("a.svg", "image/svg+xml"),
        ("a.tar.gz", "application/octet-stream"),
    ])
    func `a file has a type by the end of its name`(path: String, type: String) {
        #expect(HurlMultipartItem.type(ofFile: path) == type)
    }

    @Test(
        arguments: [
            ("skip: true", .boolean(true)), ("skip: {{flag}}", .boolean(true)), ("retry: -1", .count(nil)),
            ("retry: {{count}}", .count(3)), ("delay: 2s", .milliseconds(2000)),
            ("delay: {{count}}", .milliseconds(3)), ("delay: 5", .milliseconds(5)),
            ("limit-rate: {{count}}", .natural(3)), ("user: a:{{count}}", .text("a:3")),
            ("verbosity: brief", .verbosity(.brief)),
            ("variable: x={{count}}", .variable("x", .string("3"))),
            ("variable: x=1", .variable("x", .number(.integer(1)))), ("variable: x=null", .variable("x", .null)),
        ] as [(String, HurlOptionValue)])
    func `an option has a value`(line: String, value: HurlOptionValue) throws {
        let option = try #require(
            try HurlFile(parsing: "GET http://a\n[Options]\n\(line)\n").entries[0].request.options.first)
        #expect(try Evaluator.fixed.value(of: option) == value)
    }

    @Test(
        arguments: [
            ("skip: {{count}}", .invalidType(value: "integer <3>", expected: "boolean")),
            ("retry: {{name}}", .invalidType(value: "string <Ada \"L.\">", expected: "integer >= -1")),
            ("limit-rate: {{rate}}", .invalidType(value: "float <2.0>", expected: "integer >= 0")),
            ("delay: {{flag}}", .invalidType(value: "boolean <true>", expected: "duration")),
            ("verbosity: {{name}}", .invalidType(value: "string <Ada \"L.\">", expected: "brief, verbose or debug")),
            ("skip: {{none}}", .undefinedVariable("none")),
            (
                "delay: 18446744073709551615h",
                .optionValue(name: "delay", value: "18446744073709551615", reason: "too large")
            ),
        ] as [(String, HurlEvaluationError.Kind)])
    func `a value of another type is an error`(line: String, kind: HurlEvaluationError.Kind) throws {
        #expect(try error("GET http://a\n[Options]\n\(line)\n")?.kind == kind)
    }
}
