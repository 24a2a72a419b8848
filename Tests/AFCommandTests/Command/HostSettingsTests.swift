import TestSupport
import Testing

@testable import AFCommand

/// `hosts` in the configuration file.
@Suite(.timeLimit(.minutes(5))) struct HostSettingsTests {
    let folder: ScratchFolder
    private let world: ToolWorld

    init() throws {
        folder = try ScratchFolder()
        world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path])
    }

    private func configure(_ hosts: String, options: String = "[]") throws {
        try folder.write(#"{"default_options": \#(options), "hosts": \#(hosts)}"#, to: "config.json")
    }

    private func run(_ words: [String], variables: [String: String] = [:]) async -> ToolRun {
        await runTool(words, in: world.with(variables: variables).withoutConfiguration)
    }

    /// The header of the request that would be sent, with errors before it.
    private func head(_ words: String..., variables: [String: String] = [:]) async -> [String] {
        let run = await run(["--offline", "--show-secrets", "-p", "H"] + words, variables: variables)
        return (run.errors + run.output).split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test func `the command line precedes the host, and the host the default options`() async throws {
        let headers = #""headers": {"X-A": "host", "X-B": "host"}"#
        try configure(
            #"{"api.example.org": {"options": ["-X", "PUT", "-a", "env:LOGIN"], \#(headers)}}"#,
            options: #"["-X", "PATCH", "--form"]"#)
        let variables = ["LOGIN": "ada:secret"]
        let plain = await head("api.example.org", variables: variables)
        #expect(plain.first == "PUT / HTTP/1.1")
        #expect(plain.contains("X-A: host") && plain.contains("X-B: host"))
        #expect(plain.contains { $0.hasPrefix("Authorization: Basic ") })
        let typed = await head(
            "-X", "POST", "api.example.org", "X-A:typed", "-H", "X-B;", "-a", "x:y", variables: variables)
        #expect(typed.first == "POST / HTTP/1.1")
        #expect(typed.contains("X-A: typed") && !typed.contains("X-A: host"))
        #expect(!typed.contains("X-B: host"))
        #expect(typed.contains("Authorization: Basic eDp5"))
        let undone = await head("--no-auth", "api.example.org", variables: variables)
        #expect(!undone.contains { $0.hasPrefix("Authorization") })
        // The secret of another host is not read.
        #expect(await head("example.org").first == "PATCH / HTTP/1.1")
    }

    @Test(arguments: [
        ("example.org", "http://example.org", true), ("Example.ORG", "example.org:8080", true),
        ("example.org:8080", "example.org", false), ("example.org:8080", "example.org:8080", true),
        ("example.org:443", "https://example.org", true), ("https://example.org", "example.org", false),
        ("https://example.org", "https://example.org/x", true), ("*.example.org", "a.b.example.org", true),
        ("*.example.org", "example.org", false), ("*.example.org", "badexample.org", false),
        ("example.org", "example.org.evil.org", false), ("[::1]", "[::1]:3000", true), ("[::1]:3000", "[::1]", false),
        ("localhost:3000", ":3000/x", true), ("bücher.example", "http://xn--bcher-kva.example", true),
    ])
    func `settings apply to the hosts that their name matches`(name: String, url: String, matches: Bool) async throws {
        try configure(#"{"\#(name)": {"headers": {"X-A": "1"}}}"#)
        #expect(await head(url).contains("X-A: 1") == matches)
    }

    @Test func `more specific names take precedence`() async throws {
        try configure(
            """
            {"api.example.org:80": {"headers": {"X-A": "port"}}, "*.example.org": {"headers": {"X-A": "wild", "X-W": "1"}},
            "*.org": {"headers": {"X-A": "org"}}, "api.example.org": {"headers": {"X-A": "host", "X-H": "1"}}}
            """)
        let lines = await head("api.example.org")
        #expect(lines.contains("X-A: port") && lines.contains("X-W: 1") && lines.contains("X-H: 1"))
        #expect(lines.count { $0.hasPrefix("X-A") } == 1)
        #expect(await head("b.example.org").contains("X-A: wild"))
    }

    @Test(arguments: [
        ("gh/user", "GET /base/user HTTP/1.1"), ("gh", "GET /base HTTP/1.1"), ("GH/", "GET /base/ HTTP/1.1"),
        ("gh?q=1", "GET /base?q=1 HTTP/1.1"),
    ])
    func `an alias is replaced with its URL`(word: String, line: String) async throws {
        try configure(#"{"gh": {"url": "https://api.example.org/base", "headers": {"X-A": "1"}}}"#)
        let lines = await head(word)
        #expect(lines.first == line)
        #expect(lines.contains("X-A: 1") && lines.contains("Host: api.example.org"))
        #expect(await head("post", word, "a=1").contains("Host: api.example.org"))
    }

    @Test func `a host that cannot be resolved may be a misspelled alias`() async throws {
        try configure(#"{"prod": {"url": "https://api.example.org"}}"#)
        let misspelled = await run(["prodd/health"])
        #expect(misspelled.status == 10)
        #expect(misspelled.messages.last == "  no alias has this name; did you mean 'prod'?", "\(misspelled.errors)")
        #expect(await run(["prod", "j.invalid"]).messages.last?.contains("'prod' was taken for the method") == true)
        #expect(await run(["prodd.invalid/health"]).messages.last == "  check the spelling of the host")
    }

    @Test(arguments: ["http://gh/", "gh:80/", "ghx/"])
    func `a host with the name of an alias is not the alias`(word: String) async throws {
        try configure(#"{"gh": {"url": "https://api.example.org"}}"#)
        #expect(!(await head(word).contains("Host: api.example.org")))
    }

    @Test func `headers and credentials of a host do not go to the target of a redirect`() async throws {
        let target = try LocalServer { .ok($0.headers.map { "\($0.name): \($0.value)\n" }.joined()) }
        let place = target.url("/").replacing("127.0.0.1", with: "localhost")
        try await withServer { _ in
            .status(302, "").header("Location", place)
        } _: { server in
            try configure(
                #"{"127.0.0.1": {"headers": {"X-Version": "7"}, "options": ["-a", "ada:secret", "-H", "X-Kind: k"]}}"#)
            let run = await run(["--follow", "--trust-redirects", "-b", server.url()])
            #expect(run.status == 0)
            #expect(server.requests.first?["X-Version"] == "7" && server.requests.first?["X-Kind"] == "k")
            #expect(server.requests.first?["Authorization"] != nil)
            #expect(!run.output.contains("X-Version") && !run.output.contains("X-Kind"))
            #expect(!run.output.contains("Authorization"))
            let typed = await self.run(["--follow", "-b", server.url(), "X-Version:8"])
            #expect(typed.output.contains("X-Version: 8"))
        }
    }

    @Test(arguments: [
        (#"{"options": ["--auth=ada:secret"]}"#, ["--ignore-netrc"], "Authorization"),
        (#"{"options": ["-a", "T"]}"#, ["-A", "bearer"], "Authorization"),
        // A typed secret of another kind does not make that of the host the user's own.
        (#"{"options": ["--auth=ada:secret"]}"#, ["--netrc-file", "/dev/null"], "Authorization"),
        // The same as the default.
        (#"{"options": ["--auth=default:p"]}"#, [], "Authorization"),
        (#"{"headers": {"Authorization": "Bearer S"}}"#, [], "Authorization"),
        (#"{"headers": {"X-Api-Key": "k"}}"#, [], "X-Api-Key"), (#"{"options": ["-H", "Cookie: a=b"]}"#, [], "Cookie"),
    ])
    func `secrets of a host do not go to another port, regardless of typed options`(
        settings: String, words: [String], header: String
    ) async throws {
        let target = try LocalServer { .ok($0[header] ?? "none") }
        try await withServer { _ in
            .redirect(to: target.url("/"))
        } _: { server in
            try configure(#"{"127.0.0.1": \#(settings)}"#, options: #"["--auth=default:p"]"#)
            let run = await run(["--follow", "--trust-redirects", "-b"] + words + [server.url()])
            #expect(server.requests.first?[header] != nil)
            #expect(run.output == "none")
        }
    }

    @Test func `credentials of a host are not stored in a session`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            try configure(#"{"127.0.0.1": {"options": ["--auth=ada:secret"]}}"#)
            #expect(await run(["--session", folder.file("s.json"), server.url()]).status == 0)
            #expect(server.requests.first?["Authorization"] != nil)
            #expect(!(try folder.text(of: "s.json").contains("ada")))
        }
    }

    @Test func `typed credentials precede those of the host, in any form`() async throws {
        try configure(#"{"example.org": {"options": ["--auth=host:p"]}}"#, options: #"["--auth=default:p"]"#)
        #expect(await head("ada:b@example.org").contains("Authorization: Basic YWRhOmI="))
        #expect(await head("example.org", "authorization:Bearer T").contains { $0 == "authorization: Bearer T" })
        #expect(await head("-H", "Authorization: Bearer T", "example.org").contains("Authorization: Bearer T"))
        try configure(
            #"{"example.org": {"headers": {"Authorization": "Bearer H"}}}"#, options: #"["--auth=default:p"]"#)
        #expect(await head("example.org").contains("Authorization: Bearer H"))
    }

    @Test(arguments: [#""--auth=u:p""#, #""--auth=u:p", "--form""#], [true, false])
    func `each typed part of a login precedes the login of the file`(options: String, isOfHost: Bool) async throws {
        try configure(
            isOfHost ? #"{"example.org": {"options": [\#(options)]}}"# : "{}", options: isOfHost ? "[]" : "[\(options)]"
        )
        // Base64 of u:p, a:, a:b.
        for (user, login) in [
            ("", "dTpw"), ("@", "dTpw"), ("u@", "dTpw"), ("a@", "YTo="), ("a:@", "YTo="), ("a:b@", "YTpi"),
        ] {
            #expect(await head("\(user)example.org").contains("Authorization: Basic \(login)"), "\(user)")
        }
        #expect(await head("example.org", "Authorization:T").contains("Authorization: T"))
        #expect(await head("example.org", "Authorization:").contains { $0.hasPrefix("Authorization") } == false)
    }

    @Test func `headers of a host precede those of the default options`() async throws {
        try configure(
            #"{"example.org": {"headers": {"X-A": "host"}, "options": ["-H", "X-B: host", "-H", "X-C:"]}}"#,
            options: #"["-H", "X-A: default", "-H", "X-B: default", "-H", "X-C: default", "-H", "X-D: default"]"#)
        let lines = await head("example.org")
        #expect(lines.contains("X-A: host") && lines.contains("X-B: host") && lines.contains("X-D: default"))
        #expect(lines.count { $0.hasPrefix("X-A") || $0.hasPrefix("X-B") } == 2)
        #expect(!lines.contains { $0.hasPrefix("X-C") })
    }

    @Test func `a host may have several header fields of a name, and --no-header removes them`() async throws {
        try configure(
            #"{"example.org": {"headers": {"X-B": "3"}, "options": ["-H", "X-A: 1", "-H", "X-A: 2"]}}"#,
            options: #"["-H", "X-C: 4"]"#)
        #expect(
            await head("example.org").filter { $0.hasPrefix("X-") }.sorted() == [
                "X-A: 1", "X-A: 2", "X-B: 3", "X-C: 4",
            ])
        #expect(await head("--no-header", "example.org").filter { $0.hasPrefix("X-") }.isEmpty)
        try configure(#"{"example.org": {"options": ["-H", "X-A: 1", "-H", "X-A:"]}}"#)
        #expect(await head("example.org").filter { $0.hasPrefix("X-") }.isEmpty)
    }

    @Test(arguments: ["[::1]", "[0:0:0:0:0:0:0:1]", "[::0001]:80"])
    func `an IPv6 address has several spellings`(name: String) async throws {
        try configure(#"{"\#(name)": {"headers": {"X-A": "host"}}}"#)
        #expect(await head("http://[0::1]/").contains("X-A: host"))
        #expect(await !head("http://[::2]/").contains("X-A: host"))
    }

    @Test func `a printed curl command warns of fields of the host`() async throws {
        try configure(#"{"example.org": {"headers": {"X-A": "host"}}}"#)
        let sentence = "curl sends the header fields of the configuration to other hosts, too: X-A"
        #expect(await run(["--curl", "-L", "example.org"]).errors.contains(sentence))
        #expect(await !run(["--curl", "example.org"]).errors.contains(sentence))
    }

    @Test func `a typed field is added to the host's of the same name, but replaces its cookie`() async throws {
        let target = try LocalServer { .ok($0["X-V"] ?? "none") }
        let place = target.url("/").replacing("127.0.0.1", with: "localhost")
        try await withServer { _ in
            .redirect(to: place)
        } _: { server in
            try configure(#"{"127.0.0.1": {"headers": {"X-V": "host", "Cookie": "a=host"}}}"#)
            #expect(await run(["--follow", "-b", server.url(), "X-V:typed"]).output == "typed")
            let session = ["--session", folder.file("s.json")]
            _ = await run(session + [server.url(), "Cookie:a=typed"])
            #expect(server.requests.last?["Cookie"] == "a=typed")
        }
    }

    @Test func `typed rules and authorities precede those of the host`() async throws {
        try await withServer { _ in
            .ok("typed")
        } _: { server in
            try configure(
                #"{"foo.test": {"options": ["--connect-to=foo.test:80:127.0.0.1:1", "--cacert=/nonexistent"]}}"#)
            let rule = "foo.test:80:\(server.authority)"
            #expect(await run(["-b", "--connect-to", rule, "--verify=yes", "http://foo.test/"]).output == "typed")
        }
    }

    @Test func `a method before the URL precedes that of the host, also for an alias`() async throws {
        let hosts = #"{"gh": {"url": "https://api.example.org", "options": ["-X", "PUT"]}}"#
        try configure(hosts, options: #"["-X", "OPTIONS"]"#)
        #expect(await head("gh/x").first == "PUT /x HTTP/1.1")
        #expect(await head("-X", "POST", "gh/x").first == "POST /x HTTP/1.1")
        try configure(hosts)
        #expect(await head("gh/x").first == "PUT /x HTTP/1.1")
        #expect(await head("patch", "gh/x").first == "PATCH /x HTTP/1.1")
    }

    @Test func `rules of a host precede those of the default options`() async throws {
        try await withServer { _ in
            .ok("host")
        } _: { server in
            try configure(
                #"{"foo.test": {"options": ["--connect-to=foo.test:80:\#(server.authority)"]}}"#,
                options: #"["--connect-to=foo.test:80:127.0.0.1:1"]"#)
            #expect(await run(["-b", "http://foo.test/"]).output == "host")
        }
    }

    @Test func `settings for hosts do not apply to a list, which no host may name`() async throws {
        try folder.write("http://localhost:1/x\n", to: "list")
        let list = folder.file("list")
        try configure(#"{"example.org": {"options": ["--input=\#(list)"]}}"#)
        let run = await run(["--offline", "example.org"])
        #expect(run.status == 64)
        #expect(run.errors.contains("--input is not possible for a host"))
    }

    @Test func `options for the connection do not apply to another host`() async throws {
        try await withServer { _ in
            .status(302, "").header("Location", "http://localhost:1/")
        } _: { server in
            try configure(#"{"127.0.0.1": {"options": ["--verify=no"]}}"#)
            let run = await run(["--follow", server.url()])
            #expect(run.status == 6)
            #expect(run.messages.contains("afcli: error: the server redirects to localhost, which has other settings"))
        }
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:PORT", "http://127.0.0.1"])
    func `options for the connection apply to other ports unless the name has a port or a scheme`(name: String)
        async throws
    {
        let target = try LocalServer { _ in .ok("there") }
        try await withServer { _ in
            .redirect(to: target.url())
        } _: { server in
            let name = name.replacing("PORT", with: "\(server.port)")
            try configure(#"{"\#(name)": {"options": ["--verify=no"]}}"#)
            let run = await run(["--follow", "-b", server.url()])
            #expect(run.status == (name == "127.0.0.1" ? 0 : 6))
            #expect(target.requests.count == (name == "127.0.0.1" ? 1 : 0))
        }
    }

    @Test(arguments: [
        (#"{"options": "--follow"}"#, "'options' is not an array of strings"),
        (#"{"options": ["--folow"]}"#, "--folow: unknown option"),
        (#"{"options": ["x"]}"#, "'x' is not an option"),
        (#"{"options": ["--help"]}"#, "is possible only on the command line"),
        (#"{"headers": ["x"]}"#, "'headers' is not a JSON object"),
        (#"{"headers": {"X": 1}}"#, "the header 'X' is not a string"), (#"{"headers": {"X Y": "1"}}"#, "X Y"),
        (#"7"#, "the settings are not a JSON object"),
    ])
    func `invalid settings fail requests to their host only`(settings: String, reason: String) async throws {
        try configure(#"{"example.org": \#(settings)}"#)
        let run = await run(["--offline", "example.org"])
        #expect(run.status == 64)
        #expect(run.errors.contains("cannot be used: 'example.org': ") && run.errors.contains(reason), "\(run.errors)")
        #expect(await self.run(["--offline", "other.example"]).status == 0)
    }

    @Test(arguments: [
        #"{"url": "ftp://x"}"#, #"{"url": "https://x/?a=1"}"#, #"{"url": "https://a:b@x/"}"#, #"{"url": 1}"#,
    ])
    func `the URL of an alias is complete`(settings: String) async throws {
        try configure(#"{"gh": \#(settings)}"#)
        let run = await run(["--offline", "gh/x"])
        #expect(run.status == 64)
        #expect(run.errors.contains("'url' must be an http or https URL"))
        #expect(await self.run(["--offline", "example.org"]).status == 0)
    }

    @Test func `unknown names and settings cause a warning`() async throws {
        try configure(#"{"a/b": {}, "g.h": {"url": "https://x"}, "example.org": {"header": {}}}"#)
        let run = await run(["--offline", "example.org"])
        #expect(run.messages.count { $0.contains("is ignored: it is neither a host such as *.example.org nor") } == 2)
        #expect(run.status == 0 && run.errors.contains("has the unknown setting 'header'; did you mean 'headers'?"))
        #expect(await self.run(["--debug", "--offline", "a.b"]).errors.contains("setting 'header'"))
    }

    @Test func `--debug reports the options that the file sets`() async throws {
        try configure(
            #"{"example.org": {"options": ["-a", "ada:secret"], "headers": {"X-A": "1"}}}"#,
            options: #"["--form"]"#)
        let run = await run(["--debug", "--offline", "example.org"])
        let path = folder.file("config.json")
        #expect(run.messages.contains("afcli: 'default_options' in '\(path)' sets --form"))
        #expect(run.messages.contains("afcli: 'example.org' in '\(path)' sets --auth, the header X-A"))
    }

    @Test func `options for a host precede environment variables`() async throws {
        try configure(#"{"example.org": {"options": ["--cacert", "none.pem"]}}"#)
        let run = await run(["https://example.org"], variables: ["SSL_CERT_FILE": "/dev/null"])
        #expect(run.status == 16)
        let option = "--cacert in '\(folder.file("config.json"))'"
        #expect(run.errors.contains("\(option): cannot read 'none.pem': no such file"))
    }

    @Test func `a saved list uses aliases and the settings for hosts`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let port = server.url().split(separator: ":").last.map { $0.filter(\.isNumber) } ?? ""
            try configure(
                """
                {"127.0.0.1": {"headers": {"X-A": "1"}, "options": ["--auth=ada:pw"]},
                "localhost": {"headers": {"X-A": "2"}}, "api": {"url": "\(server.url("/base/"))", "headers": {"X-B": "3"}}}
                """)
            let list = try folder.write("\(server.url("/f"))\nhttp://localhost:\(port)/g\napi/h\n", to: "list")
            let run = await run(["--input", list, "--output", folder.file("out/"), "--create-dirs"])
            #expect(run.status == 0, "\(run.errors)")
            let requests = server.requests.sorted { $0.path < $1.path }
            #expect(requests.map(\.path) == ["/base/h", "/f", "/g"])
            #expect(requests.map { $0["X-A"] } == ["1", "1", "2"])
            #expect(requests.map { $0["X-B"] } == ["3", nil, nil])
            #expect(requests.map { $0["Authorization"] != nil } == [true, true, false])
            #expect(folder.holds("x", in: "out/h.txt") && folder.holds("x", in: "out/g.txt"))
        }
    }

    @Test(arguments: [
        (["--output", "same"], [], "--output", "names one file, but --input downloads several"),
        (["--offline"], [], "--offline", "cannot be combined with --input"),
        (["--output", "same"], ["-b"], "--output", "is for files, but the responses to the list are shown"),
        (["--download"], ["-b"], "--download", "is for files, but the responses to the list are shown"),
    ])
    func `settings for a host that are not possible for a list are an error before any request`(
        options: [String], words: [String], option: String, problem: String
    ) async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let text = options.map { "\"\($0)\"" }.joined(separator: ", ")
            try configure(#"{"127.0.0.1": {"options": [\#(text)]}}"#)
            let list = try folder.write("\(server.url("/a"))\n\(server.url("/b"))\n", to: "list")
            let run = await run(["--input", list] + words)
            #expect(run.status == 64)
            #expect(run.errors.contains("\(option) in '\(folder.file("config.json"))': \(problem)"), "\(run.errors)")
            #expect(server.requests.isEmpty)
        }
    }
}
