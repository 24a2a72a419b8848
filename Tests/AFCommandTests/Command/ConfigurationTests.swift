import AFCore
import AFHTTP
import TestSupport
import Testing

@testable import AFCommand
@testable import afcli_docs

@Suite(.timeLimit(.minutes(5))) struct ConfigurationTests {
    let folder: ScratchFolder
    private let world: ToolWorld

    init() throws {
        folder = try ScratchFolder()
        world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path])
    }

    private func configure(_ text: String) throws { try folder.write(text, to: "config.json") }

    private func run(_ words: String..., variables: [String: String] = [:]) async -> ToolRun {
        await runTool(words, in: world.with(variables: variables).withoutConfiguration)
    }

    /// The head of the request that would be sent.
    private func head(_ words: String..., variables: [String: String] = [:]) async -> [String] {
        let run = await runTool(
            ["--offline", "--show-secrets", "-p", "H"] + words,
            in: world.with(variables: variables).withoutConfiguration)
        return (run.errors + run.output).split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test func `default options precede the typed ones`() async throws {
        try configure(#"{"default_options": ["--form", "--header=X-A: 1", "-X", "PUT"]}"#)
        let lines = await head("example.org", "a=1", "X-B:2")
        #expect(lines.first == "PUT / HTTP/1.1")
        #expect(lines.contains("X-A: 1") && lines.contains("X-B: 2"))
        #expect(lines.contains { $0.hasPrefix("Content-Type: application/x-www-form-urlencoded") })
        let typed = await head("--json", "-X", "PATCH", "example.org", "a=1", "--no-header")
        #expect(typed.first == "PATCH / HTTP/1.1")
        #expect(typed.contains("Content-Type: application/json"))
        #expect(!typed.contains("X-A: 1"))
    }

    @Test func `a typed header replaces those of the file with the same name`() async throws {
        let fields = [
            "Authorization: Bearer conf", "Content-Type: text/x", "Host: c.example", "X-A: 1", "X-A: 2", "X-B:",
        ]
        let options = fields.map { #""--header=\#($0)""# }.joined(separator: ", ")
        try configure(#"{"default_options": [\#(options)]}"#)
        let words = ["Authorization:Bearer typed", "Content-Type:text/y", "Host:t.example", "X-B:3", "a=1"]
        let items = await head("example.org", words[0], words[1], words[2], words[3], words[4])
        for field in ["Authorization: Bearer typed", "Content-Type: text/y", "Host: t.example", "X-B: 3", "X-A: 1"] {
            #expect(items.contains(field), "\(items)")
        }
        for name in ["Authorization", "Content-Type", "Host", "X-B"] {
            #expect(items.count { $0.hasPrefix("\(name):") } == 1, "\(items)")
        }
        #expect(items.contains("X-A: 2"))
        let option = await head("-H", "x-a: 3", "example.org", "Content-Type:")
        #expect(option.filter { $0.lowercased().hasPrefix("x-a:") } == ["x-a: 3"], "\(option)")
        #expect(!option.contains { $0.hasPrefix("Content-Type") })
        let login = await head("-a", "u:p", "example.org")
        #expect(login.contains("Authorization: Basic dTpw") && !login.contains { $0.contains("not sent") }, "\(login)")
    }

    @Test func `a typed method replaces that of the file`() async throws {
        try configure(#"{"default_options": ["--method=PUT"], "hosts": {"h.example": {"headers": {"X-A": "1"}}}}"#)
        for host in ["example.org", "h.example", "127.0.0.1:1"] {
            #expect(await head("get", host).first == "GET / HTTP/1.1")
            #expect(await head(host).first == "PUT / HTTP/1.1")
            #expect(await head("-X", "PATCH", host).first == "PATCH / HTTP/1.1")
        }
        let both = await run("-X", "PATCH", "get", "example.org")
        #expect(both.messages.first == "afcli: error: 'get' cannot be combined with --method")
        try await withServer { _ in
            .ok()
        } _: { server in
            try folder.write(server.url("/a"), to: "list")
            #expect(await run("post", "--input", folder.file("list"), "a=1").status == 0)
            #expect(await run("delete", "--input", folder.file("list")).status == 0)
            #expect(server.requests.map(\.method) == ["POST", "DELETE"])
        }
    }

    @Test func `options for files in the file apply to downloads and do not fail other requests`() async throws {
        try configure(#"{"default_options": ["--remote-time", "--resume", "--create-dirs", "--parallel", "2"]}"#)
        #expect(await head("example.org").first == "GET / HTTP/1.1")
        #expect(await head("example.org", "--no-clobber").first?.contains("--no-clobber: requires") == true)
    }

    @Test func `a negation in the file does not cancel typed options`() async throws {
        try configure(#"{"default_options": ["--no-form", "--form", "--follow"]}"#)
        #expect(await head("--form", "example.org", "a=1").contains { $0.contains("x-www-form-urlencoded") })
        #expect(await head("example.org", "a=1").contains("Content-Type: application/json"))
    }

    @Test func `the example of the manual has every member and is valid`() async throws {
        try configure(ManualProse.exampleConfiguration)
        let lines = await head("api.example.org/x", variables: ["TOKEN": "t0k"])
        #expect(lines.first == "GET /x HTTP/1.1")
        #expect(lines.contains("X-Version: 2") && lines.contains("Authorization: Bearer t0k"), "\(lines)")
        let alias = await head("gh/user")
        #expect(alias.first == "GET /user HTTP/1.1")
        #expect(alias.contains("Host: api.github.com"), "\(alias)")
    }

    @Test func `the default scheme can be chosen`() async throws {
        try configure(#"{"default_scheme": "HTTPS"}"#)
        func url(_ words: String...) throws -> String {
            let typed = try Invocation(parsing: words)
            let configuration = try #require(try Configuration.load(typed.other.configuration, world.environment))
            var assignments = try configuration.assignments(variables: Variables([:]))
            assignments.add(Invocation.parsed(words))
            return try PlannedRequest(Invocation(assignments)).url
        }
        #expect(try url("example.org") == "https://example.org/")
        #expect(try url("--default-scheme=http", "example.org") == "http://example.org/")
        #expect(try url("http://example.org") == "http://example.org/")
    }

    @Test func `a missing file is ignored, unless it was named`() async throws {
        #expect(await run("--offline", "example.org").status == 0)
        let named = await run("--offline", "--config", folder.file("no.json"), "example.org")
        #expect(named.status == 16)
        let path = folder.file("no.json")
        #expect(named.messages.first == "afcli: error: --config: cannot read '\(path)': no such file")
    }

    @Test func `another file can be named, or reading disabled`() async throws {
        try configure("{")
        let other = try folder.write(#"{"default_options": ["-X", "PUT"]}"#, to: "other.json")
        #expect(await head("--config", other, "example.org").first == "PUT / HTTP/1.1")
        #expect(await head("--no-config", "example.org").first == "GET / HTTP/1.1")
        #expect(await head("--config", other, "--no-config", "example.org").first == "GET / HTTP/1.1")
    }

    @Test(arguments: [
        ("{\"default_options\": [\n  \"--follow\"\n  \"--form\"]}", "line 3, column 3: expected ',' or ']'"),
        ("[]", "the file is not a JSON object"), ("", "line 1, column 1: expected a JSON value"),
        (#"{"default_options": "--follow"}"#, #"'default_options' is not an array of strings such as ["--follow"]"#),
        (#"{"default_options": [1]}"#, #"'default_options' is not an array of strings such as ["--follow"]"#),
        (#"{"default_scheme": "ftp"}"#, #"'default_scheme' is neither "http" nor "https""#),
        (#"{"default_options": ["--folow"]}"#, "'default_options': --folow: unknown option"),
        (#"{"default_options": ["--timeout"]}"#, "'default_options': --timeout: requires an argument: SECONDS"),
        (
            #"{"default_options": ["--auth u:s3cret"]}"#,
            "'default_options': --auth: is followed by a space in the same argument"
        ),
        (#"{"default_options": ["-v -b"]}"#, "'default_options': -v: is followed by a space in the same argument"),
        (#"{"default_options": ["X-A:1"]}"#, "'default_options': 'X-A:...' is not an option"),
        (
            #"{"default_options": ["--help"]}"#,
            "'default_options': --help is possible only on the command line"
        ),
    ])
    func `an invalid file is an error with its name`(text: String, reason: String) async throws {
        try configure(text)
        let run = await run("--offline", "example.org")
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.messages.count == 2)
        let path = folder.file("config.json")
        #expect(run.messages.first == "afcli: error: the configuration '\(path)' cannot be used: \(reason)")
        #expect(await self.run("--no-config", "--offline", "example.org").status == 0)
    }

    @Test func `a directory that cannot be searched is a note`() async throws {
        let path = try folder.write("", to: "file")
        let world = ToolWorld(homeDirectory: folder.path).with(variables: ["XDG_CONFIG_HOME": path])
        let run = await runTool("--offline", "example.org", in: world)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.errors.hasPrefix("afcli: no configuration: cannot read '\(path)/afcli/config.json': "), "\(run.errors)")
        let named = await runTool("--offline", "--config", "\(path)/x", "example.org", in: world)
        #expect(named.status == 16 && named.errors.contains("--config: cannot read"), "\(named.errors)")
    }

    @Test func `a missing home directory is not created`() async throws {
        let home = folder.file("home")
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = await runTool("--session", "s", server.url(), in: ToolWorld(homeDirectory: home))
            #expect(run.status == 16, "\(run.errors)")
            #expect(run.errors.contains("there is no home directory '\(home)'"), "\(run.errors)")
            #expect(FileStatus(home) == nil)
            #expect(server.requests.isEmpty)
        }
    }

    @Test func `a conflict with a configured body names the file`() async throws {
        try configure(#"{"default_options": ["--raw=cfg"]}"#)
        let run = await run("--offline", "example.org", "a=1")
        let path = folder.file("config.json")
        let problem = "cannot be combined with --raw in '\(path)', which is the complete body"
        #expect(run.messages.first == "afcli: error: a=1: \(problem)")
        #expect(await self.run("--offline", "--no-raw", "example.org", "a=1").status == 0)
    }

    @Test func `typed options replace configured ones that exclude them`() async throws {
        try await withServer { _ in
            .ok("new")
        } _: { server in
            try configure(#"{"default_options": ["--no-clobber"]}"#)
            try folder.write("old", to: "f")
            #expect(await run("-o", folder.file("f"), "--skip-existing", server.url()).status == 0)
            #expect(folder.holds("old", in: "f"))
            #expect(await run("-o", folder.file("f"), "--overwrite", server.url()).status == 0)
            #expect(folder.holds("new", in: "f"))
        }
    }

    @Test func `an error about a configured value names the file`() async throws {
        let hosts = #"{"example.org": {"options": ["-a@/none"]}}"#
        try configure(#"{"default_options": ["--cert=/none.pem"], "hosts": \#(hosts)}"#)
        let path = folder.file("config.json")
        let login = await run("--offline", "example.org")
        #expect(login.messages.first == "afcli: error: -a in '\(path)': cannot read '/none': no such file")
        let other = await run("--offline", "https://example.com")
        #expect(other.messages.first == "afcli: error: --cert in '\(path)': cannot read '/none.pem': no such file")
        try configure(#"{"hosts": {"example.org": {"options": ["-aenv:NONE"]}}}"#)
        let secret = await run("--offline", "example.org")
        #expect(secret.messages.first == "afcli: error: -a in '\(path)': the environment variable 'NONE' is not set")
        let typed = await run("--offline", "-a@/nothing", "example.org")
        #expect(typed.messages.first == "afcli: error: -a: cannot read '/nothing': no such file")
        try configure(#"{"default_options": ["--cert-key=/x"]}"#)
        let key = await run("--offline", "https://example.com")
        #expect(key.messages.first == "afcli: error: --cert-key in '\(path)': requires --cert")
    }

    @Test func `an error about a value that adds up names its option`() async throws {
        try configure(#"{"default_options": ["--part=f=@/none", "--report=/none/r"]}"#)
        let path = folder.file("config.json")
        let missing = "cannot read '/none': no such file"
        let part = await run("--offline", "--no-report", "example.org", "-F", "g=1")
        #expect(part.messages.first == "afcli: error: --part in '\(path)': \(missing)")
        let report = await run("--offline", "--no-part", "example.org", "--report", folder.file("r"))
        #expect(report.messages.first?.hasPrefix("afcli: error: --report in '\(path)': cannot write") == true)
        try configure("{}")
        let typed = await run("--offline", "-F", "f=@/none", "--part", "g=1", "example.org")
        #expect(typed.messages.first == "afcli: error: -F: \(missing)")
        let header = await run("-H", "A: b", "--header", "bad", "example.org")
        #expect(header.messages.first == "afcli: error: --header: expected 'Name: value', got 'bad'")
    }

    @Test(arguments: [
        ("default_option", "; did you mean 'default_options'?"), ("defaultScheme", "; did you mean 'default_scheme'?"),
        ("color", ""), ("", ""), ("a\u{1B}[2J", ""),
    ])
    func `an unknown key is a warning with its name`(key: String, suggestion: String) async throws {
        let escaped = key.replacing("\u{1B}", with: #"\u001b"#)
        try configure(#"{"__meta__": {}, "\#(escaped)": ["--follow"], "default_scheme": "https"}"#)
        let run = await run("--offline", "example.org")
        #expect(run.status == 0)
        #expect(run.messages.count == 1)
        let shown = key.replacing("\u{1B}", with: #"\x1b"#)
        let sentence = "has the unknown setting '\(shown)'\(suggestion)"
        #expect(run.errors.hasSuffix("config.json' \(sentence)\n"), "\(run.errors)")
        #expect(await self.run("-qq", "--offline", "example.org").errors.isEmpty)
    }

    @Test func `help and version work without a valid configuration`() async throws {
        try configure("{")
        #expect(await run("--help").status == 0)
        #expect(await run("--version").status == 0)
    }

    @Test func `a binary or unreadable file is an error`() async throws {
        try folder.write([0x7B, 0xFF], to: "config.json")
        #expect(await run("--offline", "example.org").status == 64)
        try folder.folder("d/config.json")
        let unreadable = await runTool(
            "--offline", "example.org",
            in: world.with(variables: ["AFCLI_CONFIG_DIR": folder.file("d")]).withoutConfiguration)
        #expect(unreadable.status == 16)
        #expect(unreadable.messages.last == "  --no-config ignores the configuration")
        let missing = await run("--config", folder.file("nope.json"), "example.org")
        #expect(missing.messages.last?.hasSuffix("nope.json': no such file") == true)
    }

    @Test func `the order is defaults, file, environment, command line`()
        async throws
    {
        func isColored(_ words: String..., variables: [String: String] = [:]) async -> Bool {
            let arguments = ["--offline", "example.org"] + words
            return await runTool(arguments, in: world.with(variables: variables).withoutConfiguration).output.contains(
                "\u{1B}[")
        }
        #expect(await !isColored())
        try configure(#"{"default_options": ["--color=always", "--print=H"]}"#)
        #expect(await isColored())
        #expect(await !isColored(variables: ["NO_COLOR": "1"]))
        #expect(await isColored(variables: ["NO_COLOR": ""]))
        #expect(await isColored("--color=always", variables: ["NO_COLOR": "1"]))
        #expect(await !isColored("--color=never"))
    }

    @Test func `proxies of the environment have priority over the file's, for each scheme`() async throws {
        try configure(#"{"default_options": ["--proxy=http://file:1", "--no-proxy=x.test", "--cacert=/none"]}"#)
        let configuration = try #require(try Configuration.load(nil, world.environment))
        func values(_ variables: [String: String], _ typed: [String] = []) throws -> Invocation {
            var assignments = try configuration.assignments(variables: Variables(variables))
            assignments.add(Invocation.parsed(typed))
            return Invocation(assignments)
        }
        func proxies(_ variables: [String: String], _ typed: String...) throws -> [String?] {
            let network = try values(variables, typed).network
            let rules = try ProxySelection.rules(
                for: HTTPURL(parsing: "http://h/"), mayLeaveOrigin: true, network)
            return [rules.http?.url, rules.https?.url]
        }
        #expect(try proxies([:]) == ["http://file:1", "http://file:1"])
        #expect(try proxies(["http_proxy": "http://e:2"]) == ["http://e:2", "http://file:1"])
        #expect(try proxies(["all_proxy": "http://e:2"]) == ["http://e:2", "http://e:2"])
        #expect(
            try proxies(["ALL_PROXY": "e:2", "http_proxy": "e:3", "HTTPS_PROXY": "e:4"])
                == ["http://e:3", "http://e:4"])
        #expect(try proxies(["http_proxy": "http://e:2"], "--proxy=typed:5") == ["http://typed:5", "http://typed:5"])
        #expect(try proxies(["http_proxy": "", "HTTP_PROXY": "e:2"]) == ["http://file:1", "http://file:1"])
        // A CGI program has the request's field Proxy as this variable.
        #expect(try proxies(["HTTP_PROXY": "e:2"])[0] == "http://e:2")
        #expect(try proxies(["HTTP_PROXY": "e:2", "REQUEST_METHOD": "GET"])[0] == "http://file:1")
        #expect(try values(["NO_PROXY": "y.test"]).network.noProxy?.text == "y.test")
        #expect(try values(["NO_PROXY": "y.test"], ["--no-proxy=z.test"]).network.noProxy?.text == "z.test")
        #expect(try values([:]).network.noProxy?.text == "x.test")
        #expect(try values(["NO_PROXY": "y.test"], ["--no-no-proxy"]).network.noProxy?.text == "y.test")
        #expect(try values([:]).tls.authorityFile == "/none")
        #expect(try values(["SSL_CERT_DIR": "/e"]).tls.authorityFile == nil)
    }

    @Test func `configured options without effect on a request do not fail it`() async throws {
        try await withServer { request in
            .ok(request.method == "GET" ? #"{"a": 1}"# : "posted")
        } _: { server in
            try configure(
                #"{"default_options": ["--upload-protocol=tus", "--parallel=2", "--filter=a", "--event=e", "--wait=9"]}"#
            )
            let file = folder.file("whole.json")
            let saved = await run("-q", "-o", file, server.url())
            #expect(saved.status == 0, "\(saved.errors)")
            #expect(try folder.text(of: "whole.json") == #"{"a": 1}"#)
            let posted = await run("-b", "--filter-text=posted", server.url(), "x=1", "--no-filter", "--no-event")
            let pages = await run("--follow-next", "-o", folder.file("pages"), server.url())
            #expect(try pages.status == 0 && folder.text(of: "pages") == "1\n", "\(pages.errors)")
            let command = await run("--curl", server.url())
            #expect(!command.errors.contains("--upload-protocol"), "\(command.errors)")
            #expect(posted.status == 0 && posted.output.contains("posted"), "\(posted.errors)")
            for words in [["--upload-protocol=tus"], ["--wait=9", "x=1"], ["--event=e", "-o", file]] {
                #expect(await runTool(words + [server.url()]).status == 64, "\(words)")
            }
        }
    }

    @Test func `messages about the file do not show passwords`() async throws {
        try configure(#"{"hosts": {"http://u:s3cret@h.test": {}, "u:s3cret@api.test": {}}}"#)
        let hosts = await run("--offline", "example.org")
        #expect(hosts.errors.contains("is ignored") && !hosts.errors.contains("s3cret"), "\(hosts.errors)")
        try configure(#"{"default_options": ["--auth", "u:x", "tok:s3cret"]}"#)
        let words = await run("--offline", "example.org")
        #expect(words.status == 64 && !words.errors.contains("s3cret"), "\(words.errors)")
    }

    @Test func `a configured kind of authentication is for requests with credentials`() async throws {
        for kind in ["bearer", "digest"] {
            let checksum = "--checksum=md5:900150983cd24fb0d6963f7d28e17f72"
            try configure(#"{"default_options": ["--auth-type=\#(kind)", "\#(checksum)"]}"#)
            let run = await run("--offline", "example.org")
            #expect(run.status == 0 && !run.output.contains("Authorization"), "\(run.errors)")
            #expect(await self.run("--offline", "example.org", "--auth-type=\(kind)").status == 64)
        }
    }

    @Test func `each value has one source: default, file, environment, host or command line`() throws {
        try configure(
            #"{"default_options": ["--form", "--color=never", "--netrc-file=n"], "hosts": {"h": {"options": ["-4"]}}}"#)
        let configuration = try #require(try Configuration.load(nil, world.environment))
        let variables = Variables(["NO_COLOR": "1", "NETRC": "m", "https_proxy": "p:1"])
        var assignments = try configuration.assignments(variables: variables)
        let line = Invocation.parsed(["-v", "h/"])
        _ = try configuration.addHostOptions(to: &assignments, for: Invocation(line))
        assignments.add(line)
        #expect(assignments.source(of: "--http2") == .default)
        #expect(assignments.source(of: "--form").key == "default_options")
        #expect(assignments.source(of: "--color") == .variable("NO_COLOR"))
        #expect(assignments.source(of: "--netrc-file") == .variable("NETRC"))
        #expect(assignments.source(of: "--proxy") == .variable("https_proxy"))
        #expect(assignments.source(of: "--ipv4").isHost)
        #expect(assignments.source(of: "--verbose") == .typed)
        let values = Invocation(assignments)
        #expect(values.authentication.netrcFile == nil && values.output.color == nil)
        #expect(assignments.sourceNotes.contains("the variable https_proxy sets --proxy"))
    }
}
