import Glibc
import TestSupport
import Testing

@Suite("Safety 4: file names from the network", .timeLimit(.minutes(5)))
struct SafetyRow04FileNamesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Downloads into a subdirectory of the test's, so that files outside of it are detected.
    private nonisolated(nonsending) func download(_ words: String...) async throws -> ProgramResult {
        try folder.folder("into")
        return try await folder.afcli(["-d", "--output-dir", "into"] + words)
    }

    @Test(arguments: [
        ("../../up", "up"), ("/etc/passwd", "passwd"), ("..\\..\\up", "up"), ("a/b/", "b"), (".profile", "profile"),
        ("-rf", "rf"), ("--", nil), ("..", nil), (".", nil), ("", nil), ("a\u{1B}[2Jb", "a[2Jb"), ("a\tb", "ab"),
        ("gpj\u{202E}.exe", "gpj.exe"), ("a\u{9B}b", "ab"), ("\u{2066}a\u{2069}", "a"), ("c:\\dir\\file", "file"),
        ("a<b>c|d?e*f\"", "abcdef"), ("name. . ", "name"), ("f.part.json", "f.part_.json"), (" lead", "lead"),
        ("\u{FEFF}.hidden", "hidden"), ("~root", "root"), ("~", nil), ("a~", "a~"),
    ])
    func `a file name in the response is sanitized`(announced: String, stored: String?) async throws {
        let encoded = announced.utf8.map { byte in
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            return "%" + (byte < 16 ? "0" : "") + hexadecimal
        }.joined()
        try await withServer { _ in
            .ok("x").header("Content-Disposition", "attachment; filename*=UTF-8''\(encoded)")
        } _: { server in
            let run = try await download(server.url("/mine"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(folder.list("into") == [stored ?? "mine.txt"])
            #expect(folder.list() == ["into"])
        }
    }

    @Test func `names with NUL or of excessive length are shortened`() async throws {
        let long = String(repeating: "é", count: 300) + ".tar.gz"
        try await withServer { request in
            let name = request.path == "/long" ? long : "safe%00.sh"
            return .ok("x").header("Content-Disposition", "attachment; filename*=UTF-8''\(name)")
        } _: { server in
            #expect(try await download(server.url("/nul")).status == 0)
            #expect(folder.list("into") == ["safe.sh"])
            #expect(try await download(server.url("/long")).status == 0)
            let name = try #require(folder.list("into").first { $0 != "safe.sh" })
            #expect(name.utf8.count <= 255 && name.hasSuffix(".gz") && name.hasPrefix("éé"))
        }
    }

    @Test(arguments: ["/a%2F..%2Fb", "/%2e%2e%2fb", "/x/..%5Cb", "/.b", "/-b", "/%1B%5B2Jb"])
    func `a name from the URL is sanitized, too`(path: String) async throws {
        try await withServer { _ in
            .bytes([1])
        } _: { (server) async throws in
            #expect(try await download(server.url(path)).status == 0)
            #expect(folder.list("into") == [path.contains("1B") ? "[2Jb" : "b"])
            #expect(folder.list() == ["into"])
        }
    }

    @Test func `the file name comes from the typed URL, not from that of a redirect`() async throws {
        try await withServer { request in
            request.path == "/wanted.txt" ? .redirect(to: "/.bashrc") : .ok("x")
        } _: { (server) async throws in
            #expect(try await download(server.url("/wanted.txt")).status == 0)
            #expect(folder.list("into") == ["wanted.txt"])
        }
    }

    @Test func `existing files are overwritten only with an option, and links are not followed`() async throws {
        try folder.write("mine", to: "into/f.txt")
        try folder.write("elsewhere", to: "victim")
        try folder.link("into/l.txt", to: folder.file("victim"))
        try folder.link("into/dangling.txt", to: folder.file("nothing"))
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for name in ["f.txt", "l.txt", "dangling.txt"] {
                #expect(try await download(server.url("/\(name)")).status == 0)
                #expect(folder.holds("new", in: "into/\(name)-1"))
            }
            #expect(folder.holds("mine", in: "into/f.txt"))
            // A link is replaced only with the option, and never followed.
            let refused = try await folder.afcli("-o", "into/l.txt", server.url())
            #expect(refused.status == 16, "\(refused.errorText)")
            let kept = try await folder.afcli("--no-clobber", "-o", "into/f.txt", server.url())
            #expect(kept.status == 0 && folder.holds("new", in: "into/f.txt-2"), "\(kept.errorText)")
            #expect(try await folder.afcli("--overwrite", "-o", "into/l.txt", server.url()).status == 0)
            #expect(try await folder.afcli("-o", "into/f.txt", server.url()).status == 0)
            #expect(folder.holds("new", in: "into/f.txt") && folder.holds("new", in: "into/l.txt"))
            #expect(folder.holds("elsewhere", in: "victim"))
            #expect(folder.list() == ["into", "victim"])
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a link of another user is not followed by a curl command`() async throws {
        try folder.write("elsewhere", to: "victim")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for words in [["-o"], ["-i", "-o"], ["-o", "f", "-D"], ["-o", "f", "--etag-save"]] {
                try folder.link("planted", to: folder.file("victim"))
                #expect(lchown(folder.file("planted"), 12345, 12345) == 0)
                _ = try await folder.afcli(["curl", "-s"] + words + ["planted", server.url()])
                #expect(folder.holds("elsewhere", in: "victim"), "\(words)")
                unlink(folder.file("planted"))
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a link of another user is not followed by a file that is written in place`() async throws {
        try folder.write("elsewhere", to: "victim")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for words in [
                ["-q", "-w", "%output{>>LINK}x"], ["curl", "-sS", "-o", "f", "-w", "%output{>>LINK}x"],
                ["curl", "-s", "-o", "f", "--trace", "LINK"], ["curl", "-s", "-o", "f", "--trace-ascii", "LINK"],
                ["curl", "-s", "-o", "f", "-v", "--stderr", "LINK"],
            ] {
                try folder.link("planted", to: folder.file("victim"))
                #expect(lchown(folder.file("planted"), 12345, 12345) == 0)
                let foreign = words.map { $0.replacing("LINK", with: folder.file("planted")) }
                let run = try await folder.afcli(foreign + [server.url()])
                #expect(folder.holds("elsewhere", in: "victim"), "\(words)")
                #expect(run.errorText.contains("planted': it is a symbolic link"), "\(words): \(run.errorText)")
                unlink(folder.file("planted"))
                try folder.write("", to: "own")
                try folder.link("linked", to: folder.file("own"))
                _ = try await folder.afcli(words.map { $0.replacing("LINK", with: "linked") } + [server.url()])
                #expect(try !folder.text(of: "own").isEmpty, "\(words)")
                unlink(folder.file("linked"))
            }
        }
    }

    @Test func `a file created during the download is not overwritten`() async throws {
        let hasBegun = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nnew")
            try connection.wait(for: hasBegun)
            try connection.send("est")
        } _: { server in
            defer { hasBegun.open() }
            let program = try folder.tool(["-d", "--no-clobber", "-o", "f", server.url()]).start()
            try await eventually("the download has begun") { folder.has("f.part") }
            try folder.write("faster", to: "f")
            hasBegun.open()
            let run = try await program.waitForEnd()
            #expect(folder.holds("faster", in: "f"))
            #expect(run.status == 16 || folder.holds("newest", in: "f-1"), "\(run.errorText)")
        }
    }
}
