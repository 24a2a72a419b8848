import Glibc
import TestSupport
import Testing

@Suite("Safety 10: session and cookie files", .timeLimit(.minutes(5)))
struct SafetyRow10SessionFilesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A file that a run stores values in: its option and possible earlier contents.
    struct Kept: Sendable, CustomTestStringConvertible {
        let option: String
        let content: String
        let broken: String

        var testDescription: String { option }
    }

    static let kept = [
        Kept(option: "--session", content: "{}", broken: #"{"cookies": ["#),
        Kept(option: "--cookie-jar", content: "# Netscape HTTP Cookie File\n", broken: "no cookie\n"),
    ]

    private nonisolated(nonsending) func withCookies(_ test: (LocalServer) async throws -> Void) async throws {
        try await withServer { request in
            .ok("shown").header("Set-Cookie", "c\(request.path.dropFirst())=v; Path=/; Max-Age=1000")
        } _: { server in
            try await test(server)
        }
    }

    @Test(arguments: ["000", "022", "0277"])
    func `files and directories are private with any umask`(mask: String) async throws {
        try await withCookies { server in
            let words = ["--session=s", "--cookie-jar", "jar", server.url("/1")]
            let script = "umask \(mask); exec \"$@\""
            var program = Program("/bin/sh", ["-c", script, "sh", try Program.afcliPath()] + words)
            (program.workingDirectory, program.environment) = (folder.path, ["AFCLI_CONFIG_DIR": folder.file("config")])
            let run = try await program.run()
            #expect(run.status == 0, "\(run.errorText)")
            let host = "127.0.0.1_\(server.port)"
            #expect(try folder.permissions(of: "jar") == 0o600)
            #expect(try folder.permissions(of: "config/sessions/\(host)/s.json") == 0o600)
            for place in ["config", "config/sessions", "config/sessions/\(host)"] {
                #expect(try folder.permissions(of: place) == 0o700)
            }
        }
    }

    @Test(arguments: kept)
    func `a file with access for others is made private when it is written`(kept: Kept) async throws {
        try folder.write(kept.content, to: "kept", permissions: 0o644)
        try await withCookies { (server) async throws in
            #expect(try await folder.afcli(kept.option, "./kept", server.url("/1")).status == 0)
            #expect(try folder.permissions(of: "kept") == 0o600)
            #expect(try folder.text(of: "kept").contains("c1"))
        }
    }

    @Test(arguments: kept)
    func `the old file remains until the new one is on disk`(kept: Kept) async throws {
        try folder.write(kept.content, to: "kept", permissions: 0o600)
        let disk = try await FailingDisk()
        try await withCookies { server in
            let words = [kept.option, "./kept", server.url("/1")]
            let failed = try await folder.afcli(["-b"] + words, variables: disk.variables)
            #expect(failed.status == 16 && failed.text == "shown", "\(failed.errorText)")
            #expect(folder.holds(kept.content, in: "kept"))
            #expect(folder.list() == ["kept"])
            // A new file replaces the old one, which open readers continue to read.
            let number = try folder.fileNumber(of: "kept")
            let old = open(folder.file("kept"), O_RDONLY)
            defer { close(old) }
            #expect(try await folder.afcli(words).status == 0)
            #expect(try folder.fileNumber(of: "kept") != number)
            var status = stat()
            #expect(fstat(old, &status) == 0 && Int(status.st_size) == kept.content.utf8.count)
        }
    }

    @Test(arguments: kept)
    func `concurrent runs lose no cookies of a shared file`(kept: Kept) async throws {
        try await withCookies { server in
            let programs = try (0..<12).map { number in
                try folder.tool([kept.option, "./kept", server.url("/\(number)")]).start()
            }
            for program in programs {
                let run = try await program.waitForEnd()
                #expect(run.status == 0, "\(run.errorText)")
            }
            let content = try folder.text(of: "kept")
            for number in 0..<12 {
                #expect(content.contains("\"c\(number)\"") || content.contains("\tc\(number)\t"), "c\(number)")
            }
        }
    }

    @Test(arguments: kept)
    func `links and files of other users are rejected`(kept: Kept) async throws {
        try folder.write(kept.content, to: "target", permissions: 0o600)
        try folder.link("kept", to: folder.file("target"))
        try folder.link("dangling", to: folder.file("nothing"))
        try folder.write(kept.content, to: "foreign", permissions: 0o666)
        // Only root can give files away; everybody has one of root's at hand.
        let isRoot = chown(folder.file("foreign"), 12345, 12345) == 0
        try await withCookies { server in
            for name in ["./kept", "./dangling", isRoot ? "./foreign" : "/etc/passwd"] {
                let run = try await folder.afcli(kept.option, name, server.url("/1"))
                #expect(run.status == 16, "\(name): \(run.errorText)")
            }
            #expect(server.requests.isEmpty)
            #expect(folder.holds(kept.content, in: "target") && folder.holds(kept.content, in: "foreign"))
            #expect(folder.list() == ["dangling", "foreign", "kept", "target"])
        }
    }

    @Test(arguments: kept)
    func `a corrupt file is an error and remains unchanged`(kept: Kept) async throws {
        try folder.write(kept.broken, to: "kept", permissions: 0o600)
        try await withCookies { server in
            let run = try await folder.afcli(kept.option, "./kept", server.url("/1"))
            #expect(run.status == 16, "\(run.errorText)")
            #expect(run.errorText.contains("./kept"))
            #expect(folder.holds(kept.broken, in: "kept"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: kept)
    func `a session or jar that is damaged during the response is not overwritten`(kept: Kept) async throws {
        try folder.write(kept.content, to: "kept", permissions: 0o600)
        let place = folder
        try await withServer { _ in
            try place.write(kept.broken, to: "kept")
            return .ok("shown").header("Set-Cookie", "a=b")
        } _: { server in
            let run = try await folder.afcli("-b", kept.option, "./kept", server.url())
            #expect(run.status == 16 && run.text == "shown", "\(run.errorText)")
            #expect(folder.holds(kept.broken, in: "kept"))
        }
    }

    @Test(arguments: kept)
    func `temporary copies of killed runs are removed by the next run`(kept: Kept) async throws {
        try folder.write(kept.content, to: "kept", permissions: 0o600)
        let disk = try await HangingDisk()
        try await withCookies { server in
            for _ in 0..<3 {
                let program = try folder.tool([kept.option, "./kept", server.url("/1")], variables: disk.variables)
                    .start()
                try await eventually("the copy is written") { folder.list().contains { $0.hasPrefix(".afcli-") } }
                program.kill()
                _ = try await program.waitForEnd()
            }
            // Of another program or another file.
            try folder.write("foreign", to: ".afcli-foreign")
            #expect(folder.list().count { $0.hasPrefix(".afcli-") } > 1)
            #expect(try await folder.afcli([kept.option, "./kept", server.url("/1")]).status == 0)
            #expect(folder.list() == [".afcli-foreign", "kept"], "\(folder.list())")
        }
    }

    @Test func `a line of a cookie file that cannot be read stays`() async throws {
        let lines = "# Netscape HTTP Cookie File\nnonsense\nh\tTRUE\n\tx\n"
        try folder.write(lines, to: "jar", permissions: 0o600)
        try await withCookies { server in
            let run = try await folder.afcli("--cookie-jar", "jar", server.url("/1"))
            #expect(run.status == 0)
            #expect(run.errorText.contains("lines 2, 3 and 4 of 'jar'"), "\(run.errorText)")
            #expect(try folder.text(of: "jar").hasPrefix(lines + "127.0.0.1\tFALSE\t/\tFALSE\t"))
        }
    }

    @Test func `a file never grows beyond the size that is read`() async throws {
        let start = Array("# Netscape HTTP Cookie File\n#".utf8)
        let bytes = start + [UInt8](repeating: UInt8(ascii: "x"), count: (64 << 20) - start.count - 20)
        try folder.write(bytes, to: "jar", permissions: 0o600)
        try await withCookies { server in
            let run = try await folder.afcli("--cookie-jar", "jar", server.url("/1"))
            #expect(run.status == 16, "\(run.errorText)")
            #expect(try folder.bytes(of: "jar") == bytes)
        }
    }

    @Test func `the temporary copy of a running process is not removed`() async throws {
        let disk = try await HangingDisk()
        try await withCookies { server in
            // A record has no lock of its own.
            let words = ["-b", server.url("/1"), "--report", "r.json"]
            let program = try folder.tool(words, variables: disk.variables).start()
            try await eventually("the copy is written") { folder.list().contains { $0.hasPrefix(".afcli-") } }
            #expect(try await folder.afcli(words).status == 0)
            #expect(folder.list().contains { $0.hasPrefix(".afcli-") })
            program.kill()
            _ = try await program.waitForEnd()
            #expect(try await folder.afcli(words).status == 0)
            #expect(folder.list() == ["r.json"], "\(folder.list())")
        }
    }
}
