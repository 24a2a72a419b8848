import AFCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a body is saved only at its destination`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.output.isEmpty)
            #expect(run.messages.last?.hasPrefix("afcli: saved to \(folder.file("f")) (5 B in ") == true)
            #expect(folder.list() == ["f"])
            #expect(folder.holds("hello", in: "f"))
        }
    }

    @Test func `an existing file is replaced only at the end`() async throws {
        try folder.write("old", to: "f")
        try await withServer {
            $0.path == "/ok" ? .ok("new") : .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        } _: { server in
            let broken = await runTool("-o", folder.file("f"), server.url())
            #expect(broken.status == 13)
            #expect(folder.holds("old", in: "f"))
            #expect(await runTool("-o", folder.file("f"), server.url("/ok")).status == 0)
            #expect(folder.holds("new", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a response of 400 or more is printed and not saved`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(404, "not here")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 4)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("not here"))
            #expect(run.errors.contains("afcli: the server responded with 404 Not Found; nothing was saved\n"))
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
            let asked = await runTool("--no-check-status", "-o", folder.file("g"), server.url())
            #expect(asked.status == 0)
            #expect(folder.holds("not here", in: "g"))
        }
    }

    @Test func `a download in a shell loop does not consume the list`() async throws {
        let list = try folder.write("one\ntwo\n", to: "list")
        try await withServer { _ in
            .ok("body")
        } _: { server in
            let program = try Program.afcli("-d", "-o", folder.file("f"), server.url())
            var fed = program
            fed.input = .file(list)
            #expect(try await fed.run().status == 0)
            #expect(server.requests.map(\.method) == ["GET"])
        }
    }

    @Test func `a redirect that is not followed does not replace a file`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .redirect(to: "/new", status: 301)
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url()).status == 3)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a typed range and --resume exclude each other`() async throws {
        let run = await runTool("-c", "-o", folder.file("f"), "http://localhost:1/", "Range:bytes=5-")
        #expect(run.status == 64)
        #expect(run.errors.contains("-c: cannot be combined with a Range header"))
    }

    @Test(arguments: [
        ["--output-dir", "d"], ["--create-dirs"], ["--resume"], ["--overwrite"], ["--no-clobber"], ["--skip-existing"],
        ["--remote-time"], ["--remote-time", "-o", "-"],
    ])
    func `an option for files without a file is a usage error`(words: [String]) async {
        let run = await runTool(words + ["http://127.0.0.1:1/"])
        #expect(run.status == 64)
        #expect(
            run.messages == [
                "afcli: error: \(words[0]): requires an output file",
                words.contains("-o")
                    ? "  name a file instead of standard output" : "  add --output FILE or --download",
            ])
    }

    @Test func `concurrent downloads without a list are a usage error`() async {
        let run = await runTool("--parallel", "2", "-d", "http://127.0.0.1:1/")
        #expect(run.messages.first == "afcli: error: --parallel: requires several requests")
    }

    @Test func `long names with the same prefix have separate partial files`() async throws {
        let names = ["a", "b"].map { String(repeating: "x", count: 246) + $0 }
        try await withServer {
            .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nha\($0.path.suffix(1))f")
        } _: { server in
            for name in names {
                #expect(await runTool("-o", folder.file(name), server.url("/\(name)")).status == 13)
            }
            let kept = folder.list().filter { $0.hasSuffix(".part") }
            #expect(kept.count == 2)
            #expect(kept.allSatisfy { $0.utf8.count <= 250 })
        }
    }

    @Test func `requests without a response body cannot be downloads`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            for words in [["-d"], ["-o", folder.file("f")], ["-o", folder.path + "/"]] {
                let run = await runTool(["head", server.url("/x")] + words)
                #expect(run.status == 64)
                let sentence = "the response to HEAD has no body to save"
                #expect(run.messages.first == "afcli: error: \(words[0]): \(sentence)", "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
            #expect(folder.list().isEmpty)
            let silent = await runTool("head", server.url(), "-o", "/dev/null", "-w", "%{http_code}")
            #expect(silent.status == 0)
            #expect(silent.output == "200")
        }
    }

    @Test func `a file in a directory has the name of the server or the URL`() async throws {
        try await withServer { request in
            request.path == "/named"
                ? .ok().header("Content-Disposition", "attachment; filename=\"report 1.txt\"")
                : request.path == "/go" ? .redirect(to: "/other.bin") : .bytes([1])
        } _: { server in
            #expect(await runTool("-d", "-o", folder.path + "/", server.url("/named")).status == 0)
            #expect(await runTool("-d", "-o", folder.path + "/", server.url("/a/b.bin?x=1")).status == 0)
            #expect(await runTool("-d", "-o", folder.path + "/", server.url("/go")).status == 0)
            #expect(folder.list() == ["b.bin", "go", "report 1.txt"])
        }
    }

    @Test(arguments: [
        ("../../evil", "evil"), ("/etc/passwd", "passwd"), (".bashrc", "bashrc"), ("-rf", "rf"),
        ("a\u{202E}txt.exe", "atxt.exe"), ("a\\b\\c.txt", "c.txt"), ("..", "x"), ("CON:|x", "CONx"),
    ])
    func `a hostile name is sanitized`(announced: String, stored: String) async throws {
        try await withServer { _ in
            .bytes([1]).header(
                "Content-Disposition", "attachment; filename=\"\(announced.replacing("\\", with: "\\\\"))\"")
        } _: { server in
            #expect(await runTool("-d", "-o", folder.path + "/", server.url("/x")).status == 0)
            #expect(folder.list() == [stored])
        }
    }

    @Test func `a name that is too long is shortened without its extension`() async throws {
        try await withServer { request in
            guard request.path.count == 2 else { return .bytes([1]) }
            let name =
                request.path == "/a"
                ? String(repeating: "n", count: 100_000) : String(repeating: "ä", count: 40_000)
            return .bytes([1]).header("Content-Disposition", "attachment; filename=\"\(name).tar\"")
        } _: { server in
            let clock = ContinuousClock()
            let time = await clock.measure {
                #expect(await runTool("-d", "-o", folder.path + "/", server.url("/a")).status == 0)
                #expect(await runTool("-d", "-o", folder.path + "/", server.url("/b")).status == 0)
                let url = server.url("/" + String(repeating: "u", count: 4000) + ".txt")
                #expect(await runTool("-d", "-o", folder.path + "/", url).status == 0)
            }
            // It took 24 s when each removed byte was counted again.
            #expect(time < .seconds(5))
        }
        let names = folder.list()
        #expect(names.map(\.utf8.count).allSatisfy { (235...240).contains($0) })
        #expect(names.map { $0.suffix(5) } == ["n.tar", "u.txt", "ä.tar"])
    }

    @Test(arguments: [false, true])
    func `an obstacle at the partial file's path is named, and remains`(isDirectory: Bool) async throws {
        if isDirectory { try folder.folder("f.part") } else { try folder.write("mine", to: "f.part") }
        try await withServer { _ in
            .ok("new")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 16)
            let reason =
                isDirectory ? "not a regular file of this user" : "not a partial download of this tool"
            #expect(
                run.errors == """
                    afcli: error: '\(folder.file("f.part"))' exists, but is \(reason)
                      move it away or delete it, or choose another name with --output

                    """)
        }
        #expect(folder.list() == ["f.part"])
        #expect(isDirectory || folder.holds("mine", in: "f.part"))
    }

    @Test(arguments: ["{}", "{\"url\":\"http", "null", "[]", "\0{"], [[], ["--resume"]])
    func `a damaged record is reported with the files to delete, and both remain`(record: String, words: [String])
        async throws
    {
        let (partial, path) = (folder.file("f.part"), folder.file("f.part.json"))
        try await withServer { _ in
            .ok("new")
        } _: { server in
            try folder.write(record, to: "f.part.json", permissions: 0o600)
            let single = await runTool(["-o", folder.file("f"), server.url()] + words)
            #expect(single.status == 16)
            #expect(single.messages.last == "  move it away or delete it, or choose another name with --output")
            try folder.write("bytes", to: "f.part", permissions: 0o600)
            let run = await runTool(["-o", folder.file("f"), server.url()] + words)
            #expect(run.status == 16)
            #expect(
                run.errors == """
                    afcli: error: '\(path)' exists, but is not a partial download of this tool
                      move it and '\(partial)' away or delete them, or choose another name with --output

                    """)
            #expect(folder.holds("bytes", in: "f.part") && folder.holds(record, in: "f.part.json"))
            // Following the hint completes the file.
            unlink(path)
            unlink(partial)
            #expect(await runTool(["-o", folder.file("f"), server.url()] + words).status == 0)
        }
        #expect(folder.holds("new", in: "f"))
    }

    @Test func `a file named like a partial one is reported by its full name`() {
        for reason: DownloadFailure.Reason in [.destinationExists, .destinationIsDirectory, .system(EACCES)] {
            let message = Diagnosis(DownloadFailure(reason, path: "/a/dd.part")).message
            #expect(message.contains("'/a/dd.part'"))
        }
    }

    @Test func `with an existing file that must remain, the next free name is used`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for _ in 1...2 { #expect(await runTool("--no-clobber", "-o", folder.file("f"), server.url()).status == 0) }
            #expect(folder.list() == ["f", "f-1", "f-2"])
            #expect(folder.holds("old", in: "f"))
        }
    }

    @Test func `a link is rejected unless it may be replaced`() async throws {
        try folder.write("precious", to: "target")
        try folder.link("f", to: "target")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            let refused = await runTool("-o", folder.file("f"), server.url())
            #expect(refused.status == 16)
            #expect(refused.messages.first?.contains("it is a symbolic link") == true)
            #expect(server.requests.isEmpty)
            #expect(await runTool("--overwrite", "-o", folder.file("f"), server.url()).status == 0)
            #expect(folder.holds("precious", in: "target"))
            #expect(folder.holds("new", in: "f"))
        }
    }

    @Test func `directories are created on request`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            #expect(await runTool("--create-dirs", "-o", folder.file("a/b/f"), server.url()).status == 0)
            #expect(folder.holds("x", in: "a/b/f"))
        }
    }

    @Test func `a pipe waits for its reader up to the timeout`() async throws {
        let fifo = folder.file("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            let alone = await runTool("-o", fifo, "--timeout", "0.1", server.url())
            #expect(alone.status == 2)
            #expect(alone.errors.contains("no other process opened it for reading"))
            async let patient = runTool("-o", fifo, server.url())
            try await remains("no request is sent before the file is read") { server.acceptedConnections == 0 }
            let reader = open(fifo, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            #expect(await patient.status == 0)
            var buffer = [UInt8](repeating: 0, count: 100)
            #expect(read(reader, &buffer, 100) == 5)
        }
    }

    @Test func `devices, pipes and standard output are written directly`() async throws {
        let fifo = folder.file("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            #expect(await runTool("-o", "/dev/null", server.url()).status == 0)
            #expect(await runTool("-o", "-", server.url()).output == "hello")
            #expect(await runTool("-o", fifo, server.url()).status == 0)
            var buffer = [UInt8](repeating: 0, count: 100)
            #expect(read(reader, &buffer, 100) == 5)
            #expect(folder.list() == ["pipe"])
            let full = await runTool("-o", "/dev/full", server.url())
            #expect(full.status == 16)
            #expect(full.messages.first?.contains("the disk is full") == true)
        }
    }

    @Test func `a download requests the identity coding and follows redirects`() async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x") : .ok("x")
        } _: { server in
            #expect(await runTool("-d", "-o", folder.file("f"), server.url()).status == 0)
            #expect(server.requests.last?["Accept-Encoding"] == "identity")
            #expect(folder.holds("x", in: "f"))
        }
    }

    @Test func `a short transfer is one line if standard error is not a terminal`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 3_000_000))
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.messages.count == 1)
            #expect(run.errors.hasPrefix("afcli: saved to \(folder.file("f")) (3.0 MB in "), "\(run.errors)")
            let silent = await runTool("-o", folder.file("f"), "--no-notes", server.url())
            #expect(silent.messages.count == 1 && silent.errors.hasPrefix("f: 3.0 MB in "))
        }
    }

    @Test func `progress for programs is a JSON object on each line`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 3_000_000))
        } _: { server in
            let told = await runTool("--progress=json", "-o", folder.file("f"), server.url())
            #expect(told.messages.last == "afcli: saved to \(folder.file("f"))")
            for line in told.messages.dropLast() { #expect(line.hasPrefix("{\"event\":\"progress\",\"name\":\"f\"")) }
            #expect(told.messages.dropLast().last?.contains("\"phase\":\"done\",\"bytes\":3000000") == true)
        }
    }

    @Test func `--quiet hides the progress unless it is typed`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 3_000_000))
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            #expect(await runTool(["-q"] + words).messages.isEmpty)
            let events = await runTool(["--progress=json", "-q"] + words).messages
            #expect(!events.isEmpty && events.allSatisfy { $0.hasPrefix("{\"event\":\"progress\"") }, "\(events)")
            let bar = await runTool(["-q", "--progress=always"] + words)
            #expect(bar.errors.contains("3.0 MB in ") && !bar.errors.contains("saved to"), "\(bar.errors)")
            try folder.write(#"{"default_options": ["--progress=json"]}"#, to: "config.json")
            let world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path])
            #expect(await runTool(["-q"] + words, in: world).messages.isEmpty)
            #expect(await runTool(words, in: world).messages.count > 1)
        }
    }
}
