import Glibc
import TestSupport
import Testing

/// Session files and cookie jars with several processes, unusual umasks and full disks.
@Suite(.timeLimit(.minutes(5))) struct SessionProcessTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func afcli(_ words: [String]) throws -> Program {
        var program = Program(try Program.afcliPath(), words)
        program.environment = ["AFCLI_CONFIG_DIR": folder.file("config")]
        return program
    }

    @Test func `concurrent runs lose no cookies or header fields of a shared session and jar`() async throws {
        try await withServer { request in
            .ok().header("Set-Cookie", "c\(request.path.dropFirst())=v; Path=/")
        } _: { server in
            let jar = folder.file("jar")
            let programs = try (0..<16).map { number in
                let words = ["get", "--session=s", "--cookie-jar", jar, server.url("/\(number)"), "X-\(number):h"]
                return try afcli(words).start()
            }
            for program in programs {
                let result = try await program.waitForEnd()
                #expect(result.status == 0, "\(result.errorText)")
            }
            let host = try #require(folder.list("config/sessions").first)
            #expect(folder.list("config/sessions/\(host)") == ["s.json"])
            #expect(folder.list() == ["config", "jar"])
            let session = try folder.text(of: "config/sessions/\(host)/s.json")
            let cookies = try folder.text(of: "jar")
            for number in 0..<16 {
                #expect(session.contains("\"name\": \"c\(number)\""))
                #expect(session.contains("\"name\": \"X-\(number)\""))
                #expect(cookies.contains("\tc\(number)\tv\n"))
            }
        }
    }

    @Test func `concurrent processes that need a token request only one`() async throws {
        let endpoint = TokenEndpoint(refreshToken: "first")
        // Long enough for all processes to start while the first one waits: there is no event to wait for.
        let tokens = try LocalServer { request in
            usleep(300_000)
            return endpoint.answer(request)
        }
        try await withServer { request in
            endpoint.accepts(request) ? .ok("welcome") : .status(401)
        } _: { server in
            let words = [
                "get", "--session", folder.file("s.json"), server.url(), "-A", "oauth2", "-a", "ada:open sesame",
                "--token-url", tokens.url(), "--refresh-token", "first",
            ]
            for round in 1...2 {
                let programs = try (0..<6).map { _ in try afcli(words).start() }
                for program in programs {
                    let result = try await program.waitForEnd()
                    #expect(result.text == "welcome", "\(result.errorText)")
                }
                #expect(endpoint.issued == round)
                #expect(folder.list() == ["s.json"])
                // As if the token had expired: the next processes need another, with the latest refresh token.
                let text = try folder.text(of: "s.json").replacing(#/"expires": [0-9.]+/#, with: #""expires": 1"#)
                try folder.write(text, to: "s.json", permissions: 0o600)
            }
        }
    }

    @Test(arguments: ["000", "022", "0277", "0777"])
    func `files and directories are accessible only to the owner with any umask`(mask: String) async throws {
        try await withServer { _ in
            .ok().header("Set-Cookie", "a=b")
        } _: { server in
            let words = ["get", "--session=s", "--cookie-jar", folder.file("jar"), server.url()]
            let afcli = try Program.afcliPath()
            var shell = Program("/bin/sh", ["-c", "umask \(mask); exec \"$@\"", "sh", afcli] + words)
            shell.environment = ["AFCLI_CONFIG_DIR": folder.file("config")]
            let result = try await shell.run()
            #expect(result.status == 0, "\(result.errorText)")
            let host = try #require(folder.list("config/sessions").first)
            #expect(try folder.permissions(of: "jar") == 0o600)
            #expect(try folder.permissions(of: "config/sessions/\(host)/s.json") == 0o600)
            for place in ["config", "config/sessions", "config/sessions/\(host)"] {
                #expect(try folder.permissions(of: place) == 0o700)
            }
        }
    }

    @Test func `a full disk leaves the old session intact, and is an error after the response`() async throws {
        let disk = try FullDisk(capacity: 16 << 10)
        try await withServer { _ in
            .ok("shown").header("Set-Cookie", "a=" + String(repeating: "x", count: 4000))
                .header("Set-Cookie", "b=" + String(repeating: "x", count: 4000))
                .header("Set-Cookie", "c=" + String(repeating: "x", count: 4000))
                .header("Set-Cookie", "d=" + String(repeating: "x", count: 4000))
        } _: { server in
            let session = disk.file("s.json")
            let first = try await afcli(["get", "--session", session, "--offline", server.url(), "A:1"]).run()
            #expect(first.status == 0, "\(first.errorText)")
            let before = try ScratchFolder.bytes(at: session)
            var program = try afcli(["get", "--session", session, server.url()])
            program.fileSizeLimit = disk.fileSizeLimit
            let result = try await program.run()
            #expect(result.status == 16, "\(result.errorText)")
            #expect(result.text == "shown")
            #expect(result.errorText.contains("afcli: error: cannot write '\(session)': "))
            #expect(try ScratchFolder.bytes(at: session) == before)
            #expect(disk.list() == ["s.json"])
        }
    }

    @Test func `a run waits for the lock of a session, which is released when its process dies`() async throws {
        let session = try folder.write("{}", to: "s.json")
        let lock = "exec 9<>\(session); flock 9; echo locked; exec sleep 60"
        let holder = try Program("/bin/sh", ["-c", lock], environment: ["PATH": "/usr/bin:/bin"]).start()
        try await holder.waitForText("locked")
        try await withServer { _ in
            .ok("shown")
        } _: { server in
            let program = try afcli(["get", "--session", session, server.url(), "A:1"]).start()
            try await program.waitForText("shown")
            #expect(!program.hasEnded)
            holder.kill()
            let result = try await program.waitForEnd()
            #expect(result.status == 0, "\(result.errorText)")
            #expect(try folder.text(of: "s.json").contains("\"A\""))
        }
    }

    @Test func `a configuration is found with its variable, and an invalid one stops every request`() async throws {
        try folder.write(#"{"default_options": ["-X", "PUT"]}"#, to: "config/config.json")
        try await withServer { request in
            .ok(request.method)
        } _: { server in
            #expect(try await afcli([server.url()]).run().text == "PUT")
            try folder.write("{", to: "config/config.json")
            let broken = try await afcli([server.url()]).run()
            #expect(broken.status == 64)
            let path = folder.file("config/config.json")
            #expect(broken.errorText.hasPrefix("afcli: error: the configuration '\(path)' cannot be used: "))
            #expect(server.requests.count == 1)
        }
    }
}
