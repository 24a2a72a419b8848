import TestSupport
import Testing

@Suite("Safety 5: terminal escapes", .timeLimit(.minutes(5)))
struct SafetyRow05TerminalEscapesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Clears the screen, sets the title, goes back, deletes, C1 in UTF-8 and raw, and turns the direction of text.
    static let hostile: [UInt8] =
        Array("\u{1B}[2J\u{1B}]0;owned\u{7}\u{8}\u{7F}\u{9B}2J\u{202E}\u{2066}".utf8) + [0x9B, 0x32, 0x4A]

    /// Whether the screen contains one of the bytes above. Colors are the tool's own.
    private func hasControl(_ screen: [UInt8]) -> Bool {
        let text = String(decoding: screen, as: UTF8.self).replacing(#/\e\[[0-9;]*[mK]|\e\[\?25[hl]/#, with: "")
        let isRawC1 = zip(screen, [0] + screen).contains { $0 == 0x9B && $1 < 0x80 }
        return isRawC1
            || text.unicodeScalars.contains { scalar in
                switch scalar.value {
                case 0x09, 0x0A, 0x0D: false
                case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
                default: false
                }
            }
    }

    private func response(type: String) -> LocalServer.Response {
        let head = Array("HTTP/1.1 200 Fine ".utf8) + Self.hostile + Array("\r\nX-Odd: ".utf8) + Self.hostile
        let type = Array("\r\nContent-Type: \(type)\r\nConnection: close\r\n\r\n".utf8)
        return .raw(head + type + Array(#"{"a": "x"#.utf8) + Self.hostile + Array("\"}\nend\n".utf8))
    }

    @Test(arguments: [
        "text/plain", "application/json", "text/html", "application/xml", "text/event-stream",
        "application/x-www-form-urlencoded", "text/plain; charset=latin1", "image/png",
    ])
    func `header, reason and body are escaped on a terminal, and unchanged in a pipe`(type: String) async throws {
        try await withServer { _ in
            response(type: type)
        } _: { server in
            for options in [[], ["--pretty=none"], ["--pretty=all", "--stream"], ["-v"], ["-m", "--debug"]] {
                let run = try await folder.tool([server.url()] + options, variables: ["TERM": "xterm"]).onTerminal()
                    .run()
                #expect(run.status == 0, "\(run.screenText)")
                #expect(!hasControl(run.screen), "\(run.screenText.debugDescription)")
            }
            for options in [["--pretty=all"], ["--color=always"]] {
                let colored = try await folder.afcli(["-b", server.url()] + options)
                #expect(!hasControl(colored.output), "\(colored.text.debugDescription)")
            }
            let piped = try await folder.afcli("-b", server.url())
            #expect(piped.output == Array(#"{"a": "x"#.utf8) + Self.hostile + Array("\"}\nend\n".utf8))
            let head = try await folder.afcli("-h", server.url())
            #expect(head.output.starts(with: Array("HTTP/1.1 200 Fine ".utf8) + Self.hostile))
        }
    }

    @Test func `headers, traces and cookies of a curl command are escaped on a terminal`() async throws {
        try await withServer { _ in
            let head = Array("HTTP/1.1 200 Fine\r\nX-Odd: ".utf8) + Self.hostile
            return .raw(head + Array("\r\nSet-Cookie: a=\u{9B}2J\u{202E}; Path=/\r\nContent-Length: 2\r\n\r\nok".utf8))
        } _: { server in
            for options in [
                ["-D", "-"], ["-v"], ["-v", "--stderr", "-"], ["-v", "--stderr", "/dev/tty"], ["--trace-ascii", "-"],
                ["--trace", "/dev/tty"], ["-b", "", "-c", "-"],
            ] {
                let words = ["curl", "-s", "-o", folder.file("f"), server.url()]
                let run = try await folder.tool(words + options, variables: ["TERM": "xterm"]).onTerminal().run()
                #expect(run.status == 0, "\(run.screenText)")
                #expect(run.screenText.contains("X-Odd") || run.screenText.contains("Netscape"), "\(run.screenText)")
                #expect(!hasControl(run.screen), "\(options): \(run.screenText.debugDescription)")
            }
        }
    }

    /// Options that name a terminal as a file: `FILE` is a file, and `REQUESTS` one for `afcli run`.
    private static let devices = [
        ["-o", "/dev/tty", "URL"], ["-o", "/dev/stderr", "URL"], ["-b", "-o", "/dev/tty", "URL"],
        ["--pretty=all", "-o", "/dev/tty", "URL"], ["-q", "--header-file", "/dev/stdout", "URL"],
        ["-q", "--header-file", "/dev/tty", "URL"], ["-q", "-w", "%output{/dev/stdout}%header{x-odd}", "URL"],
        ["-q", "-w", "%output{>>/dev/tty}%header{x-odd}", "URL"], ["-q", "--report", "/dev/stdout", "URL"],
        ["-q", "--har", "/dev/stdout", "URL"], ["-q", "--report", "junit:/dev/stdout", "URL"],
        ["curl", "-s", "-o", "/dev/tty", "URL"], ["curl", "-s", "-i", "-o", "/dev/tty", "URL"],
        ["curl", "-s", "-o", "FILE", "-D", "/dev/stdout", "URL"],
        ["curl", "-s", "-o", "FILE", "-D", "/dev/stderr", "URL"],
        ["curl", "-s", "-o", "FILE", "-D", "/dev/tty", "URL"], ["curl", "-s", "-o", "FILE", "-D", "/dev/fd/2", "URL"],
        ["curl", "-s", "-o", "FILE", "-w", "%output{/dev/stderr}%header{x-odd}", "URL"],
        ["curl", "-s", "-o", "FILE", "-c", "/dev/stdout", "URL"],
        ["curl", "-s", "-o", "FILE", "--etag-save", "/dev/stdout", "URL"],
        ["run", "--output", "/dev/stdout", "REQUESTS"], ["run", "--output", "/dev/tty", "REQUESTS"],
        ["run", "--json", "REQUESTS"], ["run", "--cookie-jar", "/dev/stdout", "REQUESTS"],
        ["run", "--no-output", "OUTPUT"],
    ]

    @Test(arguments: devices)
    func `a terminal that is named as a file is escaped, too`(words: [String]) async throws {
        try await withServer { _ in
            let head = "HTTP/1.1 200 Fine\r\nContent-Type: text/plain\r\nConnection: close\r\nX-Odd: "
            let fields = "\r\nETag: \"\u{9B}2J\u{202E}\"\r\nSet-Cookie: a=\u{9B}2J\u{202E}; Path=/\r\n\r\n"
            return .raw(
                Array(head.utf8) + Self.hostile + Array("\(fields)a long body ".utf8) + Self.hostile
                    + Array(" end\n".utf8))
        } _: { server in
            try folder.write("GET \(server.url())\n", to: "r.hurl")
            try folder.write("GET \(server.url())\n[Options]\noutput: -\n", to: "o.hurl")
            let words = words.map {
                $0.replacing("URL", with: server.url()).replacing("FILE", with: folder.file("f"))
                    .replacing("REQUESTS", with: folder.file("r.hurl")).replacing("OUTPUT", with: folder.file("o.hurl"))
            }
            let run = try await folder.tool(words, variables: ["TERM": "xterm"]).onTerminal().run()
            #expect(run.status == 0 && run.screen.count > 10, "\(run.screenText)")
            #expect(!hasControl(run.screen), "\(run.screenText.debugDescription)")
        }
    }

    @Test func `file names, redirects and error responses are escaped in messages`() async throws {
        let escaped = Self.hostile.map { byte in
            (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
        try await withServer { request in
            switch request.path {
            case "/name": .ok("x").header("Content-Disposition", "attachment; filename*=UTF-8''\(escaped)name")
            case "/redirect":
                .raw(
                    Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://[".utf8) + Self.hostile
                        + Array("\r\n\r\n".utf8))
            case "/refused":
                .raw(Array("HTTP/1.1 404 ".utf8) + Self.hostile + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
            case "/coded":
                .raw(
                    Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Encoding: ".utf8) + Self.hostile
                        + Array("\r\n\r\nx".utf8))
            case "/malformed": .raw(Array("HTTP/1.1 2\u{9B}2J\r\n".utf8) + Self.hostile + Array("\r\n\r\n".utf8))
            default:
                .raw(
                    Array("HTTP/1.1 401 No\r\nContent-Length: 0\r\nWWW-Authenticate: Basic realm=\"".utf8)
                        + Self.hostile + Array("\"\r\n\r\n".utf8))
            }
        } _: { server in
            let runs = [
                ["-d", server.url("/name")], ["-d", "--progress=always", server.url("/name")],
                ["-L", server.url("/redirect")], ["-b", server.url("/refused")], ["-b", server.url("/coded")],
                ["--check-status", server.url("/malformed")], ["-A", "digest", "-a", "u:p", server.url("/login")],
                ["--timing", "-L", server.url("/redirect")],
                ["-d", "--retry=1", "--retry-delay=1ms", server.url("/malformed")],
            ]
            for words in runs {
                let run = try await folder.tool(words, variables: ["TERM": "xterm"]).onTerminal().run()
                #expect(!hasControl(run.screen), "\(words): \(run.screenText.debugDescription)")
            }
            #expect(folder.list().allSatisfy { $0.contains("name") }, "\(folder.list())")
        }
    }

    @Test func `the values of --write-out, reports and expectations are escaped on a terminal`() async throws {
        try await withServer { _ in
            response(type: "text/plain")
        } _: { server in
            let runs = [
                ["-q", "-w", "%header{x-odd}\\n", server.url()], ["-q", "-w", "%{header_json}\\n", server.url()],
                ["-q", "--report", "-", server.url()], ["-q", "--har", "-", server.url()],
                ["-q", "--expect-header", "X-Odd: other", server.url()],
            ]
            for words in runs {
                let run = try await folder.tool(words, variables: ["TERM": "xterm"]).onTerminal().run()
                #expect(run.screen.count > 10)
                #expect(!hasControl(run.screen), "\(words): \(run.screenText.debugDescription)")
            }
        }
    }

    @Test func `the names in a certificate are escaped`() async throws {
        let subject = "/CN=x\u{1B}[2J\u{9B}2J\u{202E}"
        let made = try await Program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-utf8", "-days", "2",
                "-subj", subject, "-addext", "subjectAltName=DNS:\u{1B}[2J.example", "-keyout", folder.file("key.pem"),
                "-out", folder.file("odd.pem"),
            ], environment: ["PATH": "/usr/bin:/bin"]
        ).run()
        #expect(made.status == 0, "\(made.errorText)")
        let identity = TestCertificates.Identity(
            certificate: folder.file("odd.pem"), key: folder.file("key.pem"))
        try await withNginx(files: ["x": .text("x")], identity: identity) { nginx in
            for options in [[], ["--cacert", folder.file("odd.pem")], ["-k", "-m"], ["-k", "--debug"]] {
                let run = try await folder.tool(
                    [nginx.secureURL("/x")] + options, variables: ["TERM": "xterm"]
                ).onTerminal().run()
                #expect(!hasControl(run.screen), "\(run.screenText.debugDescription)")
            }
        }
    }
}
