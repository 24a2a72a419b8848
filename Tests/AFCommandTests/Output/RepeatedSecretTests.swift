import TestSupport
import Testing

@testable import AFCommand

/// Secrets of the request that the response repeats.
@Suite(.timeLimit(.minutes(2))) struct RepeatedSecretTests {
    /// Repeats the request.
    private let responder: LocalServer.Responder = { request in
        let login = request["Authorization"] ?? request["Cookie"] ?? request["X-Api-Key"] ?? ""
        let lines = "\(login) \(request.target) \(request.text)".split(whereSeparator: \.isNewline)
        let note = lines.joined(separator: " ").replacing("\"", with: "\\\"")
        let status = request.path == "/200" ? 200 : 400
        return LocalServer.Response.status(status, #"{"note":"\#(note)"}"#).header("X-Request-Id", note)
            .header("Content-Type", "application/json")
    }

    private static let requests = [
        ["--auth", "ada:s3cret/word"], ["--auth", "s3cret/word", "--auth-type", "bearer"],
        ["Authorization:Token s3cret/word"], ["X-Api-Key:s3cret/word"], ["Cookie:sid=s3cret/word"],
        ["access_token==s3cret/word"], ["--request-target", "/x?access_token=s3cret/word"],
        ["password=s3cret/word"], ["--form", "password=s3cret/word"], ["key:={\"a\":[\"s3cret/word\"]}"],
        ["-F", "password=s3cret/word"],
    ]

    @Test(arguments: requests)
    func `are not shown with a failure`(words: [String]) async throws {
        try await withServer(responder) { server in
            for failing in [[server.url("/400")], [server.url("/200"), "--expect-json", "note==x"]] {
                for report in [["--report", "-"], ["--report", "junit:-"], ["--har", "-", "--har-bodies", "1K"]] {
                    let run = await runTool(["-q"] + report + failing + words)
                    #expect([4, 14].contains(run.status), "\(run.errors)")
                    let all = run.output + run.errors
                    #expect(run.errors.contains("•••"))
                    for secret in ["s3cret", "czNjcmV0", "YWRhOnM"] {
                        #expect(!all.contains(secret), "\(words): \(all)")
                    }
                    let shown = await runTool(["-q", "--show-secrets"] + report + failing + words)
                    #expect(!shown.errors.contains("•••"))
                }
            }
        }
    }

    /// Repeats a secret that the command line does not have, and sets it as a cookie.
    @Sendable private static func repeatStored(to request: RecordedRequest) -> LocalServer.Response {
        switch request.path {
        case "/ok": .ok("").header("Set-Cookie", "sid=s3cret-word; Path=/")
        case "/hop": .redirect(to: "/400").header("Set-Cookie", "sid=s3cret-word; Path=/")
        default: .status(400, "<pre>echo: s3cret-word</pre>")
        }
    }

    @Test func `of sessions, cookies, files and proxies are not shown with a failure`() async throws {
        let folder = try ScratchFolder()
        try await withServer(Self.repeatStored) { server in
            let (jar, session) = (folder.file("jar"), folder.file("session.json"))
            let body = try folder.write(#"{"password":"s3cret-word"}"#, to: "body.json")
            #expect(await runTool("--cookie-jar", jar, server.url("/ok")).status == 0)
            #expect(await runTool("--session", session, server.url("/ok"), "X-Api-Key:s3cret-word").status == 0)
            for words in [
                [server.url(), "--cookie-jar", jar], [server.url(), "--session", session], [server.url("/hop"), "-L"],
                [server.url(), "--raw", "@\(body)"], [server.url(), "Authorization:Custom key=\"s3cret-word\", x=1"],
                [server.url(), "--proxy", server.url().replacing("http://", with: "http://u:s3cret-word@")],
            ] {
                for report in [["--report", "-"], ["--report", "junit:-"], ["--har", "-", "--har-bodies", "1K"], []] {
                    let run = await runTool(["-q"] + words + report)
                    #expect(run.status == 4 && run.errors.contains("echo: •••"), "\(words): \(run.errors)")
                    #expect(!(run.errors + run.output).contains("s3cret-word"), "\(words): \(run.errors) \(run.output)")
                }
            }
        }
    }

    @Test(arguments: [
        ("password: correct horse battery", "password: •••"), ("echo correct horse battery!", "echo •••!"),
        ("<p>correct&#32;horse&nbsp; battery</p>", "<p>correct&#32;horse&nbsp; battery</p>"),
        ("<p>correct&#32;horse battery</p>", "<p>•••</p>"), ("a=correct%20horse+battery", "a=correct%20horse+battery"),
        ("a=correct+horse+battery&b=c", "a=•••&b=c"), ("a=correct%20horse%20battery&b=c", "a=•••&b=c"),
    ])
    func `that are known are masked completely`(body: String, shown: String) async throws {
        try await withServer { _ in
            .status(400, body)
        } _: { server in
            let run = await runTool("-q", "-a", "ada:correct horse battery", server.url())
            #expect(run.errors.contains("| \(shown)\n"), "\(run.errors)")
        }
    }

    @Test func `are not in a typed target that is shown offline`() async {
        let run = await runTool("--offline", "--request-target", "/x?access_token=s3cret-word", "h/p")
        #expect(run.output.hasPrefix("GET /x?access_token=•••") && run.status == 0, "\(run.output)")
        #expect(
            await runTool("--offline", "options", "--request-target", "*", "h/p").output.hasPrefix("OPTIONS * HTTP"))
    }

    @Test func `are not in the path of a location`() async throws {
        try await withServer { _ in
            .status(302, "").header("Location", "/x/s3cret-word/y").header("Content-Location", "/z/s3cret-word")
        } _: { server in
            let run = await runTool(
                "-q", "-A", "bearer", "-a", "s3cret-word", server.url(), "--report", "-", "--check-status")
            #expect(run.output.contains("/x/•••/y") && run.output.contains("/z/•••"), "\(run.output)")
            #expect(!(run.output + run.errors).contains("s3cret-word"), "\(run.errors)")
        }
    }

    @Test func `short texts are no secrets, and the body itself is shown`() async throws {
        try await withServer(responder) { server in
            let run = await runTool("-q", "--auth", "ada:pw", server.url("/400"), "lang==pw", "Cookie:lang=pwpw")
            #expect(run.errors.contains("lang=pw"), "\(run.errors)")
            let shown = await runTool(server.url("/200"), "access_token==s3cret")
            #expect(shown.output.contains("/200?access_token=s3cret"))
        }
    }

    @Test func `are not shown by a retry`() async throws {
        try await withServer(responder) { server in
            let run = await runTool(
                "-A", "bearer", "-a", "s3cret", server.url("/200"), "--expect-json", "note==x", "--retry", "1",
                "--retry-on", "expect", "--retry-delay", "1ms")
            #expect(run.errors.contains("retrying"), "\(run.errors)")
            #expect(!run.errors.contains("s3cret"))
        }
    }

    @Test func `are not in the chart of the timings`() async throws {
        try await withServer(responder) { server in
            let words = ["--timing", server.url("/200"), "access_token==s3cret"]
            let run = await runTool(words, in: ToolWorld(errorColumns: 200))
            #expect(run.errors.contains("access_token=•••") && !run.errors.contains("s3cret"), "\(run.errors)")
            let shown = await runTool(words + ["--show-secrets"], in: ToolWorld(errorColumns: 200))
            #expect(shown.errors.contains("access_token=s3cret"))
        }
    }

    @Test(arguments: [[], ["--expect-json", "note==x"], ["--download"], ["--retry", "1", "--retry-delay", "1ms"]])
    func `are not shown in a reason phrase`(words: [String]) async throws {
        let answer = ["HTTP/1.1 503 token s3cret invalid", "Content-Length: 0", "Connection: close", "", ""]
        try await withServer { _ in
            .raw(answer.joined(separator: "\r\n"))
        } _: { server in
            let request = ["-A", "bearer", "-a", "s3cret", server.url()]
            for report in [["--report", "-"], ["--report", "junit:-"], ["--har", "-"]] {
                let run = await runTool(["-q"] + report + words + request)
                #expect(run.status != 0 && run.output.contains("token ••• invalid"), "\(run.output)")
                #expect(!(run.output + run.errors).contains("s3cret"), "\(run.output) \(run.errors)")
                let shown = await runTool(["-q", "--show-secrets"] + report + words + request)
                #expect(shown.output.contains("token s3cret invalid"))
            }
        }
    }

    @Test func `are not in the note about an empty download`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .raw("HTTP/1.1 204 token s3cret used\r\nLocation: /s3cret?a=s3cret\r\nConnection: close\r\n\r\n")
        } _: { server in
            let words = ["-A", "bearer", "-a", "s3cret", "-o", folder.file("f"), "--report", "-", server.url()]
            let run = await runTool(words)
            #expect(run.errors.contains("204 token ••• used") && !run.errors.contains("s3cret"), "\(run.errors)")
            #expect(run.output.contains("/s3cret?a=•••"), "\(run.output)")
        }
    }

    @Test func `may be numbers in a secret object, which stay JSON`() async throws {
        let responder: LocalServer.Responder = { _ in
            .status(400, #"{"id":123456,"more":[91234567,"123456"],"count":12345}"#)
                .header("Content-Type", "application/json")
        }
        try await withServer(responder) { server in
            let run = await runTool("-q", server.url(), #"credentials:={"pin":123456,"other":[true,{"a":-1}]}"#)
            let shown = #"{"id":"•••","more":["•••","•••"],"count":12345}"#
            #expect(run.errors.contains(shown), "\(run.errors)")
        }
    }

    @Test func `leave hosts, paths and labels as they are`() async throws {
        try await withServer(responder) { server in
            let run = await runTool("-q", "--report", "-", "-a", "user:pass", server.url("/passport?a=pass"))
            #expect(run.output.contains(#"/passport?a=•••""#), "\(run.output)")
            let tag = await runTool("-q", server.url("/400"), "Key=Name", "Value=s3cret")
            #expect(tag.errors.contains("Name"), "\(tag.errors)")
        }
    }

    @Test func `hide all of a response if there are too many`() async throws {
        try await withServer(responder) { server in
            for (count, isShown) in [(RequestSecrets.limit, true), (RequestSecrets.limit + 1, false)] {
                let members = (0..<count).map { "{\"key\":\"s3cret-\(10_000 + $0)\"}" }
                let body = "[\(members.joined(separator: ","))]"
                let run = await runTool("-q", "--raw", body, server.url("/400"))
                #expect(run.errors.contains("{\"note\"") == isShown && !run.errors.contains("s3cret"), "\(run.errors)")
            }
        }
    }

    @Test func `hide all of a response if one has very many lines`() async throws {
        try await withServer(responder) { server in
            for (count, isShown) in [(300, true), (500, false)] {
                let lines = (0..<count).map { "s3cret-\($0)" }
                let run = await runTool("-q", server.url("/400"), "password=\(lines.joined(separator: "\n"))")
                #expect(run.errors.contains("{\"note\"") == isShown && !run.errors.contains("s3cret"), "\(run.errors)")
            }
        }
    }

    @Test func `of options and of stored cookies are not shown by a file of requests`() async throws {
        let folder = try ScratchFolder()
        try await withServer { request in
            try request.path == "/login"
                ? .ok("").header("Set-Cookie", "sid=s3cret-cookie; Path=/") : responder(request)
        } _: { server in
            let echo = "GET \(server.url("/200"))\n"
            let asserts = "HTTP 200\n[Asserts]\njsonpath \"$.note\" == \"x\"\n"
            let runs: [(words: [String], entry: String)] = [
                ([], echo + "[Options]\nuser: ada:s3cret\n"), (["-u", "ada:s3cret"], echo),
                (["--header", "X-Api-Key: s3cret"], echo), ([], echo + "[Options]\nheader: X-Api-Key: s3cret\n"),
                ([], "GET \(server.url("/login"))\nHTTP 200\n\(echo)"),
            ]
            for (index, (words, entry)) in runs.enumerated() {
                let file = try folder.write(entry + asserts, to: "f.hurl")
                let reports = ["--report-junit", "junit\(index)", "--report-html", "html\(index)"]
                let run = await runTool(
                    ["run"] + reports.map { $0.hasPrefix("-") ? $0 : folder.file($0) } + words + [file])
                #expect(run.status == 4, "\(run.errors)")
                let pages = try ["junit\(index)", "html\(index)/index.html"].map(folder.text)
                for text in [run.errors] + pages {
                    #expect(text.contains("***") || text.contains("•••"))
                    #expect(!text.contains("s3cret") && !text.contains("czNjcmV0"), "\(words): \(text)")
                }
            }
        }
    }

    @Test func `that are captured later are not in the names of test cases`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok().header("X-Tok", "s3cret-word")
        } _: { server in
            let file = try folder.write(
                "GET \(server.url("/s3cret-word"))\nHTTP 200\n[Captures]\nt: header \"X-Tok\" redact\n", to: "f.hurl")
            let run = await runTool("run", "--report-junit", folder.file("j"), "--report-tap", folder.file("t"), file)
            let text = try run.errors + folder.text(of: "j") + folder.text(of: "t")
            #expect(run.status == 0 && text.contains("***") && !text.contains("s3cret-word"), "\(text)")
        }
    }

    @Test func `escape sequences of a response are not in messages and reports of a file of requests`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .json(#"{"a":"\u001b[31mred\u009b\u202e"}"#)
        } _: { server in
            let file = try folder.write(
                "GET \(server.url())\nHTTP *\n[Asserts]\njsonpath \"$.a\" == \"n\"\n", to: "f.hurl")
            let run = await runTool(
                "run", "--report-junit", folder.file("j"), "--report-tap", folder.file("t"), "--report-html",
                folder.file("h"), file)
            let text = try run.errors + ["j", "t", "h/index.html"].map(folder.text).joined()
            #expect(run.status == 4 && run.errors.contains("31mred"), "\(text)")
            #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }, "\(text)")
        }
    }

    @Test func `of a digest are not shown by a file of requests`() async throws {
        let folder = try ScratchFolder()
        let challenge = #"Digest realm="r", nonce="n", qop="auth""#
        try await withServer { request in
            request["Authorization"] == nil
                ? .status(401).header("WWW-Authenticate", challenge) : .status(400, "the password is s3cret")
        } _: { server in
            let file = try folder.write(
                "GET \(server.url())\n[Options]\ndigest: true\nuser: ada:s3cret\nHTTP 400\n[Asserts]\nbody == \"x\"\n",
                to: "f.hurl")
            let run = await runTool("run", "--report-junit", folder.file("junit"), file)
            let text = try run.errors + folder.text(of: "junit")
            #expect(run.status == 4 && text.contains("is ***") && !text.contains("•••"), "\(text)")
            #expect(!text.contains("is s3cret"), "\(text)")
        }
    }

    @Test func `are not in the messages and reports of a file of requests`() async throws {
        let folder = try ScratchFolder()
        try await withServer(responder) { server in
            let requests = [
                "GET \(server.url("/200"))\nAuthorization: Bearer s3cret\n",
                "GET \(server.url("/200"))\n[BasicAuth]\nada: s3cret\n",
                "GET \(server.url("/200"))\n[Query]\ntoken: s3cret\n",
                "POST \(server.url("/200"))\n{\"password\": \"s3cret-word\"}\n",
                "POST \(server.url("/200"))\n[Form]\npassword: s3cret\n",
            ]
            for (index, request) in requests.enumerated() {
                let asserts = "HTTP 200\n[Asserts]\njsonpath \"$.note\" == \"x\"\n"
                let file = try folder.write(request + asserts, to: "f.hurl")
                let run = await runTool(
                    "run", "--report-junit", folder.file("junit\(index)"), "--report-tap", folder.file("tap\(index)"),
                    "--report-html", folder.file("html\(index)"), file)
                #expect(run.status == 4, "\(run.errors)")
                let pages = try ["junit\(index)", "tap\(index)", "html\(index)/index.html"].map(folder.text)
                for text in [run.errors] + pages {
                    #expect(text.contains("***") || text.contains("•••"))
                    #expect(!text.contains("s3cret") && !text.contains("czNjcmV0"), "\(text)")
                }
            }
        }
    }
}
