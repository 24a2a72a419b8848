import Foundation
import TestSupport
import Testing

@testable import AFCommand

/// `afcli run` with files of requests.
@Suite(.timeLimit(.minutes(5))) struct FileRunTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private struct Case: CustomTestStringConvertible {
        let title: String
        let options: [String]
        let status: Int32
        let file: String
        /// Texts of standard output or standard error.
        let texts: [String]

        var testDescription: String { title }

        init(_ title: String, options: [String] = [], status: Int32 = 0, _ file: String, _ texts: String...) {
            (self.title, self.options, self.status, self.file, self.texts) = (title, options, status, file, texts)
        }
    }

    private static let cases = [
        Case("a request without a response", "GET URL/text\n", "some text"),
        Case("the body of the last entry is shown", "GET URL/text\n\nGET URL/json\nHTTP 200\n", #"{"a": 1,"#),
        Case(
            "a comment, a header and a query", "# one\nGET URL/echo\nX-A: b c\n[Query]\nq: ä&\n", "/echo?q=%C3%A4%26",
            "X-A: b c"),
        Case("a form", "POST URL/echo\n[Form]\na: 1 2\nb: &\n", "a=1%202&b=%26", "application/x-www-form-urlencoded"),
        Case("cookies of a request", "GET URL/echo\n[Cookies]\na: 1\nb: 2\n", "Cookie: a=1; b=2"),
        Case("basic authentication", "GET URL/echo\n[BasicAuth]\nada: pw\n", "Authorization: Basic YWRhOnB3"),
        Case("a JSON body", "POST URL/echo\n{\"a\": [1, 2]}\n", #"{"a": [1, 2]}"#, "Content-Type: application/json"),
        Case("a text body has no type", "POST URL/echo\n`a b`\n", "a b", "Content-Length: 3"),
        Case("a typed length", "POST URL/echo\nContent-Length: 3\n`a b`\n", "Content-Length: 3", "a b"),
        Case(
            "a wrong length", status: 3, "POST URL/echo\nContent-Length: 5\n`a b`\n",
            "Content-Length is 5, but the body has 3 bytes"),
        Case(
            "a length without a body", status: 3, "GET URL/echo\nContent-Length: 5\n",
            "Content-Length is 5, but the request has no body"),
        Case(
            "a chunked body", "POST URL/echo\nTransfer-Encoding: chunked\n`a b`\n", "Transfer-Encoding: chunked", "a b"),
        Case(
            "an unknown transfer coding", status: 3, "POST URL/echo\nTransfer-Encoding: gzip\n`a b`\n",
            "Transfer-Encoding 'gzip' is not supported"),
        Case("a GraphQL body", "POST URL/echo\n```graphql\n{ a }\n```\n", #"{"query":"{ a }"}"#),
        Case("a body of bytes", "PUT URL/echo\nhex,414243;\n", "ABC"),
        Case(
            "a multipart body", "POST URL/echo\n[Multipart]\na: text\nf: file,data.txt; text/plain\n", "name=\"a\"",
            "from a file", "filename=\"data.txt\""),
        Case("a file as body", "POST URL/echo\nfile,data.txt;\n", "from a file"),
        Case(
            "a file outside the root", status: 3, "POST URL/echo\nfile,../x;\n",
            "unauthorized access to file ../x, check --file-root option"),
        Case("a missing file", status: 3, "POST URL/echo\nfile,none;\n", "file none can not be read"),
        Case(
            "a wrong status", status: 4, "GET URL/missing\nHTTP 200\n", "error: Assert status code",
            "   ^^^ actual value is <404>", "--> FILE:2:6"),
        Case(
            "a wrong version", status: 4, "GET URL/text\nHTTP/2 200\n", "Assert HTTP version",
            "actual value is <HTTP/1.1>"),
        Case("headers of the response", "GET URL/json\nHTTP/1.1 200\nContent-Type: application/json\n"),
        Case("a wrong header", status: 4, "GET URL/json\nHTTP 200\nContent-Type: text/plain\n", "Assert header value"),
        Case("an expected body", "GET URL/text\nHTTP 200\n`some text`\n"),
        Case(
            "another body", status: 4, "GET URL/text\nHTTP 200\n`other text`\n", "Assert body value", "-other text",
            "+some text"),
        Case(
            "asserts",
            "GET URL/json\nHTTP 200\n[Asserts]\nstatus == 200\njsonpath \"$.a\" == 1\njsonpath \"$.list\" count == 2\nheader \"Content-Type\" contains \"json\"\nbody contains \"a\"\nduration < 60000\nip == \"127.0.0.1\"\nbytes count > 5\n"
        ),
        Case(
            "all failed asserts are reported", status: 4,
            "GET URL/json\nHTTP 200\n[Asserts]\njsonpath \"$.a\" == 2\njsonpath \"$.b\" exists\n",
            "actual:   integer <1>", "expected: integer <2>", "expected: something"),
        Case(
            "captures",
            "GET URL/json\nHTTP 200\n[Captures]\ntoken: jsonpath \"$.token\"\n\nGET URL/echo\nAuthorization: Bearer {{token}}\nHTTP 200\n[Asserts]\nvariable \"token\" == \"s3cret\"\n",
            "Authorization: Bearer s3cret"),
        Case(
            "a redacted capture is a secret", status: 4,
            "GET URL/json\nHTTP 200\n[Captures]\ntoken: jsonpath \"$.token\" redact\n[Asserts]\njsonpath \"$.token\" == \"x\"\n",
            "actual:   string <***>"),
        Case(
            "a capture without a value", status: 3, "GET URL/json\nHTTP 200\n[Captures]\nx: jsonpath \"$.none\"\n",
            "No query result"),
        Case(
            "an undefined variable", status: 3, "GET URL/{{name}}\n", "Undefined variable",
            "you must set the variable name"),
        Case(
            "an undefined variable in an expected header", status: 3, "GET URL/json\nHTTP 200\nX-A: {{name}}\n",
            "you must set the variable name"),
        Case(
            "an undefined variable in an expected body", status: 3, "GET URL/json\nHTTP 200\n`{{name}}`\n",
            "you must set the variable name"),
        Case("a missing expected body", status: 3, "GET URL/json\nHTTP 200\nfile,none;\n", "none can not be read"),
        Case(
            "an undefined variable in an assert", status: 4, "GET URL/json\nHTTP 200\n[Asserts]\nstatus == {{name}}\n",
            "you must set the variable name"),
        Case(
            "a variable of the command line", options: ["--variable", "name=text"], "GET URL/{{name}}\nHTTP 200\n",
            "some text"),
        Case("a variable of an option", "GET URL/{{p}}\n[Options]\nvariable: p=text\nHTTP 200\n", "some text"),
        Case(
            "a secret is masked", options: ["--secret", "s=t0psecret"], status: 4,
            "GET URL/text?{{s}}\nHTTP 200\n[Asserts]\nurl == \"x\"\n", "/text?***>"),
        Case("redirects are not followed", "GET URL/redirect\nHTTP 302\n"),
        Case(
            "redirects are followed on request",
            "GET URL/redirect\n[Options]\nlocation: true\nHTTP 200\n[Asserts]\nurl endsWith \"/text\"\nredirects count == 1\nredirects nth 0 location endsWith \"/text\"\n",
            "some text"),
        Case(
            "too many redirects", status: 3, "GET URL/loop\n[Options]\nlocation: true\nmax-redirs: 3\nHTTP 200\n",
            "error: HTTP connection", "too many redirect"),
        Case(
            "the cookies of responses are sent", "GET URL/cookie\nHTTP 200\n\nGET URL/echo\nHTTP 200\n",
            "Cookie: kept=yes"),
        Case(
            "no cookie store", options: ["--no-cookie-store"],
            "GET URL/cookie\n\nGET URL/echo\nHTTP 200\n[Asserts]\nbody not contains \"kept\"\n"),
        Case(
            "a cookie of the response",
            "GET URL/cookie\nHTTP 200\n[Asserts]\ncookie \"kept\" == \"yes\"\ncookie \"kept[Path]\" == \"/\"\n"),
        Case(
            "a skipped entry", "GET URL/missing\n[Options]\nskip: true\nHTTP 200\n\nGET URL/text\nHTTP 200\n",
            "some text"),
        Case("an error ends the file", status: 4, "GET URL/missing\nHTTP 200\n\nGET URL/{{none}}\n", "<404>"),
        Case(
            "--continue-on-error", options: ["--continue-on-error"], status: 3,
            "GET URL/missing\nHTTP 200\n\nGET URL/{{none}}\n", "<404>", "Undefined variable"),
        Case(
            "--continue-on-error repeats an entry", options: ["--continue-on-error", "--test"], status: 4,
            "GET URL/missing\n[Options]\nrepeat: 3\nHTTP 200\n", "FILE: Failure (3 request(s) in "),
        Case("--no-assert", options: ["--no-assert"], "GET URL/missing\nHTTP 200\n"),
        Case(
            "--to-entry", options: ["--to-entry", "1"], "GET URL/text\nHTTP 200\n\nGET URL/missing\nHTTP 200\n",
            "some text"),
        Case(
            "--from-entry", options: ["--from-entry", "2"], "GET URL/missing\nHTTP 200\n\nGET URL/text\nHTTP 200\n",
            "some text"),
        Case(
            "a coded body is decoded for asserts",
            "GET URL/gzip\nHTTP 200\n[Asserts]\nbody startsWith \"Cut short\"\nrawbytes count != 71\nbytes count == 71\n"
        ),
        Case("--compressed decodes the output", options: ["--compressed"], "GET URL/gzip\nHTTP 200\n", "Cut short"),
        Case("--include shows the header", options: ["--include"], "GET URL/text\n", "HTTP/1.1 200\n", "some text"),
        Case(
            "--proxy-header", options: ["--proxy", "PROXY", "--proxy-header", "X-P: q"],
            "GET http://host.invalid/echo\nHTTP 200\n", "X-P: q"),
        Case("--no-output", options: ["--no-output"], "GET URL/text\nHTTP 200\n"),
        Case(
            "a syntax error", status: 2, "GET URL/text\nHTTP 200\n[Asserts]\nstatus = 200\n",
            "error: Parsing predicate", "--> FILE:4:8"),
        Case("a URL without a scheme", status: 3, "GET example.invalid\n", "Invalid URL"),
        Case("an unreachable server", status: 3, "GET http://127.0.0.1:1/\n", "error: HTTP connection", "(7)"),
        Case("--check sends nothing", options: ["--check"], "GET http://127.0.0.1:1/\nHTTP 200\n"),
        Case(
            "--test prints a summary", options: ["--test"], "GET URL/text\nHTTP 200\n",
            "FILE: Success (1 request(s) in ",
            "Executed files:    1", "Succeeded files:   1 (100.0%)"),
        Case(
            "--test after a failure", options: ["--test"], status: 4, "GET URL/text\nHTTP 201\n",
            "FILE: Failure (1 request(s) in ", "Failed files:      1 (100.0%)"),
        Case(
            "an output outside the root", status: 3, "GET URL/text\n[Options]\noutput: ../x\nHTTP 200\n",
            "unauthorized access to file ../x", "--> FILE:3:9"),
        Case(
            "false cancels an option of the command line", options: ["--location"],
            "GET URL/redirect\n[Options]\nlocation: false\nHTTP 302\n"),
        Case(
            "options are evaluated for each repetition",
            "GET URL/text?{{id}}\n[Options]\nvariable: id={{newUuid}}\nrepeat: 2\nHTTP 200\n", "some text"),
        Case("a HEAD request", "HEAD URL/text\nHTTP 200\n[Asserts]\nbytes count == 0\n"),
        Case("a file without entries", "# nothing\n", "warning: no entry in file FILE"),
    ]

    @Test(arguments: FileRunTests.cases.indices)
    func `a file has its result, output and errors`(index: Int) async throws {
        let test = Self.cases[index]
        try folder.write("from a file", to: "data.txt")
        try await withServer(respond) { server in
            let text = test.file.replacing("URL", with: String(server.url().dropLast()))
            let path = try folder.write(text, to: "f.hurl")
            let options = test.options.map { $0 == "PROXY" ? server.url() : $0 }
            let run = await runTool(["run"] + options + [path])
            let all = run.output + run.errors
            #expect(run.status == test.status, "\(test.title): \(all)")
            for text in test.texts {
                #expect(all.contains(text.replacing("FILE", with: path)), "\(test.title), \(text): \(all)")
            }
            if test.status != 0 { #expect(run.output.isEmpty, "\(test.title)") }
            #expect(!run.errors.contains("s3cret") && !run.errors.contains("t0psecret"), "\(run.errors)")
        }
    }

    @Test func `an absolute path is below a relative root`() throws {
        let here = FileManager.default.currentDirectoryPath
        for root in ["", "./", "data", "data/."] {
            let environment = FileRunEnvironment(root: root, files: .fixed([:] as [String: String]))
            let base = root.hasPrefix("data") ? "\(here)/data" : here
            #expect(environment.path(of: "\(base)/a/../b") == "\(base)/b")
            #expect(environment.path(of: "\(base)/../x/y") == nil)
            #expect(environment.path(of: "\(base)-other/b") == nil)
            #expect(environment.path(of: "/etc/passwd") == nil)
        }
    }

    @Test func `a failed entry is repeated with --retry`() async throws {
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            let path = try folder.write("GET \(server.url())\nHTTP 200\n", to: "f.hurl")
            let run = await runTool("run", "--retry", "3", "--retry-interval", "1ms", path)
            #expect(run.status == 4)
            #expect(server.requests.count == 4)
        }
    }

    @Test func `files run in the order of their names, each with its own variables`() async throws {
        try await withServer(respond) { server in
            for name in ["b", "a", "c"] {
                let text =
                    "GET \(server.url("/text"))?\(name)\nHTTP 200\n[Captures]\nv: url\n[Asserts]\nvariable \"v\" endsWith \"\(name)\"\n"
                try folder.write(text, to: "\(name).hurl")
            }
            for (jobs, count) in [("1", 3), ("3", 6)] {
                let run = await runTool(
                    "run", "--test", "--jobs", jobs, "--report-tap", folder.file("tap"), "--report-junit",
                    folder.file("junit"), folder.path)
                #expect(run.status == 0, "\(run.errors)")
                let names = ["a", "b", "c"].map { folder.file("\($0).hurl") }
                let lines = run.errors.split(separator: "\n").filter { $0.contains(": Success") }
                #expect(zip(lines, names).allSatisfy { $0.hasPrefix($1) } && lines.count == 3, "\(run.errors)")
                let tap = try folder.text(of: "tap")
                #expect(tap.hasPrefix("TAP version 13\n1..\(count)\nok 1 - \(names[0]), line 1: GET http:"), "\(tap)")
                #expect(tap.contains("\nok \(count) - \(names[2]), line 1: GET http:"), "\(tap)")
                let counts = #"tests="1" errors="0" failures="0" skipped="0" time="0."#
                #expect(try folder.text(of: "junit").contains("<testsuite name=\"\(names[0])\" \(counts)"))
                let junit = try folder.text(of: "junit")
                #expect(junit.split(separator: "<testcase ").count == count + 1)
                #expect(junit.split(separator: "\n").filter { $0.contains("testsuites>") }.count == 2, "\(junit)")
            }
        }
    }

    @Test(arguments: [
        (["--frobnicate"], "unknown option"), (["--variable", "x"], "NAME=VALUE"), (["--variable"], "requires"),
        (["--variabel", "a=b", "f"], "did you mean --variable?"),
        (["--contine-on-error"], "did you mean --continue-on-error?"),
        (["--retry", "-2", "f"], "expected a number"), (["--retry", "99999999999999999999", "f"], "expected a number"),
        (["--to-entry", "x", "f"], "expected a number"), (["--skip"], "unknown option"), (["-o"], "requires"),
        (["--jobs", "0"], "above 0"), (["--test=1"], "takes no value"),
        (["--retry"], "requires an argument"), (["--max-time", "soon", "f"], "expected a duration"),
        (["-Z"], "unknown option"),
        (["--variables-file", "/nonexistent", "f"], "nonexistent"),
    ])
    func `invalid options end with 1 and a hint`(words: [String], problem: String) async {
        let run = await runTool(["run"] + words)
        #expect(run.status == 1)
        #expect(run.errors.contains(problem), "\(run.errors)")
        #expect(run.output.isEmpty)
    }

    @Test func `credentials and cookies are not sent to another origin`() async throws {
        let other = try LocalServer { .ok("\($0["Authorization"] ?? "none") \($0["Cookie"] ?? "none")") }
        try await withServer { _ in
            .redirect(to: other.url("/x"))
        } _: { server in
            let text = """
                GET \(server.url())
                Authorization: Bearer t0k
                [Cookies]
                a: 1
                [Options]
                location: true
                HTTP 200
                `none none`

                """
            let run = await runTool("run", try folder.write(text, to: "f.hurl"))
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ("\nContent-Type: multipart/mixed", [], "mixed"),
        ("\n[Options]\nheader: Content-Type: multipart/mixed", [], "mixed"),
        ("", ["--header", "content-type: multipart/mixed"], "mixed"), ("", [], "form-data"),
    ])
    func `the type of a form has the boundary once`(lines: String, options: [String], subtype: String) async throws {
        try await withServer(respond) { server in
            let text = "POST \(server.url("/echo"))\(lines)\n[Multipart]\na: 1\n"
            let run = await runTool(["run"] + options + [try folder.write(text, to: "f.hurl")])
            #expect(run.status == 0, "\(run.errors)")
            let request = try #require(server.requests.first)
            let type = try #require(request["Content-Type"])
            let prefix = "multipart/\(subtype); boundary="
            #expect(type.hasPrefix(prefix), "\(type)")
            #expect(request.text.hasPrefix("--\(type.dropFirst(prefix.count))\r\n"), "\(type) \(request.text)")
            #expect(request.headText.lowercased().split(separator: "content-type:").count == 2)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "(18) transfer closed with 6 bytes remaining to read"),
        ("hello\r\n\r\n", "(1) Received HTTP/0.9 when not allowed"), ("", "(52) Empty reply from server"),
    ])
    func `a failure of the connection has the sentence of libcurl`(response: String, sentence: String) async throws {
        try await withServer { _ in
            .raw(Array(response.utf8))
        } _: { server in
            let run = await runTool("run", try folder.write("GET \(server.url())\n", to: "f.hurl"))
            #expect(run.status == 3 && run.errors.contains(" \(sentence)\n"), "\(run.errors)")
        }
    }

    @Sendable private func respond(to request: RecordedRequest) throws -> LocalServer.Response {
        switch request.path {
        case "/text": .ok("some text")
        case "/json": .json(#"{"a": 1, "list": [1, 2], "token": "s3cret"}"#)
        case let path where path.hasSuffix("/echo"): .ok("\(request.target)\n\(request.headText)\n\(request.text)")
        case "/redirect": .redirect(to: "/text")
        case "/loop": .redirect(to: "/loop")
        case "/cookie": .ok("set").header("Set-Cookie", "kept=yes; Path=/")
        case "/gzip": .bytes(CodedBody.gzip.bytes).header("Content-Encoding", "gzip")
        default: .status(404, "nothing")
        }
    }
}
