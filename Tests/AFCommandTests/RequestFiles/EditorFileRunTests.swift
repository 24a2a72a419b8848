import Foundation
import Glibc
import TestSupport
import Testing

@testable import AFCommand

/// `afcli run` with `.http` and `.rest` files.
@Suite(.timeLimit(.minutes(5))) struct EditorFileRunTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private struct Case: CustomTestStringConvertible {
        let testDescription: String
        let options: [String]
        let status: Int32
        let file: String
        /// Texts of standard output or standard error.
        let texts: [String]

        init(_ title: String, options: [String] = [], status: Int32 = 0, _ file: String, _ texts: String...) {
            (testDescription, self.options, self.status, self.file, self.texts) = (title, options, status, file, texts)
        }
    }

    private static let cases = [
        Case("a request", "GET URL/text\n", "some text"),
        Case("a URL alone", "URL/text", "some text"),
        Case("a path with the field Host", "GET /text\nHost: HOST\n", "some text"),
        Case("a query of several lines", "GET URL/echo\n  ?a=1\n  &b=x y\n", "/echo?a=1&b=x%20y"),
        Case("a status is no failure", "GET URL/missing\n", "nothing"),
        Case("header fields and a body", "POST URL/echo\nX-A: b\n\n{\"a\": 1}\n# comment\n", "X-A: b", "{\"a\": 1}"),
        Case(
            "a response of an earlier request",
            "# @name login\nGET URL/json\n\n###\nGET URL/echo\nAuthorization: Bearer {{login.response.body.$.token}}\nX-Type: {{login.response.headers.content-type}}\n",
            "Authorization: Bearer s3cret", "X-Type: application/json"),
        Case(
            "an earlier request",
            "### first\nPOST URL/text\nX-Id: 7\n\n{\"a\": \"b\"}\n\n###\nGET URL/echo?{{first.request.body.$.a}}={{first.request.headers.X-Id}}\n",
            "/echo?b=7"),
        Case(
            "a variable with a reference",
            "@token = {{login.response.body.$.token}}\n# @name login\nGET URL/json\n###\nGET URL/echo?{{token}}\n",
            "/echo?s3cret"),
        Case(
            "a variable with a reference to a later request", status: 3,
            "@token = {{login.response.body.$.token}}\nGET URL/echo?{{token}}\n###\n# @name login\nGET URL/json\n",
            "the request 'login' has no response"),
        Case(
            "a reference to a later request", status: 2,
            "GET URL/echo?{{login.response.body.*}}\n###\n# @name login\nGET URL/json\n",
            "no request before this one has the name 'login'"),
        Case(
            "a variable after the request",
            "# @name login\nGET URL/json\n###\n@token = {{login.response.body.$.token}}\nGET URL/echo?{{token}}\n",
            "/echo?s3cret"),
        Case("a variable", "@url = {{base}}/text\n@base = URL\nGET {{url}}\n", "some text"),
        Case(
            "a variable of the command line", options: ["--variable", "p=text"], "@p = missing\nGET URL/{{p}}\n",
            "some text"),
        Case("an undefined variable", status: 3, "GET URL/{{p}}\n", "you must set the variable p", "--> FILE:1:"),
        Case("redirects are followed", "GET URL/redirect\n", "some text"),
        Case("@no-redirect", "# @no-redirect\nGET URL/redirect\n"),
        Case("cookies are sent", "GET URL/cookie\n###\nGET URL/echo\n", "Cookie: kept=yes"),
        Case("basic credentials", "GET URL/echo\nAuthorization: Basic ada pw\n", "Authorization: Basic YWRhOnB3"),
        Case("@disabled", "# @disabled\nGET URL/missing\n\n###\nGET URL/text\n", "some text"),
        Case("@timeout", status: 3, "# @timeout 50 ms\nGET URL/slow\n", "HTTP connection"),
        Case("a file", "POST URL/echo\n\n< ./data.txt\n", "from a {{file}}"),
        Case("a file with variables", "@file = box\nPOST URL/echo\n\n<@ data.txt\n", "from a box"),
        Case("a file outside the root", status: 3, "POST URL/echo\n\n< ../x\n", "unauthorized access to file ../x"),
        Case(
            "a GraphQL request",
            "@n = 7\nPOST URL/echo\nX-REQUEST-TYPE: GraphQL\n\nquery ($a: Int) {\n  a\n\n  b\n}\n\n{\n  \"a\": {{n}}\n}\n",
            #"{"query":"query ($a: Int) {\n  a\n\n  b\n}","variables":{"#, "{\n  \"a\": 7\n}}",
            "Content-Type: application/json"),
        Case("the method GRAPHQL", "GRAPHQL URL/echo\n\n{ a }\n", #"{"query":"{ a }","variables":{}}"#, "POST /echo"),
        Case(
            "a GraphQL query of a file", "GRAPHQL URL/echo\n\n< query.txt\n\n{}\n", #"{"query":"{ f }","variables":{}}"#
        ),
        Case(
            "GraphQL variables that are no object", status: 3, "GRAPHQL URL/echo\n\n{ a }\n\n{ 1 }\n", "Invalid JSON",
            "--> FILE:5:1"),
        Case(
            "a gRPC request", status: 2, "GRPC localhost/a.B/C\n", "--> FILE:1:1",
            "^^^^ gRPC requests are not supported"),
        Case("a WebSocket request", status: 2, "WEBSOCKET ws://localhost/\n", "^ WebSocket requests are not supported"),
        Case(
            "a WebSocket URL", status: 2, "GET URL/text\n\n###\nGET wss://localhost/\n", "--> FILE:4:5",
            "^ WebSocket requests are not supported"),
        Case("a file of .env", "GET URL/echo?{{$dotenv KEY}}\n", "/echo?value"),
        Case(
            "a form of several lines", "POST URL/echo\nContent-Type: application/x-www-form-urlencoded\n\na=1\n&b=2\n",
            "a=1&b=2"),
        Case(
            "a script is reported", status: 5, "GET URL/text\n\n> {%\n  client.test()\n%}\n", "some text",
            "warning: FILE:3: the script is not run"),
        Case("--check reports a script", options: ["--check"], status: 5, "GET URL/text\n\n> check.js\n", "not run"),
        Case(
            "@prompt is reported", options: ["--variable", "n=1"], "# @prompt n\nGET URL/echo?{{n}}\n", "--variable n="),
        Case("a syntax error", status: 2, "GETT URL/text\n", "error: Parsing request line", "did you mean GET?"),
        Case(
            "an unknown environment", options: ["--env", "none"], status: 2, "GET URL/text\n",
            "unknown environment 'none'"),
        Case("an environment", options: ["--env", "dev"], "GET {{base}}/echo?{{count}}&{{all}}\n", "/echo?2&yes"),
        Case(
            "an environment with placeholders", options: ["--env", "dev"],
            "@own = 7\nGET {{url}}?{{twice}}&{{$shared all}}\n",
            "/echo?2-7-2-7&yes"),
        Case(
            "a private value with placeholders is a secret", options: ["--env", "dev"], status: 3,
            "GET ftp://h/{{bearer}}\n", "Invalid URL", "ftp://h/***"),
        Case(
            "an environment with an undefined variable", options: ["--env", "dev"], status: 3,
            "GET URL/echo?{{broken}}\n",
            "you must set the variable none", "--> FILE:1:"),
        Case("a URL without a scheme", "GET HOST/echo?a\n", "/echo?a"),
        Case("a request that is disabled with false", "# @disabled false\nGET URL/echo?a\n", "/echo?a"),
        Case(
            "a request that is disabled with true", "# @disabled true\nGET URL/echo?a\n###\nGET URL/echo?b", "/echo?b"),
        Case(
            "a condition of @disabled is reported, and the request is not sent", status: 5,
            "# @disabled until fixed\nGET URL/none\n###\nGET URL/echo?b\n", "/echo?b", "@disabled"),
        Case(
            "the file precedes an environment with placeholders", options: ["--env", "dev"],
            "GET URL/echo?{{url}}\n###\n@url = own\n", "/echo?own"),
        Case("variables of all environments", "GET URL/echo?{{all}}\n", "/echo?yes"),
        Case(
            "a private value is a secret", options: ["--env", "dev"], status: 3,
            "GET {{base}}/echo?{{token}}\n###\nGET {{token}}://x\n", "<***://x>"),
        Case(
            "the file precedes the environment", options: ["--env", "dev"], "@count = 3\nGET URL/echo?{{count}}\n",
            "/echo?3"),
        Case("--test", options: ["--test"], "GET URL/text\n", "FILE: Success (1 request(s)"),
        Case(
            "a reference without a dollar sign",
            "# @name login\nGET URL/json\n###\nGET URL/echo?{{login.response.body.token}}\n", "/echo?s3cret"),
        Case(
            "names with hyphens in a reference",
            "### first\nPOST URL/text\n\n{\"a-b\": [{\"c-d\": 1}]}\n###\nGET URL/echo?{{first.request.body.$.a-b[0].c-d}}{{first.request.body.$..c-d}}\n",
            "/echo?11"),
        Case("a version in lower case", "GET URL/text http/1.1\n", "some text"),
        Case("a path of several lines", "GET URL\n  /echo\n  ?a=1\n", "/echo?a=1"),
        Case(
            "a script between braces is reported", status: 5,
            "{{\nexports.x = 1;\n}}\nGET URL/text\n\n{{@post\nx\n}}\n",
            "some text", "FILE:1: the script is not run", "FILE:6: the script is not run"),
        Case(
            "a function as a variable is reported", status: 5, "@d = {{() => 1}}\nGET URL/text\n", "some text",
            "FILE:1: the script is not run"),
        Case("a name of several words", "# @name all the people\nGET URL/text\n", "some text"),
        Case("escapes in a variable", "@a = one\\ntwo\\t3\nPOST URL/echo\n\n{{a}}\n", "one\ntwo\t3"),
        Case("the name of a variable of .env", "@k = KEY\nGET URL/echo?{{$dotenv %k}}\n", "/echo?value"),
        Case("a random decimal number", "GET URL/echo?{{$random.float(1.25, 1.5)}}\n", "/echo?1."),
        Case(
            "a request of AWS is signed",
            "@key = SECRET\nGET URL/echo\nAuthorization: AWS ID {{key}} region:eu-west-1 token:T service:s3\n",
            "Authorization: AWS4-HMAC-SHA256 Credential=ID/", "/eu-west-1/s3/aws4_request", "X-Amz-Security-Token: T"),
        Case(
            "a value of the user is a secret and replaces that of the environment", options: ["--env", "dev"],
            "GET URL/echo?{{mine}}\n", "/echo?u5er"),
    ]

    @Test(arguments: EditorFileRunTests.cases.indices)
    func `a file has its output and errors`(index: Int) async throws {
        let test = Self.cases[index]
        try folder.write("from a {{file}}", to: "data.txt")
        try folder.write("KEY=value\n", to: ".env")
        try folder.write("{ f }", to: "query.txt")
        try await withServer(respond) { server in
            let base = String(server.url().dropLast())
            try folder.write(
                #"""
                {"$shared": {"all": "yes"}, "prod": {}, "dev": {"base": "\#(base)", "count": 2, "x": {},
                "url": "{{base}}/echo", "twice": "{{once}}-{{once}}", "once": "{{count}}-{{own}}", "broken": "{{none}}",
                "mine": "theirs"}}
                """#, to: "http-client.env.json")
            try folder.write(
                #"{"dev": {"token": "pr1vate", "bearer": "{{token}}"}}"#,
                to: "http-client.private.env.json")
            try folder.write(#"{"dev": {"mine": "u5er"}}"#, to: "http-client.env.json.user")
            let text = test.file.replacing("URL", with: base)
                .replacing("HOST", with: base.replacing("http://", with: ""))
            let path = try folder.write(text, to: "f.http")
            let run = await runTool(["run"] + test.options + [path])
            let all = run.output + run.errors
            #expect(run.status == test.status, "\(test): \(all)")
            for text in test.texts {
                #expect(all.contains(text.replacing("FILE", with: path)), "\(test), \(text): \(all)")
            }
            #expect(!run.errors.contains("pr1vate"), "\(run.errors)")
        }
    }

    @Test func `a link to a file outside the root is an error`() async throws {
        let (inside, outside) = (folder.file("in"), try folder.write("s3cret", to: "out/key"))
        try folder.write("ours", to: "in/data.txt")
        for (name, target) in [("link", outside), ("d", folder.file("out")), ("new", folder.file("out/new"))] {
            try #require(symlink(target, "\(inside)/\(name)") == 0)
        }
        try #require(symlink("data.txt", "\(inside)/own") == 0)
        try await withServer(respond) { server in
            let post = "POST \(server.url("/echo"))\n\n"
            let get = "GET \(server.url("/text"))\n"
            for (name, text) in [
                ("a.http", "\(post)< link\n"), ("b.http", "\(post)< d/key\n"), ("c.http", "\(get)\n>>! link\n"),
                ("d.http", "\(get)\n>> new\n"), ("e.http", "\(get)\n>> d/other\n"),
                ("f.hurl", "\(post.dropLast())file,link;\n"), ("g.hurl", "\(get)[Options]\noutput: link\n"),
                ("h.hurl", "\(post.dropLast(2))\n[Multipart]\nf: file,link;\n"),
            ] {
                let run = await runTool("run", try folder.write(text, to: "in/\(name)"))
                #expect(run.status == 3 && run.errors.contains("unauthorized"), "\(name): \(run.errors)")
            }
            let own = await runTool("run", try folder.write("\(post)< own\n", to: "in/own.http"))
            #expect(own.status == 0 && own.output.contains("ours"), "\(own.errors)")
            #expect(try folder.text(of: "out/key") == "s3cret")
            #expect(folder.list("out") == ["key"])
            #expect(server.requests.allSatisfy { !$0.text.contains("s3cret") })
        }
    }

    @Test func `a request without cookies`() async throws {
        try await withServer(respond) { server in
            let base = String(server.url().dropLast())
            let text = "GET \(base)/cookie\n###\n# @no-cookie-jar\nGET \(base)/echo\n"
            let run = await runTool("run", try folder.write(text, to: "f.rest"))
            #expect(run.status == 0 && run.output.contains("/echo") && !run.output.contains("kept"), "\(run)")
        }
    }

    @Test func `responses are saved to files, and existing ones are kept`() async throws {
        try await withServer(respond) { server in
            let text = "GET \(server.url("/text"))\n\n>> out.txt\n"
            let path = try folder.write(text, to: "f.http")
            #expect(await runTool("run", path).status == 0)
            #expect(try folder.text(of: "out.txt") == "some text")
            try folder.write("old", to: "out.txt")
            let run = await runTool("run", path)
            #expect(run.status == 0 && run.errors.contains("exists, and the response is not saved"), "\(run.errors)")
            #expect(try folder.text(of: "out.txt") == "old")
            let replacing = await runTool("run", try folder.write(text.replacing(">>", with: ">>!"), to: "f.http"))
            #expect(replacing.status == 0)
            #expect(try folder.text(of: "out.txt") == "some text")
            let outside = await runTool("run", try folder.write(text.replacing(">> ", with: ">> ../"), to: "f.http"))
            #expect(outside.status == 3 && outside.errors.contains("unauthorized access"), "\(outside.errors)")
        }
    }

    @Sendable private func respond(to request: RecordedRequest) throws -> LocalServer.Response {
        switch request.path {
        case "/text": .ok("some text")
        case "/json": .json(#"{"token": "s3cret"}"#)
        case "/echo": .ok("\(request.target)\n\(request.headText)\n\(request.text)")
        case "/redirect": .redirect(to: "/text")
        case "/cookie": .ok("set").header("Set-Cookie", "kept=yes; Path=/")
        case "/slow": .silence
        default: .status(404, "nothing")
        }
    }
}
