import AFJSON
import TestSupport
import Testing

@testable import AFCommand

/// The reports and the error formats of `afcli run`.
@Suite(.timeLimit(.minutes(2))) struct FileRunReportTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let file = """
        POST URL/first?a=1&b+c=%C3%A9&d
        X-A: it's
        [Options]
        location: true
        `t0psecret`
        HTTP 200
        [Captures]
        name: jsonpath "$.name"
        [Asserts]
        status == 200
        jsonpath "$.name" == "Bob"

        """

    @Test func `--json prints a line for each file`() async throws {
        let run = try await self.run(["--json"])
        #expect(run.status == 4, "\(run.errors)")
        #expect(!run.output.contains("t0psecret"))
        let result = try JSONText(run.output)
        #expect(result["success"] == .flag(false))
        #expect(result["filename"]?.string?.hasSuffix("f.hurl") == true)
        let entry = try #require(result["entries"]?.elements?.first)
        #expect(entry["index"]?.number == 1 && entry["line"]?.number == 1)
        let calls = try #require(entry["calls"]?.elements)
        #expect(calls.compactMap { $0["response"]?["status"]?.number } == [302, 200])
        let query = try #require(calls[0]["request"]?["query_string"]?.elements)
        #expect(query.map { $0["name"]?.string } == ["a", "b c", "d"])
        #expect(query.map { $0["value"]?.string } == ["1", "é", ""])
        #expect((calls[0]["timings"]?["total"]?.number ?? 0) > 0)
        #expect(entry["captures"]?.elements?.first?["value"]?.string == "Ada")
        let asserts = try #require(entry["asserts"]?.elements)
        #expect(asserts.compactMap { $0["line"]?.number } == [6, 6, 10, 11])
        #expect(asserts.map { $0["success"] } == [.flag(true), .flag(true), .flag(true), .flag(false)])
        #expect(result["cookies"]?.elements?.first?["name"]?.string == "kept")
        #expect(entry["curl_cmd"]?.string?.hasPrefix("curl --header 'X-A: it'\\''s' ") == true)
    }

    @Test(arguments: [
        ("HTTP/1.1 404", ["", "Assert status code"]), ("HTTP/2 200", ["Assert HTTP version", ""]),
        ("HTTP/2 404", ["Assert HTTP version", "Assert status code"]),
    ])
    func `the version and the status are checks of their own`(line: String, titles: [String]) async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let path = try folder.write("GET \(server.url())\n\(line)\n", to: "f.hurl")
            let run = await runTool("run", "--json", path)
            let asserts = try #require(try JSONText(run.output)["entries"]?.elements?.first?["asserts"]?.elements)
            let messages = asserts.map { $0["message"]?.string?.prefix { $0 != "\n" } ?? "" }
            #expect(messages.map(String.init) == titles, "\(run.output)")
        }
    }

    @Test func `--report-json adds to a report and stores bodies without secrets`() async throws {
        for count in 1...2 {
            _ = try await run(["--report-json", folder.file("report")])
            let list = try #require(try JSONText(folder.text(of: "report/report.json")).elements)
            #expect(list.count == count)
            let calls = list[0]["entries"]?.elements?.first?["calls"]?.elements
            let path = try #require(calls?.last?["response"]?["body"]?.string)
            #expect(try folder.text(of: "report/\(path)") == #"{"name": "Ada", "s": "***"}"#)
        }
    }

    @Test func `JUnit and TAP reports have a test case for each entry, with the response of a failure`() async throws {
        let text = """
            # Four entries, of which two are not run.
            GET URL/a?token=t0psecret
            HTTP 200

            GET URL/b
            [Options]
            skip: true

            POST URL/c
            HTTP 200
            [Asserts]
            jsonpath "$.id" == 2
            jsonpath "$.id" == 3

            GET URL/d

            """
        try await withServer { request in
            request.path == "/c" ? .json(#"{"id": 1, "password": "s3cret"}"#) : .ok("ok")
        } _: { server in
            let path = try folder.write(text.replacing("URL/", with: server.url()), to: "cases.hurl")
            let run = await runTool(
                "run", "--report-junit", folder.file("junit"), "--report-tap", folder.file("tap"), path)
            #expect(run.status == 4)
            let junit = try folder.text(of: "junit")
            let counts = #"tests="4" errors="0" failures="1" skipped="2" time="0."#
            #expect(junit.contains("<testsuite name=\"\(path)\" \(counts)"), "\(junit)")
            #expect(junit.contains(#"name="line 2: GET \#(server.url("/a"))?token=***" time="0."#), "\(junit)")
            #expect(junit.split(separator: "<failure message=\"Assert failure\">").count == 3, "\(junit)")
            #expect(junit.split(separator: "<skipped/>").count == 3, "\(junit)")
            let head = "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"
            let evidence = (head + #"{"id": 1, "password": "***"}"#).xmlEscaped
            #expect(junit.contains("<system-out>\(evidence)</system-out>"), "\(junit)")
            let tap = try folder.text(of: "tap")
            #expect(tap.hasPrefix("TAP version 13\n1..4\nok 1 - \(path), line 2: GET "), "\(tap)")
            #expect(tap.contains("\nok 2 - \(path), line 5: GET \(server.url("/b")) # SKIP not run\n"), "\(tap)")
            #expect(tap.contains("\nnot ok 3 - \(path), line 9: POST "), "\(tap)")
            #expect(tap.contains("\n  - |\n    HTTP/1.1 200 OK\n"), "\(tap)")
            #expect(!(junit + tap).contains("t0psecret") && !(junit + tap).contains("s3cret"))
        }
    }

    /// The lines of a secret, one of which is too short to be masked alone.
    private static let lines = ["KEYLINE1s3cret", "x", "KEYLINE2s3cret"]

    @Test(arguments: [
        "{{s}}\n```\nHTTP 200\n[Asserts]\nbody == \"y\"\n", "{{s}}\n```\nHTTP 200\n`y`\n",
        "a{{s}}b\n```\nHTTP 404\n", "{{s}}\n```\nHTTP 200\n[Captures]\nt: body redact\n[Asserts]\nbody == \"y\"\n",
        "{\"a\": \"{{s}}\"}\n```\nHTTP 200\n```\n{\n```\n",
        "{{s}}\n```\nHTTP 200\n[Captures]\nt: jsonpath \"$.a\"\n",
    ])
    func `a secret of several lines is in no message and no report`(rest: String) async throws {
        let text = "POST URL?secret\n```\n\(rest)"
        for isRedacted in [false, true] {
            let shown = try await shown(
                isRedacted ? "GET URL\nHTTP 200\n[Captures]\ns: body redact\n\n\(text)" : text,
                isRedacted ? [] : ["--secret", "s=" + Self.lines.joined(separator: "\n")])
            for line in [Self.lines[0], Self.lines[2], "<x", " x\n", "+x\n", "* x"] {
                #expect(!shown.contains(line), "\(shown)")
            }
            #expect(shown.contains("***") && shown.contains("* Response body:"), "\(shown)")
        }
    }

    /// Returns the log, the error and all reports of a file that fails at a server that returns bodies.
    private func shown(_ text: String, _ options: [String]) async throws -> String {
        try await withServer { request in
            .ok(request.method == "GET" ? Self.lines.joined(separator: "\n") : request.text)
        } _: { server in
            let path = try folder.write(text.replacing("URL", with: server.url()), to: "f.hurl")
            let reports = ["junit", "tap", "json", "html"].flatMap { ["--report-\($0)", folder.file("r-\($0)")] }
            for name in ["r-junit", "r-tap"] { try folder.write("", to: name) }
            let run = await runTool(
                ["run", "--json", "--very-verbose", "--error-format", "long", "--curl", folder.file("r-curl")]
                    + reports + options + [path])
            #expect(run.status >= 3, "\(run.errors)")
            let names = ["r-junit", "r-tap", "r-json/report.json", "r-html/index.html", "r-curl"]
            return try run.errors + run.output + names.map { try folder.text(of: $0) }.joined()
        }
    }

    @Test func `--report-html writes a page without scripts and secrets`() async throws {
        _ = try await run(["--report-html", folder.file("page")])
        let text = try folder.text(of: "page/index.html")
        #expect(text.contains("<h1>1 files, 1 failed</h1>") && text.contains("POST http://127.0.0.1:"), "\(text)")
        #expect(text.contains("string &lt;Ada&gt;") && text.contains("<li class=\"failed\">line 11</li>"), "\(text)")
        #expect(!text.contains("t0psecret") && !text.contains("<script") && !text.contains("src="))
    }

    @Test(arguments: [["-v"], ["--verbose"], ["--very-verbose"], ["--verbosity", "debug"]])
    func `--verbose logs requests and responses without secrets`(options: [String]) async throws {
        let run = try await self.run(options)
        for line in [
            "* Executing entry 1", "> POST /", "> X-A: it's", "< HTTP/1.1 302", "< HTTP/1.1 200",
            "* curl --header", "* Cookie store:", "* Request:",
        ] {
            #expect(run.errors.contains(line), "\(run.errors)")
        }
        #expect(!run.errors.contains("t0psecret"))
        #expect(!(try await self.run(["--verbosity", "brief"])).errors.contains("* Executing"))
    }

    @Test(arguments: ["junit", "tap"])
    func `another file is not overwritten by a report`(format: String) async throws {
        try folder.write("text\n", to: "other")
        let run = try await self.run(["--report-\(format)", folder.file("other")])
        #expect(run.status == 127)
        #expect(run.errors.contains("is not a report of this format"), "\(run.errors)")
        #expect(try folder.text(of: "other") == "text\n")
    }

    @Test func `another file is no report`() async throws {
        _ = try folder.folder("report")
        try folder.write("{}", to: "report/report.json")
        let run = try await self.run(["--report-json", folder.file("report")])
        #expect(run.status == 127)
        #expect(run.errors.contains("is not a JSON report"), "\(run.errors)")
        #expect(try folder.text(of: "report/report.json") == "{}")
    }

    @Test func `--curl writes commands without secrets`() async throws {
        _ = try await run(["--curl", folder.file("commands")])
        let text = try folder.text(of: "commands")
        #expect(text.contains("--data '***' --location 'http://127.0.0.1:"), "\(text)")
        #expect(text.split(separator: "\n").count == 1)
    }

    /// Entries whose requests a command of curl repeats, with its last words.
    private static let commands = [
        ("GET URL?x=a b&y={1,2}&z=[1-3]", " --globoff 'URL?x=a%20b&y=%7B1,2%7D&z=[1-3]'"),
        ("GET URLa/../b", " 'URLb'"),
        ("GET URLa/../b\n[Options]\npath-as-is: true", " --path-as-is 'URLa/../b'"),
        (
            "POST URL\nhex,00ff0a255c2d;",
            #"printf '\000\377\012%%\134-' | curl --header 'Content-Type:' --data-binary '@-' 'URL'"#
        ),
        ("POST URL\nfile,bin.dat;", "--data-binary '@FOLDER/bin.dat' 'URL'"),
        ("POST URL\nfile,text.txt;", "--data 'a' 'URL'"),
        (
            "POST URL\n[Multipart]\nf: file,da\\ ta\\;x.bin; text/plain",
            #"--form 'f=@"FOLDER/da ta;x.bin";type=text/plain' 'URL'"#
        ),
        ("POST URL\n[Options]\nheader: Content-Type: a/b\n{}", "curl --data '{}' --header 'Content-Type: a/b' 'URL'"),
        ("POST URL\n[Options]\nno-header: Content-Type\n{}", "curl --data '{}' --header 'Content-Type:' 'URL'"),
        ("POST URL\n`it's {{q}}`", #"--data 'it'\''s ***' 'URL'"#),
    ]

    @Test(arguments: commands)
    func `a command of curl sends the same request`(entry: String, command: String) async throws {
        try await withServer { _ in
            .ok("ok")
        } _: { server in
            try folder.write([0, 255] as [UInt8], to: "bin.dat")
            for name in ["text.txt", "da ta;x.bin"] { try folder.write("a", to: name) }
            let path = try folder.write(entry.replacing("URL", with: server.url()) + "\n", to: "f.hurl")
            let run = await runTool("run", "--secret", "q=o'brien", "--curl", folder.file("commands"), path)
            #expect(run.status == 0, "\(run.errors)")
            let text = try folder.text(of: "commands")
            let end = command.replacing("URL", with: server.url()).replacing("FOLDER", with: folder.path)
            #expect(text.hasSuffix(end + "\n"), "\(text)")
        }
    }

    @Test func `a command of curl has the cookies of the store`() async throws {
        try await withServer { _ in
            .ok("ok").header("Set-Cookie", "sid=1; Path=/")
        } _: { server in
            let entries = ["", "[Cookies]\nme: you\n", "Cookie: a=b\n"].map { "GET URL\n\($0)" }
            let text = entries.joined(separator: "\n").replacing("URL", with: server.url())
            let run = await runTool("run", "--curl", folder.file("commands"), try folder.write(text, to: "f.hurl"))
            #expect(run.status == 0, "\(run.errors)")
            let commands = ["", "--cookie 'me=you; sid=1' ", "--header 'Cookie: a=b' "].map {
                "curl \($0)'\(server.url())'\n"
            }
            #expect(try folder.text(of: "commands") == commands.joined())
        }
    }

    @Test func `--error-format long shows the response`() async throws {
        let long = try await run(["--error-format", "long"])
        #expect(long.errors.contains("\n\nHTTP/1.1 200\n"), "\(long.errors)")
        #expect(long.errors.contains(#"{"name": "Ada", "s": "***"}"#), "\(long.errors)")
        let credentials = ["--user", "ada:s3cret", "--header", "X-Api-Key: key-12345"]
        let masked = try await run(["--error-format", "long"] + credentials)
        #expect(masked.errors.contains("X-Api-Key: ***"), "\(masked.errors)")
        #expect(!masked.errors.contains("s3cret") && !masked.errors.contains("key-12345"), "\(masked.errors)")
        #expect(long.errors.contains("X-Auth-Token: ***") && !long.errors.contains("t0ken"), "\(long.errors)")
        let short = try await run(["--error-format", "short"])
        #expect(!short.errors.contains("HTTP/1.1 200 OK"))
    }

    @Test(arguments: [
        ("*.hurl", ["b.hurl", "f.hurl"]), ("**/*.hurl", ["b.hurl", "f.hurl", "x/y/c.hurl"]),
        ("x/?/c.hurl", ["x/y/c.hurl"]),
        ("[a-c].hurl", ["b.hurl"]), ("none*", []),
    ])
    func `--glob runs the files of a pattern`(pattern: String, names: [String]) async throws {
        _ = try folder.folder("x")
        _ = try folder.folder("x/y")
        for name in ["b.hurl", "f.hurl", "x/y/c.hurl", "d.txt"] { try folder.write("# empty\n", to: name) }
        let run = await runTool("run", "--glob", folder.file(pattern))
        #expect(run.status == (names.isEmpty ? 1 : 0), "\(run.errors)")
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("warning") }
        #expect(lines.map(String.init) == names.map { "warning: no entry in file \(folder.file($0))" })
        if names.isEmpty { #expect(run.errors.contains("no file matches")) }
    }

    private func run(_ options: [String]) async throws -> ToolRun {
        try await withServer { request in
            switch request.path {
            case "/first": .redirect(to: "/second").header("Set-Cookie", "kept=yes; Path=/")
            case _ where options.contains("long"):
                .json(#"{"name": "Ada", "s": "t0psecret"}"#).header("X-Auth-Token", "t0ken-123456")
            default: .json(#"{"name": "Ada", "s": "t0psecret"}"#)
            }
        } _: { server in
            let path = try folder.write(Self.file.replacing("URL", with: String(server.url().dropLast())), to: "f.hurl")
            return await runTool(["run", "--secret", "s=t0psecret"] + options + [path])
        }
    }
}
