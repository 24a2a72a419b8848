import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct SeveralDownloadsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func run(_ list: String, _ words: String..., in world: ToolWorld = ToolWorld()) async throws -> ToolRun {
        try folder.write(list, to: "list")
        let common = ["--input", folder.file("list"), "--create-dirs", "--output-dir", folder.file("out")]
        return await runTool(common + words, in: world)
    }

    @Test func `each line becomes a file, and one line sums them up`() async throws {
        try await withServer {
            .ok("this is \($0.path)")
        } _: { server in
            let run = try await run("\(server.url("/a.txt"))\n\(server.url("/b"))  sub/b 1\n# c\n")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(folder.list("out") == ["a.txt", "sub"])
            #expect(folder.holds("this is /a.txt", in: "out/a.txt"))
            #expect(folder.holds("this is /b", in: "out/sub/b 1"))
            #expect(
                Set(run.messages.dropLast()) == [
                    "afcli: \(server.url("/a.txt")): saved to \(folder.file("out/a.txt"))",
                    "afcli: \(server.url("/b")): saved to \(folder.file("out/sub/b 1"))",
                ])
            #expect(run.messages.last == "afcli: 2 of 2 files saved")
        }
    }

    @Test(arguments: [
        // The names of lines, of URLs, and of a line and a URL.
        ["/a \u{E9}", "/b e\u{301}"], ["/%C3%A9", "/e%CC%81"], ["/a \u{E9}", "/e%CC%81"],
        ["/a new/\u{E9}", "/b new/e\u{301}"],
    ])
    func `names that are equal only as text are two files`(lines: [String]) async throws {
        try await withServer {
            .bytes(Array($0.path.utf8))
        } _: { server in
            let run = try await run(lines.map(server.url).joined(separator: "\n"))
            #expect(run.status == 0, "\(run.errors)")
            let directory = lines[0].contains("new/") ? "out/new" : "out"
            #expect(Set(folder.list(directory).map { Array($0.utf8) }) == [[0x65, 0xCC, 0x81], [0xC3, 0xA9]])
        }
    }

    @Test func `the list may be standard input, and --output a directory`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let list = StandardInput.fixed(.stream, delivery: .bytes, content: server.url("/a") + " f")
            let run = await runTool("--input", "-", "-o", folder.path + "/", in: ToolWorld(standardInput: list))
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds("x", in: "f"))
            #expect(server.requests.map(\.method) == ["GET"])
        }
    }

    @Test func `a failure does not affect other downloads, and the first in the list decides the status`() async throws
    {
        let isLateOneDone = Gate()
        try await withScriptedServer { connection in
            while let request = try connection.readRequest() {
                switch request.path {
                case "/missing":
                    // The last failure is the first one in the list.
                    try connection.wait(for: isLateOneDone)
                    try connection.send("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno!")
                case "/broken":
                    isLateOneDone.open()
                    return try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
                default: try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        } _: { server in
            let run = try await run(
                "\(server.url("/missing?token=s3cret"))\n\(server.url("/broken"))\n\(server.url("/ok"))\n")
            #expect(run.status == 4)
            #expect(folder.holds("ok", in: "out/ok"))
            #expect(!folder.has("out/missing"))
            #expect(
                run.errors.contains(
                    "afcli: error: \(server.url("/missing?token=•••")): the server responded with 404 Not Found\n"),
                "\(run.errors)")
            #expect(run.errors.contains("afcli: error: \(server.url("/broken")): "))
            #expect(run.errors.contains("  | no!\n") && !run.errors.contains("s3cret"), "\(run.errors)")
            #expect(run.messages.last == "afcli: error: 1 of 3 files saved, 2 failed")
        }
    }

    @Test func `no more downloads run in parallel than requested, and connections are reused`() async throws {
        let running = Mutex((now: 0, peak: 0))
        try await withScriptedServer { connection in
            while try connection.readRequest() != nil {
                running.withLock {
                    $0.now += 1
                    $0.peak = max($0.peak, $0.now)
                }
                // One chunk at a time, so that downloads overlap if they may.
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                try connection.sendSlowly("012345678", every: .milliseconds(1))
                running.withLock { $0.now -= 1 }
                try connection.send("9")
            }
        } _: { server in
            let list = (1...100).map { server.url("/f\($0)") }.joined(separator: "\n")
            let run = try await run(list, "--parallel", "8")
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.list("out").count == 100)
            #expect((2...8).contains(running.withLock { $0.peak }))
            #expect(server.acceptedConnections <= 8)
            #expect(run.messages.last == "afcli: 100 of 100 files saved")
        }
    }

    @Test func `files with equal names get different names`() async throws {
        try await withServer {
            .ok($0.path).header("Content-Disposition", "attachment; filename=same.txt")
        } _: { server in
            let list = (1...20).map { server.url("/\($0)") } + ["\(server.url("/named")) same.txt"]
            #expect(try await run(list.joined(separator: "\n"), "--parallel", "20").status == 0)
            #expect(folder.list("out").count == 21)
            #expect(folder.holds("/named", in: "out/same.txt"))
            let contents = try Set(folder.list("out").map { try folder.text(of: "out/\($0)") })
            #expect(contents.count == 21)
        }
    }

    @Test func `lines with equal file names are resumed separately`() async throws {
        let content = String(repeating: "x", count: 50_000)
        try await withServer { request in
            let tag = "\"\(request.path)\""
            if let range = request["Range"] {
                let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
                let rest = request.path.prefix(2) + content.dropFirst(2)
                return .status(206, String(rest.dropFirst(start))).header("ETag", tag)
                    .header("Content-Range", "bytes \(start)-49999/50000")
            }
            let half = request.path.prefix(2) + content.dropFirst(2).prefix(29_998)
            return .raw("HTTP/1.1 200 OK\r\nETag: \(tag)\r\nContent-Length: 50000\r\n\r\n\(half)")
        } _: { server in
            let list = "\(server.url("/a/index"))\n\(server.url("/b/index"))\n"
            let first = try await run(list)
            #expect(first.status == 13)
            #expect(folder.list("out").filter { $0.hasSuffix(".part") } == ["index-1.part", "index.part"])
            let second = try await run(list, "--resume")
            #expect(second.status == 0, "\(second.errors)")
            #expect(folder.list("out") == ["index", "index-1"])
            let files = try ["index", "index-1"].map { try folder.text(of: "out/\($0)") }
            #expect(Set(files) == Set(["/a", "/b"].map { $0 + content.dropFirst(2) }))
            #expect(server.requests.dropFirst(2).allSatisfy { $0["Range"] == "bytes=15000-" })
        }
    }

    @Test func `repeated lines of one URL have separate files, also when resumed`() async throws {
        try await withServer { _ in
            .ok("content").header("ETag", "\"v1\"")
        } _: { server in
            let url = server.url("/small")
            #expect(try await run("\(url) one\n", "--resume").status == 0)
            for _ in 0..<2 {
                let again = try await run("\(url) one\n\(url)\n\(url)\n", "--resume")
                #expect(again.status == 0, "\(again.errors)")
                #expect(folder.list("out") == ["one", "small.txt", "small.txt-1"])
            }
            #expect(server.requests.count { $0["If-None-Match"] == nil } == 3)
        }
    }

    @Test func `with --no-clobber a name in the list is used unless a file has it`() async throws {
        try folder.write("old", to: "out/b")
        try await withServer {
            .ok($0.path)
        } _: { server in
            let list = "\(server.url("/a")) a\n\(server.url("/b")) b\n"
            let run = try await run(list, "--no-clobber")
            #expect(run.status == 0)
            #expect(folder.list("out") == ["a", "b", "b-1"])
            #expect(folder.holds("/a", in: "out/a"))
            #expect(folder.holds("old", in: "out/b"))
        }
    }

    @Test func `header fields, query and credentials are sent with each request`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let list = "\(server.url("/a"))\n\(server.url("/b?y=2"))"
            let run = try await run(list, "-a", "me:pw", "X-A:1", "z==3")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.allSatisfy { $0["X-A"] == "1" && $0["Authorization"] == "Basic bWU6cHc=" })
            #expect(Set(server.requests.map(\.target)) == ["/a?z=3", "/b?y=2&z=3"])
        }
    }

    @Test func `URLs of one origin share settings, but no credentials of a URL or of another host`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let netrc = try folder.write("machine localhost login me password pw", to: "netrc", permissions: 0o600)
            let named = "http://localhost:\(server.port)"
            let list = [
                server.url("/a"), server.url("/b/../c?q"), "\(named)/d", "\(named)/e",
                "http://you:pw@\(server.authority)/f", "\(server.url("/g")) other", server.url("/h#i"),
            ]
            let run = try await run(list.joined(separator: "\n"), "--netrc-file", netrc, "X-A:1")
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.allSatisfy { $0["X-A"] == "1" })
            let credentials = Dictionary(server.requests.map { ($0.target, $0["Authorization"] ?? "") }) { $1 }
            let (me, you) = ("Basic bWU6cHc=", "Basic eW91OnB3")
            #expect(credentials == ["/a": "", "/c?q": "", "/d": me, "/e": me, "/f": you, "/g": "", "/h": ""])
            #expect(folder.list("out") == ["a.txt", "c.txt", "d.txt", "e.txt", "f.txt", "h.txt", "other"])
        }
    }

    @Test func `a password is prompted for once`() async throws {
        let questions = Mutex<[String]>([])
        try await withServer { _ in
            .ok("x")
        } _: { server in
            var environment = ToolWorld().environment
            environment.credentials = .fixed { question, _ in
                questions.withLock { $0.append(question) }
                return "pw"
            }
            try folder.write("\(server.url("/a"))\n\(server.url("/b"))\n\(server.url("/c"))", to: "list")
            let words = ["--input", folder.file("list"), "-o", folder.path + "/", "-a", "me"]
            let asking = environment
            let status = await withCheckedContinuation { waiter in
                DispatchQueue(label: "tool").async {
                    waiter.resume(returning: Program(asking).run(words.map { Array($0.utf8) }))
                }
            }
            #expect(status == .success)
            #expect(questions.withLock(\.count) == 1)
            #expect(server.requests.count == 3)
        }
    }

    @Test func `each file is verified with the list of checksums`() async throws {
        try await withServer {
            .ok($0.path == "/good.txt" ? "0123456789" : "other")
        } _: { server in
            let digest = "781e5e245d69b566979b86e28d23f2c7"
            try folder.write("\(digest)  good.txt\n\(digest)  bad\n", to: "md5")
            let list = "\(server.url("/good.txt"))\n\(server.url("/x")) bad\n"
            let first = try await run(list, "--checksum", "@" + folder.file("md5"))
            #expect(first.status == 15, "\(first.errors)")
            #expect(folder.list("out") == ["good.txt"])
            let again = try await run(list, "--resume", "--checksum", "@" + folder.file("md5"))
            #expect(again.status == 15)
            #expect(again.messages.last == "afcli: error: 0 of 2 files saved, 1 complete already, 1 failed")
            #expect(server.requests.count { $0.path == "/good.txt" } == 1)
        }
    }

    @Test func `only the failed file is retried`() async throws {
        let tries = Mutex<[String: Int]>([:])
        try await withServer { request in
            let number = tries.withLock { tries in
                tries[request.path, default: 0] += 1
                return tries[request.path] ?? 0
            }
            return request.path == "/b" && number < 3 ? .status(503) : .ok("x")
        } _: { server in
            let list = "\(server.url("/a"))\n\(server.url("/b"))\n"
            let run = try await run(list, "--retry", "3", "--retry-delay", "0.01")
            #expect(run.status == 0, "\(run.errors)")
            #expect(tries.withLock { $0 } == ["/a": 1, "/b": 3])
            #expect(run.errors.contains("afcli: \(server.url("/b")): the server responded with 503"))
        }
    }

    @Test func `with --no-clobber a line may name an existing directory`() async throws {
        try folder.folder("out/a")
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = try await run("\(server.url("/a")) a\n\(server.url("/b")) a/b\n", "--no-clobber")
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.has("out/a-1") && folder.has("out/a/b"))
        }
    }

    @Test func `received cookies are stored in the jar`() async throws {
        try await withServer { _ in
            .ok("x").header("Set-Cookie", "k=v; Max-Age=1000")
        } _: { server in
            let run = try await run(server.url("/a"), "--cookie-jar", folder.file("jar"))
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.text(of: "jar").contains("k\tv"))
        }
    }

    @Test func `events have the URL, and each download has one for its end`() async throws {
        try await withServer {
            $0.path == "/a" ? .ok("0123456789") : .status(500)
        } _: { server in
            let run = try await run("\(server.url("/a"))\n\(server.url("/b"))\n", "--progress=json")
            #expect(run.status == 5)
            let events = run.messages.filter { $0.hasPrefix("{") }
            let url = "\"url\":\"\(server.url("/a"))\""
            #expect(events.contains { $0.contains("\"event\":\"progress\",\(url),\"name\":\"a.txt\"") }, "\(events)")
            #expect(events.contains("{\"event\":\"end\",\(url),\"path\":\"\(folder.file("out/a.txt"))\",\"status\":0}"))
            #expect(events.contains { $0.hasSuffix("\"path\":null,\"status\":5}") })
        }
    }
}

/// Command lines that are rejected before a request is sent.
@Suite(.timeLimit(.minutes(5))) struct SeveralDownloadsRefusalTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func expectRefusal(_ sentence: String, of list: String, _ words: String...) async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            try folder.write(list.replacing("HOST", with: server.authority), to: "list")
            let common = ["--input", folder.file("list")]
            let words = words.map {
                $0.replacing("FOLDER", with: folder.path).replacing("HOST", with: server.authority)
            }
            let folderWords = words.contains("-o") ? [] : ["-o", folder.path + "/"]
            let run = await runTool(common + folderWords + words)
            #expect(run.status == 64)
            #expect(run.messages.first?.contains(sentence) == true, "\(run.errors)")
            #expect(server.requests.isEmpty)
            // A report is written even so.
            #expect(folder.list().filter { $0 != "r" } == ["list"])
        }
    }

    @Test func `an invalid line is reported`() async throws {
        try await expectRefusal("line 2 of '\(folder.file("list"))': ftp://x", of: "HOST/a\nftp://x\n")
        try await expectRefusal("line 3 of", of: "HOST/a\n\nhttp://exa mple/..\nhttp://:9/\n")
        try await expectRefusal(
            "line 2 of '\(folder.file("list"))': invalid file name '../x'", of: "HOST/a\nHOST/b ../x\n")
        let list = try folder.write("http://h/a\nhttp://h/b -\n", to: "list")
        let run = await runTool("--input", list, "--output-dir", folder.path)
        #expect(run.status == 64)
        #expect(run.messages.first?.contains("line 2 of '\(list)': '-' is standard output") == true, "\(run.errors)")
    }

    @Test func `two lines with one file, or the list as a file, are errors`() async throws {
        let path = folder.path
        try await expectRefusal(
            "line 3 of '\(path)/list': line 1 also writes '\(path)/f'", of: "HOST/a f\n\nHOST/b f\n")
        try await expectRefusal("'\(path)/list' is the list of --input", of: "HOST/a list\n")
        for list in ["HOST/a a\nHOST/b a/b/c\n", "HOST/b a/b/c\nHOST/a a\n"] {
            try await expectRefusal(
                "so '\(path)/a/b/c' cannot be inside it", of: list, "--create-dirs", "-o", "\(path)/")
        }
        for ending in [".part", ".part.json"] {
            try await expectRefusal(
                "line 1 of '\(path)/list': line 2 uses '\(path)/f\(ending)' until its download is complete",
                of: "HOST/a f\(ending)\nHOST/b f\n")
        }
        try await expectRefusal("line 1 also writes '\(path)/x'", of: "HOST/a/x\nHOST/b/x\n", "--resume=unsafe")
    }

    @Test func `options for a single request are rejected`() async throws {
        let list = "HOST/a\nHOST/b\n"
        try await expectRefusal("-o: names one file", of: list, "-o", "FOLDER/f")
        try await expectRefusal(
            "--checksum: applies to one file", of: list, "--checksum", "md5:781e5e245d69b566979b86e28d23f2c7")
        try await expectRefusal("--write-out: is for responses that are shown", of: list, "--write-out", "x")
        try await expectRefusal("cannot be combined with --offline", of: list, "--offline")
        try await expectRefusal("cannot be combined with --session", of: list, "--session", "s")
        try await expectRefusal("cannot be combined with --verbose", of: list, "-v")
        try await expectRefusal("is not an item", of: list, "http://me:pw@HOST/c")
        try await expectRefusal("has no body", of: list, "head")
    }

    @Test func `a missing or empty list is an error`() async throws {
        let missing = await runTool("--input", folder.file("none"))
        #expect(missing.status == 16)
        #expect(
            missing.messages.first?.hasPrefix("afcli: error: --input: cannot read '\(folder.file("none"))'") == true)
        try await expectRefusal("there is no URL", of: "# none\n")
        try folder.write([0xFF, 0x41], to: "bytes")
        #expect(await runTool("--input", folder.file("bytes")).status == 16)
    }
}
