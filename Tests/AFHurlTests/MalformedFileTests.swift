import Testing

@testable import AFHurl

/// Malformed files: each kind of error in several surroundings has an error at the same character.
@Suite struct MalformedFileTests {
    /// A file in which `@` precedes the first invalid character.
    static let kinds: [String] = requests + sections + bodies + responses + queries + predicates

    private static let requests = [
        "get@ http://h/", "GET@", "@get http://h/", "GET http://h/{{@}}", "GET http://h/{{a@", "GET http://h/{{a @b}}",
        "GET http://h/\\@q", "GET http://h/\\u{@}",
        "GET http://h/\\u{@110000000}", "GET http://h/\nname@", "GET http://h/\nname@ value",
        "GET http://h/\nna\\@qme: x",
        "GET http://h/\nx: \\@q", "GET http://h/\nx: {{@1}}",
    ]

    private static let sections = [
        "[@Nonsense]", "[@query]", "[Query@", "[Query]\n[@Query]", "[Form]\na@", "[Query]\na: \\@x",
        "[Multipart]\na: file,@;", "[Multipart]\na: file,x@", "[Multipart]\na@",
        "[BasicAuth]\na@", "[BasicAuth]\na: b\n@c: d", "[Cookies]\na@", "[Options]\n@nonsense: 1",
        "[Options]\nlocation: @yes", "[Options]\nlocation@", "[Options]\nretry: @x", "[Options]\nretry: @-2",
        "[Options]\ndelay: 3@x", "[Options]\ndelay: @x", "[Options]\nvariable: @1=2", "[Options]\nvariable: a@",
        "[Options]\nvariable: @newUuid=1", "[Options]\nverbosity: @loud", "[Options]\nskip: {{a@",
    ].map { "GET http://h/\n\($0)" }

    private static let bodies = [
        "{@", "{\"a\"@}", "{\"a\":@}", "{\"a\": 1@,}", "{\"a\": 1 @\"b\": 2}", "[@1 2]", "[1@,]", "[1,@", "\"a@",
        "\"\\@q\"",
        "{\"a\": {{@}}}", "base64,@*;", "base64,YQ@", "hex,@g;", "hex,abc@;", "hex,ab@", "file,@;", "file,x@",
        "```@nonsense\n```",
        "```\ntext@", "`text@", "`\\@q`", "`{{@}}`", "<a>@", "<a>@</b>",
    ].map { "POST http://h/\n\($0)" }

    private static let responses = [
        "HTTP@/4 200", "HTTP/1.1 @OK", "HTTP/1.1@", "HTTP 200 @OK", "HTTP 2@x0", "HTTP 200\n[@Nonsense]",
        "HTTP 200\n[@Query]",
        "HTTP 200\n[Captures]\na@", "HTTP 200\n[Captures]\na: @nonsense", "HTTP 200\n[Captures]\na: status @x",
        "HTTP 200\n[Captures]\n@newUuid: status", "HTTP 200\n[Captures]\n  @newDate : status",
        "HTTP 200\n[Asserts]\n[@Asserts]", "HTTP 200\n[Captures]\n[@Captures]", "HTTP 200\nx@",
    ].map { "GET http://h/\n\($0)" }

    private static let queries = [
        "@nonsense == 1", "header@ == 1", "header @x == 1", "header \"x@", "header \"\\@q\" exists",
        "header \"{{@}}\" exists",
        "jsonpath @$ exists", "xpath @// exists", "regex @x exists", "regex @/(/ exists", "cookie \"a[@b]\" exists",
        "certificate \"@x\" exists", "variable @x exists", "body regex @x == 1", "body replace \"a\" @x == 1",
        "body split @1 == 1", "body nth @x == 1", "body @count2 == 1", "body charsetDecode @x == 1",
    ].map { "GET http://h/\nHTTP 200\n[Asserts]\n\($0)" }

    private static let predicates = [
        "status@", "status @", "status @= 200", "status @equals 1", "status not @x", "status ==@", "status == @x",
        "status == 1 @x", "body == \"a@", "body == {{@}}", "body matches @/[/", "body contains hex,@x;",
        "body == base64,@*;",
        "body == file,@;", "body isNothing@", "status exists @1", "status not@",
    ].map { "GET http://h/\nHTTP 200\n[Asserts]\n\($0)" }

    private static let surroundings: [(before: String, after: String, newline: String)] = [
        ("", "", "\n"), ("", "\n", "\n"), ("# comment\n\n", "\n", "\n"),
        ("GET http://first/\nHTTP 200\n\n", "\n", "\n"),
        ("", "\n", "\r\n"),
    ]

    @Test func `the table has many files`() {
        #expect(Self.kinds.count * Self.surroundings.count >= 300)
    }

    @Test(arguments: kinds)
    func `a malformed file has an error with a caret in any surroundings`(kind: String) throws {
        let malformed = kind.replacing("@", with: "")
        let reference = try #require(error(in: malformed + "\n"), "\(kind)")
        for surroundings in Self.surroundings {
            let text = (surroundings.before + malformed + surroundings.after)
                .replacing("\n", with: surroundings.newline)
            guard let error = error(in: text) else {
                Issue.record("no error in \(text.debugDescription)")
                continue
            }
            let shown = error.text(filename: "f.hurl", content: text)
            let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0] == error.title, "\(shown)")
            #expect(shown.contains("--> f.hurl:\(error.position.line):\(error.position.column)\n"), "\(shown)")
            #expect(lines.contains { $0.contains(" ^ \(error.reason.prefix { $0 != "\n" })") }, "\(shown)")
            #expect(!error.reason.isEmpty && !error.title.isEmpty)
            let count = text.unicodeScalars.count { $0 == "\n" }
            #expect(1...(count + 1) ~= error.position.line, "\(shown)")
            // Without an end of the line, the error may be that of the missing newline.
            guard surroundings.after == "\n", surroundings.newline == "\n" else { continue }
            let shift = surroundings.before.unicodeScalars.count { $0 == "\n" }
            #expect(error.position.line == reference.position.line + shift, "\(shown)")
            #expect(error.position.column == reference.position.column, "\(shown)")
            #expect(error.kind == reference.kind, "\(shown)")
        }
    }

    @Test(arguments: kinds)
    func `the error is not on a line before the invalid character`(kind: String) throws {
        let mark = try #require(kind.firstIndex(of: "@"))
        let before = kind[..<mark]
        let line = before.count { $0 == "\n" } + 1
        let problem = try #require(error(in: kind.replacing("@", with: "") + "\n"), "\(kind)")
        #expect(problem.position.line >= line, "\(kind): \(problem)")
    }

    private func error(in text: String) -> HurlSyntaxError? {
        do throws(HurlSyntaxError) {
            _ = try HurlFile(parsing: text)
            return nil
        } catch {
            return error
        }
    }
}
