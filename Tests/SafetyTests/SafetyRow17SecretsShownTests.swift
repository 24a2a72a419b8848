import CLinux
import TestSupport
import Testing

@Suite("Safety 17: secrets shown", .timeLimit(.minutes(5)))
struct SafetyRow17SecretsShownTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Requests with a secret in every possible position.
    static let requests: [[String]] = [
        ["-a", "ada:s3cret"], ["-A", "bearer", "-a", "s3cret"], ["-A", "digest", "-a", "ada:s3cret"],
        ["Authorization:Custom s3cret"], ["Cookie:sid=s3cret"], ["X-Api-Key:s3cret"],
        ["Proxy-Authorization:Basic s3cret"],
        ["token==s3cret"], ["password=s3cret"], ["user[password]=s3cret"], ["-f", "client_secret=s3cret"],
        ["--multipart", "api_key=s3cret"], ["-F", "password=s3cret"], ["--raw", #"{"access_token": "s3cret"}"#],
        ["--session", "./s.json"], ["--cookie-jar", "./jar"], ["--netrc-file", "netrc"],
    ]

    private func writeFiles() throws {
        try folder.write(
            """
            {"auth": {"type": "basic", "raw_auth": "ada:s3cret"}, "headers": [{"name": "X-Token", "value": "s3cret"}],
             "cookies": [{"name": "sid", "value": "s3cret", "path": "/"}]}
            """, to: "s.json", permissions: 0o600)
        try folder.write(
            "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsid\ts3cret\n", to: "jar",
            permissions: 0o600)
        try folder.write("default login ada password s3cret\n", to: "netrc", permissions: 0o600)
    }

    /// Secrets as they are and as logins spell them.
    private func holdsSecret(_ text: String) -> Bool {
        ["s3cret", "YWRhOnMzY3JldA", "s3%63ret"].contains(where: text.contains)
    }

    /// A server that sends secrets, requires credentials and fails.
    private nonisolated(nonsending) func withServers(_ test: (LocalServer) async throws -> Void) async throws {
        try await withServer { request in
            if request.path == "/r" { return .redirect(to: "/end?token=s3cret") }
            return .json(#"{"access_token": "s3cret", "id": 1}"#).header("Set-Cookie", "sid=s3cret; Path=/")
                .header("X-Auth-Token", "s3cret").header("X-Plain", "plain")
        } _: { server in
            try await test(server)
        }
    }

    @Test(arguments: requests)
    func `reports, debug logs and printed commands contain no secrets by default`(words: [String]) async throws {
        try writeFiles()
        try await withServers { server in
            let records = ["-L", "-q", "--har", "h.har", "--report", "r.json", server.url("/r")]
            let run = try await folder.afcli(records + words)
            #expect(!holdsSecret(run.errorText), "\(run.errorText)")
            for name in ["h.har", "r.json"] {
                let text = try folder.text(of: name)
                #expect(!holdsSecret(text), "\(name): \(text)")
            }
            // Other values are shown.
            #expect(try folder.text(of: "h.har").contains("plain"))
            let debugged = try await folder.afcli(["--debug", "-b", "-L", server.url("/r")] + words)
            #expect(!holdsSecret(debugged.errorText), "\(debugged.errorText)")
            for style in ["--curl", "--curl-long"] {
                let hidden = try await folder.afcli([style, server.url("/r")] + words)
                #expect(hidden.status == 0 && !holdsSecret(hidden.allOutput), "\(hidden.allOutput)")
                let shown = try await folder.afcli([style, "--show-secrets", server.url("/r")] + words)
                #expect(holdsSecret(shown.text), "\(shown.allOutput)")
            }
            _ = try await folder.afcli(records + words + ["--show-secrets"])
            #expect(holdsSecret(try folder.text(of: "h.har")))
        }
    }

    @Test func `texts of a response that repeat a secret of the request are masked`() async throws {
        try await withServer { request in
            let login = request["Authorization"] ?? ""
            let head = ["HTTP/1.1 401 invalid \(login)", "X-Request-Id: \(login)", "Connection: close"]
            return .raw((head + ["", login]).joined(separator: "\r\n"))
        } _: { server in
            for words in [["-a", "ada:s3cret"], ["-A", "bearer", "-a", "s3cret"], ["Authorization:Custom s3cret"]] {
                for report in [["--report", "r"], ["--report", "junit:r"], ["--har", "r", "--har-bodies", "1K"]] {
                    let run = try await folder.afcli(["-q", server.url()] + report + words)
                    let text = try run.errorText + folder.text(of: "r")
                    #expect(text.contains("•••") && !holdsSecret(text), "\(text)")
                }
            }
        }
    }

    @Test func `the debug log of HTTP/2 contains no secrets`() async throws {
        try await withNginx(files: ["f": .text("text")]) { nginx in
            let words = ["--debug", "-b", "--cacert", nginx.root, nginx.secureURL("/f?token=s3cret")]
            let run = try await folder.afcli(words + ["-a", "ada:s3cret", "X-Auth-Token:s3cret"])
            #expect(run.status == 0 && !holdsSecret(run.errorText), "\(run.errorText)")
            #expect(run.errorText.contains("[authorization: •••]"), "\(run.errorText)")
        }
    }

    @Test(arguments: requests)
    func `errors and warnings contain no secrets`(words: [String]) async throws {
        try writeFiles()
        try await withServer { request in
            request.path == "/broken" ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") : .status(401)
        } _: { server in
            let dead = try RefusingPort()
            let runs = [
                [dead.url("/?token=s3cret")], [server.url("/broken")], [server.url("/no")], [server.url(), "--bogus"],
                [server.url(), "--expect-json", "a"], ["-d", server.url("/broken?api_key=s3cret")],
                ["-d", "--retry", "1", "--retry-delay", "1ms", server.url("/broken")],
            ]
            for more in runs {
                // Once as it should be, and once with the URL at its end, where some words are taken for a URL.
                for order in [more + words, words + more] {
                    let run = try await folder.afcli(["-b"] + order)
                    #expect(!holdsSecret(run.errorText), "\(order): \(run.errorText)")
                }
            }
        }
    }

    @Test func `credentials are read from a file, a variable, a descriptor and a prompt`() async throws {
        try folder.write("ada:s3cret\n", to: "login")
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { server in
            let expected = "Basic YWRhOnMzY3JldA=="
            #expect(try await folder.afcli("-b", "-a", "@login", server.url()).text == expected)
            let variable = try await folder.afcli(
                ["-b", "-a", "env:LOGIN", server.url()], variables: ["LOGIN": "ada:s3cret"])
            #expect(variable.text == expected, "\(variable.errorText)")
            let script = #"exec "$0" -b -a fd:3 "$1" 3<"$2""#
            let words = ["-c", script, try Program.afcliPath(), server.url(), folder.file("login")]
            #expect(try await Program("/bin/sh", words).run().text == expected)
            let prompt = try folder.tool(["-b", "-a", "ada", server.url()], variables: ["TERM": "dumb"]).onTerminal()
            let running = try prompt.start()
            try await running.waitForText("password for ada@")
            running.write("s3cret\n")
            let result = try await running.waitForEnd()
            #expect(result.screenText.contains(expected))
            // Typed text is not echoed.
            #expect(!result.screenText.contains("s3cret"))
        }
    }

    @Test func `a download stores no secrets in its record or attributes`() async throws {
        let download = BrokenDownload()
        try await withServer { request in
            request.path == "/whole" ? download.whole() : download.broken
        } _: { server in
            #expect(
                try await folder.afcli("-o", "f", server.url("/whole?token=s3cret"), "-a", "ada:s3cret").status == 0)
            // All users who may read the file may read its attributes.
            var attribute = [UInt8](repeating: 0, count: 4096)
            let count = getxattr(folder.file("f"), "user.afcli", &attribute, attribute.count)
            let remembered = String(decoding: attribute.prefix(max(0, count)), as: UTF8.self)
            #expect(remembered.contains("/whole") && !holdsSecret(remembered), "\(remembered)")
            let half = try await folder.afcli("-o", "g", server.url("/half"), "-a", "ada:s3cret", "X-Api-Key:s3cret")
            #expect(half.status == 13)
            #expect(!holdsSecret(try folder.text(of: "g.part.json")))
        }
    }
}
