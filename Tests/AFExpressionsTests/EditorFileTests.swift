import AFHTTP
import Testing

@testable import AFExpressions
@testable import AFHurl

/// Values of `.http` files.
@Suite struct EditorFileTests {
    private func url(_ placeholder: String, before: String = "") throws -> String {
        let file = try EditorFile(parsing: "\(before)GET http://h/{{\(placeholder)}}\n")
        let request = try #require(file.file.entries.last?.request)
        var evaluator = Evaluator.fixed
        evaluator.define(request.editor?.definitions ?? [], except: ["fixed"])
        return String(try evaluator.values(of: request).url.dropFirst("http://h/".count))
    }

    @Test(arguments: [
        ("$guid", "8f2a3c5e-0000-4000-8000-000000000001"), ("$uuid", "8f2a3c5e-0000-4000-8000-000000000001"),
        ("$randomInt 5 10", "9"), ("$randomInt -5 -4", "-5"), ("$randomInt", "999"),
        ("$random.integer(1, 3)", "2"), ("$random.hexadecimal(4)", "ffff"), ("$random.alphabetic(2)", "ZZ"),
        ("$random.email", "user9999999999@example.com"), ("$env.HOME", "/home/ada"),
        ("$timestamp", "1781524800"), ("$timestamp -1 d", "1781438400"), ("$timestamp 1 h", "1781528400"),
        ("$isoTimestamp", "2026-06-15T12:00:00.123Z"), ("$datetime iso8601", "2026-06-15T12:00:00.123Z"),
        ("$datetime rfc1123", "Mon,%2015%20Jun%202026%2012:00:00%20GMT"),
        ("$datetime iso8601 1 y", "2027-06-15T12:00:00.123Z"), ("$datetime iso8601 -4 M", "2026-02-15T12:00:00.123Z"),
        ("$datetime iso8601 -200 ms", "2026-06-15T11:59:59.923Z"),
        ("$datetime iso8601 -123 ms", "2026-06-15T12:00:00.000Z"),
        ("$datetime iso8601 1900 ms", "2026-06-15T12:00:02.023Z"),
        ("$datetime \"YYYY-MM-DD\" 1 w", "2026-06-22"),
        ("$datetime 'D.M.YY H:m:s [at] dddd'", "15.6.26%2012:0:0%20at%20Monday"),
        ("$localDatetime iso8601", "2026-06-15T14:00:00.123+02:00"),
        ("$localDatetime 'HH Z ZZ'", "14%20+02:00%20+0200"),
        ("$processEnv HOME", "/home/ada"), ("$dotenv TOKEN", "a%20b"), ("$dotenv MODE", "x"), ("count", "3"),
    ])
    func `a value of the system`(placeholder: String, expected: String) throws {
        #expect(try url(placeholder) == expected)
    }

    @Test func `the last day of a month`() {
        let date = HurlDate(secondsSince1970: 1_769_817_600)  // 2026-01-31
        #expect(date.adding(EditorInterval(count: 1, unit: .months)).rfc3339.hasPrefix("2026-02-28T"))
        #expect(date.adding(EditorInterval(count: -11, unit: .months)).rfc3339.hasPrefix("2025-02-28T"))
    }

    @Test func `variables of the file precede others`() throws {
        let file = "@name = x{{count}}\n@all = {{name}}-{{name}}\n@fixed = no\n"
        #expect(try url("all", before: file) == "x3-x3")
        #expect(throws: HurlEvaluationError.self) { try url("fixed", before: file) }
    }

    @Test(arguments: [
        ("$processEnv NONE", "the environment has no variable NONE"),
        ("$dotenv NONE", "the file .env has no variable NONE"),
        ("undefined", "you must set the variable undefined"), ("list", "can not be rendered"),
        ("one.response.body.*", "the request 'one' has no response"),
    ])
    func `a missing value is an error`(placeholder: String, reason: String) {
        let error = #expect(throws: HurlEvaluationError.self) {
            try url(placeholder, before: "# @name one\nGET http://h/\n###\n")
        }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `values that double are limited`() throws {
        let doubling = (1...40).map { "@a\($0) = {{a\($0 - 1)}}{{a\($0 - 1)}}\n" }.joined()
        let error = #expect(throws: HurlEvaluationError.self) { try url("a40", before: "@a0 = xxxxxxxx\n" + doubling) }
        #expect(error?.reason.hasSuffix("is too long") == true, "\(String(describing: error))")
        #expect(try url("a40", before: "@a0 =\n" + doubling) == "")
    }

    @Test(arguments: [
        ("one.response.body.$.name", "Ada"), ("one.response.body.$.tags", #"%5B%22a%22,%22b%22,%22c%22%5D"#),
        ("one.response.body.$.tags[1]", "b"), ("one.response.headers.x-id", "abc-123"),
        ("one.request.headers.X-Q", "q"), ("one.request.body.$.a", "1"), ("one.request.body.*", "%7B%22a%22:1%7D"),
    ])
    func `references select values of earlier requests`(placeholder: String, expected: String) throws {
        let text = "# @name one\nPOST http://h/\nX-Q: q\n\n{\"a\":1}\n###\nGET http://h/?{{\(placeholder)}}\n"
        let entries = try EditorFile(parsing: text).file.entries
        var evaluator = Evaluator.fixed
        evaluator.exchanges["one"] = HurlExchange(try evaluator.values(of: entries[0].request), .json)
        let url = try evaluator.values(of: entries[1].request).url
        let plain = url.dropFirst("http://h/?".count).replacing("[", with: "%5B").replacing("]", with: "%5D")
        #expect(plain == expected)
    }

    @Test(arguments: [
        "$.missing": "has no value $.missing", "$.[": "is not valid", "/name": "is not valid",
    ])
    func `a reference without a value is an error`(path: String, reason: String) throws {
        let text = "# @name one\nPOST http://h/\n###\nGET http://h/?{{one.response.body.\(path)}}\n"
        let entries = try EditorFile(parsing: text).file.entries
        var evaluator = Evaluator.fixed
        evaluator.exchanges["one"] = HurlExchange(try evaluator.values(of: entries[0].request), .json)
        let error = #expect(throws: HurlEvaluationError.self) { try evaluator.values(of: entries[1].request) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }

    @Test func `bodies contain files`() throws {
        let text = "POST http://h/\nAuthorization: Basic ada pw\n\n< data.bin\n<@ template.txt\n<@latin1 latin.txt\n"
        let request = try #require(try EditorFile(parsing: text).file.entries.first?.request)
        let values = try Evaluator.fixed.values(of: request)
        #expect(values.body == .bytes([1, 2, 3, 10] + Array("Dear Ada \"L.\",\n\né".utf8)))
        #expect(values.headers.isEmpty && values.credentials == HurlRequestValues.Field("ada", "pw"))
    }

    @Test(arguments: [
        "<@ open.txt": "line 2 of open.txt: the placeholder has no end", "< ../secret": "unauthorized access",
        "< none": "can not be read", "<@nonsense template.txt": "the charset 'nonsense' is not valid",
    ])
    func `a file of a body is an error`(line: String, reason: String) throws {
        let request = try #require(try EditorFile(parsing: "POST http://h/\n\n\(line)\n").file.entries.first?.request)
        let error = #expect(throws: HurlEvaluationError.self) { try Evaluator.fixed.values(of: request) }
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
    }
}
