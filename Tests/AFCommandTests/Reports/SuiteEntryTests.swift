import TestSupport
import Testing

@testable import AFCommand
@testable import AFHurl

/// `--save`: requests with their expectations as entries of a Hurl file.
@Suite(.timeLimit(.minutes(1))) struct SuiteEntryTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let cases: [(words: [String], texts: [String])] = [
        (["get", "URL/a"], ["GET URL/a\n\nHTTP *\n[Asserts]\nstatus < 300\n"]),
        (["URL/a", "--expect-status", "200"], ["HTTP 200\n"]),
        (["URL/a", "--expect-status", "2xx"], ["HTTP *\n[Asserts]\nstatus >= 200\nstatus <= 299\n"]),
        (["URL/a", "X-A:b #1"], ["\nX-A: b \\#1\n"]),
        (["put", "URL/a", "name=Ada", "n:=1"], ["PUT URL/a\n{", #""name""#]),
        (["URL/a", "--raw", "two\nlines", "Content-Type:text/plain"], [#"`two\nlines`"#]),
        (
            [
                "URL/a", "--expect-json", "a.list[0] == 1", "--expect-json", "absent b", "--expect-json",
                "a type object",
            ],
            [
                #"jsonpath "$['a']['list'][0]" == 1"#, #"jsonpath "$['b']" not exists"#,
                #"jsonpath "$['a']" isObject"#,
            ]
        ),
        (["URL/a", "--expect-json", "length(a.list) > 0"], [#"jsonpath "$['a']['list']" count > 0"#]),
        (["URL/a", "--expect-json", "s == up"], [#"jsonpath "$['s']" == "up""#]),
        (
            ["URL/a", "--expect-header", "X-V: 1", "--expect-header", "absent X-W"],
            ["HTTP *\nX-V: 1\n", #"header "X-W" not exists"#]
        ),
        (["URL/a", "--expect-body", "up", "--expect-body", "/u./"], [#"body contains "up""#, #"body matches "u.""#]),
        (["URL/a", "--budget", "total=20s"], ["duration <= 20000"]),
        (["URL/a", "--follow", "--max-time", "2.5m"], ["location: true", "max-time: 150000ms"]),
    ]

    @Test(arguments: cases.indices)
    func `a request is saved with its expectations, and run again`(index: Int) async throws {
        let test = Self.cases[index]
        try await withServer { _ in
            .json(#"{"a": {"list": [1]}, "s": "up"}"#).header("X-V", "1")
        } _: { server in
            let base = String(server.url().dropLast())
            let path = folder.file("s.hurl")
            let words = test.words.map { $0.replacing("URL", with: base) }
            let run = await runTool(words + ["--save", path])
            #expect(run.status == 0, "\(run.errors)")
            let text = try folder.text(of: "s.hurl")
            for expected in test.texts { #expect(text.contains(expected.replacing("URL", with: base)), "\(text)") }
            let again = await runTool("run", "--test", path)
            #expect(again.status == 0, "\(text)\n\(again.errors)")
        }
    }

    /// The requests, and the warnings about what an entry does not express.
    private static let requests: [(words: [String], warnings: [String])] = [
        (["--expect-header", "X-T: 2", "--expect-header", "X-T ~ 2"], ["--expect-header X-T ~ /2/"]),
        (
            ["--expect-json", "count(one[])==1", "--expect-json", "count(none[])==0"],
            ["--expect-json count(none[])==0"]
        ),
        (["--expect-json", "count(all[0:1])==1"], ["--expect-json count(all[0:1])==1"]),
        (["--expect-json", "length(s)==2", "--expect-json", "length(all)==2"], ["--expect-json length(s)==2"]),
        (["post", "--raw", "{\"a\": 1}", "Content-Type:"], []), (["post", "a=1", "Content-Type:"], []),
        (["post", "a={{b}}", "c=`#\"\\"], []), (["post", "--raw", "a\n# b `{{c}}`\n"], []),
        (["post", "--raw", "a", "Content-Length:1", "X-A: {{b}} #"], []), (["post", "--chunked", "a=1"], []),
        (["-F", "a=1", "-F", "f=@DIR/data;filename=x"], ["the file name of the part 'f'"]),
        (["post", "@DIR/data"], []), (["put", "-T", "DIR/sub/data"], []),
        (["-A", "aws-sigv4", "-a", "k:s3cret:r:s"], []), (["-A", "digest", "-a", "ada:s3cret"], []),
        (["post", "-xx", "a=1"], ["the body, which is neither text nor a file"]),
        (["--transfer-coding"], ["--transfer-coding"]), (["--timeout", "5"], ["--timeout"]),
        (["--ssl", "tls1.2"], ["--ssl"]), (["--follow"], []), (["--retry", "3"], []),
        (["-d", "-o", "DIR/saved", "--create-dirs", "--remote-time"], []),
        (["put", "-T", "/etc/hostname"], ["/etc/hostname"]),
    ]

    @Test(arguments: requests.indices)
    func `an entry sends the same request again and accepts its response, or a warning names the difference`(index: Int)
        async throws
    {
        let (words, warnings) = Self.requests[index]
        try folder.write("from a file", to: "data")
        _ = try folder.folder("sub")
        try folder.write("from another file", to: "sub/data")
        try await withServer { _ in
            .json(#"{"one": [1], "all": [1, 2], "s": "up"}"#).header("X-T", "1").header("X-T", "2")
        } _: { server in
            let path = folder.file("s.hurl")
            let methods = words.prefix { ["post", "put"].contains($0) }
            let others = words.dropFirst(methods.count).map { $0.replacing("DIR", with: folder.path) }
            let run = await runTool(methods + [server.url(), "--save", path] + others)
            #expect(run.status == 0, "\(run.errors)")
            let shown = run.messages.filter { $0.contains("warning") }
            #expect(shown.count == warnings.count, "\(run.errors)")
            for warning in warnings { #expect(shown.contains { $0.contains(warning) }, "\(run.errors)") }
            let secrets = ["password", "secret"].flatMap { ["--secret", "\($0)=s3cret"] }
            let root = warnings.contains("/etc/hostname") ? ["--file-root", "/"] : []
            let text = try folder.text(of: "s.hurl")
            let again = await runTool(["run", "--test"] + secrets + root + [path])
            #expect(again.status == 0, "\(text)\n\(again.errors)")
            guard warnings.isEmpty, !words.contains("-F") else { return }
            let requests = server.requests
            #expect(requests.first?.text == requests.last?.text && requests.first?.method == requests.last?.method)
            #expect(requests.first?["Content-Type"] == requests.last?["Content-Type"])
            #expect(requests.first?["X-A"] == requests.last?["X-A"])
        }
    }

    @Test(arguments: ["M-SEARCH", "get"])
    func `a method that a Hurl file does not have is an error`(method: String) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("-X", method, server.url(), "--save", folder.file("s.hurl"))
            #expect(run.status == 64 && run.errors.contains("a Hurl file has no method '\(method)'"), "\(run.errors)")
            #expect(folder.list().isEmpty && server.requests.isEmpty)
        }
    }

    @Test func `paths of certificates are absolute`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let path = folder.file("s.hurl")
            try folder.write("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", to: "ca.pem")
            let run = await runTool(server.url(), "--cacert", folder.path + "/./ca.pem", "--save", path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.text(of: "s.hurl").contains("cacert: \(folder.file("ca.pem"))\n"))
        }
    }

    @Test func `a value that is only expected to exist is captured`() async throws {
        try await withServer { _ in
            .json(#"{"user": {"id": 7, "api_key": "s3cret"}, "list": [1]}"#)
        } _: { server in
            let path = folder.file("s.hurl")
            let run = await runTool(
                server.url(), "--expect-json", "user.id", "--expect-json", "user.api_key", "--expect-json", "list[0]",
                "--save", path)
            #expect(run.status == 0, "\(run.errors)")
            let text = try folder.text(of: "s.hurl")
            #expect(text.contains("[Captures]\nid: jsonpath \"$['user']['id']\"\n"), "\(text)")
            #expect(text.contains("\napi_key: jsonpath \"$['user']['api_key']\" redact\n[Asserts]\n"), "\(text)")
            #expect(await runTool("run", "--test", path).status == 0)
        }
    }

    @Test func `typed fields are saved, and default ones are not`() async throws {
        try await withServer { _ in
            .json("{}")
        } _: { server in
            let path = folder.file("s.hurl")
            let run = await runTool(
                server.url(), "Accept:text/plain", "User-Agent:mine", "Connection:close", "--save", path)
            #expect(run.status == 0, "\(run.errors)")
            let text = try folder.text(of: "s.hurl")
            for field in ["Accept: text/plain", "User-Agent: mine", "Connection: close"] {
                #expect(text.contains("\n\(field)\n"), "\(text)")
            }
            #expect(!text.contains("Accept-Encoding") && !text.contains("compressed"), "\(text)")
        }
    }

    @Test func `requests are added, and secrets are variables`() async throws {
        try await withServer {
            .json(#"{"auth": "\#($0["Authorization"] ?? "")"}"#)
        } _: { server in
            let path = folder.file("s.hurl")
            let first = await runTool(server.url(), "-a", "ada:pa55word", "--save", path)
            let second = await runTool(server.url(), "Authorization:Bearer t0ken", "--save", path)
            #expect(first.status == 0 && second.status == 0, "\(first.errors)\(second.errors)")
            #expect(second.errors.contains("--secret token=VALUE"), "\(second.errors)")
            let text = try folder.text(of: "s.hurl")
            #expect(!text.contains("pa55word") && !text.contains("t0ken"), "\(text)")
            #expect(text.contains("[BasicAuth]\nada: {{password}}\n"), "\(text)")
            #expect(text.contains("\nAuthorization: Bearer {{token}}\n"), "\(text)")
            let run = await runTool("run", "--test", "--secret", "password=x", "--secret", "token=y", path)
            #expect(run.status == 0 && run.errors.contains("(2 request(s)"), "\(run.errors)")
        }
    }

    @Test func `a failed request is not saved, and other files are not accepted`() async throws {
        try await withServer { _ in
            .status(404, "")
        } _: { server in
            let path = folder.file("s.hurl")
            let failed = await runTool(server.url(), "--save", path)
            #expect(failed.status == 4)
            #expect(failed.errors.contains("afcli: the run failed, so the request was not added to \(path)\n"))
            #expect(FileStatus(path) == nil)
            let run = await runTool(server.url(), "--save", folder.file("s.txt"))
            #expect(run.status == 64 && run.errors.contains("expected the name of a .hurl file"), "\(run.errors)")
        }
    }

    @Test func `secrets of other origins and fields have other names`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let path = folder.file("s.hurl")
            let other = server.url("/x").replacing("127.0.0.1", with: "localhost")
            let commands: [[String]] = [
                [server.url("/a"), "X-Api-Key:one", "-a", "u:one"], [server.url("/b?token=two"), "X-Api-Key:one"],
                [other, "X-Api-Key:three", "-a", "u:three"], [server.url("/c"), "-a", "u:one", "Cookie:a=4; b=5"],
            ]
            var notes: [String] = []
            for words in commands {
                let run = await runTool(words + ["--save", path])
                #expect(run.status == 0, "\(run.errors)")
                notes += run.messages.filter { $0.contains("secrets are variables") }
            }
            let text = try folder.text(of: "s.hurl")
            let lines = text.split(separator: "\n").filter { $0.contains("{{") }.map(String.init)
            #expect(
                lines == [
                    "X-Api-Key: {{secret}}", "u: {{password}}",
                    "GET \(server.url("/b"))?token={{secret2}}", "X-Api-Key: {{secret}}",
                    "X-Api-Key: {{secret3}}", "u: {{password2}}",
                    "Cookie: a={{cookie}}; b={{cookie2}}", "u: {{password}}",
                ], "\(text)")
            #expect(notes[1].contains("--secret secret=VALUE --secret secret2=VALUE"), "\(notes)")
        }
    }

    @Test func `the cookies of a session are not repeated`() async throws {
        try await withServer { request in
            request.path == "/login" ? .ok().header("Set-Cookie", "sid=s3cret; Path=/") : .ok(request["Cookie"] ?? "")
        } _: { server in
            let options = ["--session", folder.file("s.json"), "--save", folder.file("s.hurl")]
            for words in [[server.url("/login")], [server.url("/a")], [server.url("/b"), "Cookie:typed=1"]] {
                let run = await runTool(words + options)
                #expect(run.status == 0, "\(run.errors)")
            }
            let lines = try folder.text(of: "s.hurl").split(separator: "\n").filter { $0.hasPrefix("Cookie") }
            #expect(lines == ["Cookie: typed={{cookie}}"])
            let run = await runTool("run", "--secret", "cookie=1", folder.file("s.hurl"))
            #expect(run.status == 0 && server.requests.last?["Cookie"]?.contains("sid=s3cret") == true, "\(run)")
        }
    }

    @Test(arguments: [
        (["--wait", "5s"], "retry: 5", 0), (["--wait", "1s", "--retry-delay", "0"], "retry: 1000\n", 0),
        (["--retry", "2", "--retry-delay", "1"], "retry: 2\nretry-interval: 1s", 0),
        (["post", "--raw", #"{"a": b}"#], "POST", 1), (["post", "--raw", "{a:1}"], "POST", 1),
    ])
    func `retries have their options, and a body that may have secrets is left out`(
        words: [String], text: String, warnings: Int
    ) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let methods = Array(words.prefix { $0 == "post" })
            let others = words.dropFirst(methods.count)
            let run = await runTool(methods + [server.url()] + others + ["--save", folder.file("s.hurl")])
            #expect(run.status == 0 && run.messages.count { $0.contains("warning") } == warnings, "\(run.errors)")
            let saved = try folder.text(of: "s.hurl")
            #expect(saved.contains(text) && !saved.contains("{{") && !saved.contains("2147483647"), "\(saved)")
        }
    }

    @Test(arguments: [Array("GARBAGE {{\n".utf8), Array("GET http://h/\nX: ".utf8) + [0xFC, 0x0A]])
    func `no entry is added to another file`(content: [UInt8]) async throws {
        let path = try folder.write(content, to: "s.hurl")
        let run = await runTool("http://127.0.0.1:1/", "--save", path)
        #expect(run.status == 64 && run.errors.contains("'\(path)' is no Hurl file"), "\(run.errors)")
        #expect(try folder.bytes(of: "s.hurl") == content)
    }

    @Test(arguments: [
        ("GET http://h/\nX-Key: {{ secret }}\n", "X-Key", "secret2"),
        ("GET URL\nX-Key: {{ secret }}\n", "X-Key", "secret"),
        ("GET http://h/\nHTTP 200\n[Captures]\nsecret: body\n", "X-Key", "secret2"),
        ("GET http://h/\n[Options]\nvariable: secret=1\n", "X-Key", "secret2"),
        ("GET URL\nA-X-Key: {{secret}}\n", "X-Key", "secret2"),
    ])
    func `a variable of the file has its name`(file: String, field: String, name: String) async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let path = try folder.write(file.replacing("URL", with: server.url()), to: "s.hurl")
            let run = await runTool(server.url(), "\(field):value", "--save", path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.text(of: "s.hurl").contains("\n\(field): {{\(name)}}\n"))
        }
    }

    @Test func `fields of one name have different variables in each entry`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for _ in 0..<2 {
                let words = [server.url(), "X-Key:a", "X-Key:b", "--save", folder.file("s.hurl")]
                #expect(await runTool(words).status == 0)
            }
            let lines = try folder.text(of: "s.hurl").split(separator: "\n").filter { $0.hasPrefix("X-Key") }
            #expect(lines == ["X-Key: {{secret}}", "X-Key: {{secret2}}", "X-Key: {{secret}}", "X-Key: {{secret2}}"])
        }
    }

    @Test func `expectations without a counterpart are reported`() async throws {
        try await withServer { _ in
            .json(#"[{"id": 1}]"#)
        } _: { server in
            let path = folder.file("s.hurl")
            let run = await runTool(
                server.url(), "--expect-json", "any([].id) == 1", "--expect-status", "200,204", "--save", path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("no counterpart of --expect-json any([].id) == 1"), "\(run.errors)")
            #expect(run.errors.contains("no counterpart of --expect-status 200,204"), "\(run.errors)")
        }
    }
}
