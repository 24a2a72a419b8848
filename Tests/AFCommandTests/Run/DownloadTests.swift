import AFCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a body lands under its name and nowhere else`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasSuffix("afcli: saved to \(folder.file("f"))\n"))
            #expect(folder.list() == ["f"])
            #expect(folder.holds("hello", in: "f"))
        }
    }

    @Test func `an existing file is replaced only in the end`() async throws {
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

    @Test func `an answer of 400 or more is printed and stored under no name`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(404, "not here")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 4)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains("not here"))
            #expect(run.errors.contains("afcli: warning: the server answered 404 Not Found\n"))
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
            let asked = await runTool("--no-check-status", "-o", folder.file("g"), server.url())
            #expect(asked.status == 0)
            #expect(folder.holds("not here", in: "g"))
        }
    }

    @Test func `a loop over URLs keeps the rest of its list`() async throws {
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

    @Test func `a redirect that is not followed does not take a file's place`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .redirect(to: "/new", status: 301)
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url()).status == 3)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a range typed by hand and a file's own rest exclude each other`() async throws {
        let run = await runTool("-c", "-o", folder.file("f"), "http://localhost:1/", "Range:bytes=5-")
        #expect(run.status == 64)
        #expect(run.errors.contains("--resume: cannot be combined with a Range header"))
    }

    @Test func `long names that begin alike have partial files of their own`() async throws {
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

    @Test func `an answer that fails an expectation is stored under no name`() async throws {
        try await withServer { _ in
            .json("{}")
        } _: { server in
            let run = await runTool("--expect-type", "text/html", "-o", folder.file("f"), server.url())
            #expect(run.status == 14)
            #expect(folder.list().isEmpty)
        }
    }

    @Test func `a file that came in parts may be no larger than one that came at once`() async throws {
        try await withServer { request in
            if let range = request["Range"] {
                let rest = String(repeating: "b", count: 7000)
                let place = range == "bytes=8000-" ? "bytes 8000-14999/15000" : "bytes */15000"
                return .status(206, rest).header("ETag", "\"1\"").header("Content-Range", place)
            }
            let half = String(repeating: "a", count: 8000)
            let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n1f40\r\n"
            return .raw("\(head)\(half)\r\n")
        } _: { server in
            let words = ["-o", folder.file("f"), "--retry", "1", "--retry-delay", "0", server.url()]
            let run = await runTool(words + ["--max-filesize", "10000"])
            #expect(run.status == 13)
            #expect(run.errors.contains("the file is larger than 10000 bytes\n  8.0 kB are kept"))
            #expect(run.errors.contains("with --resume and a larger --max-filesize goes on"))
            #expect(!folder.has("f"))
            #expect(await runTool(words + ["--max-filesize", "15000"]).status == 0)
        }
    }

    @Test(arguments: [203, 206]) func `all of the file is the file, whatever it is called`(status: Int) async throws {
        try await withServer { _ in
            .status(status, "hello").header("Content-Range", "bytes 0-4/5")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds("hello", in: "f"))
        }
    }

    @Test func `a part that was not asked for is no file`() async throws {
        try await withServer { _ in
            .status(206, "hello").header("Content-Range", "bytes 0-4/6")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 13)
            #expect(run.errors.contains("though all of it was asked for\n  ask for all of it: Range:bytes=0-"))
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: [204, 205, 304]) func `what has no content replaces nothing`(status: Int) async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(status)
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.errors.contains("afcli: nothing was saved: the server answered \(status)"), "\(run.errors)")
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a body that is announced as too large is not begun`() async throws {
        try await withServer { _ in
            .ok(String(repeating: "a", count: 3000))
        } _: { server in
            let run = await runTool("-o", folder.file("f"), "--max-filesize", "2000", server.url())
            #expect(run.status == 13)
            let hint = "allow more with --max-filesize"
            #expect(run.errors == "afcli: error: the body is larger than 2000 bytes\n  \(hint)\n")
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: [["--resume=unsafe"], ["--resume", "--checksum"]])
    func `a file that is not the beginning keeps its name`(words: [String]) async throws {
        try folder.write("my notes", to: "notes.txt")
        let body = "somebody else's notes"
        let words = words.flatMap { $0 == "--checksum" ? [$0, "sha1:b78b2e319713984c19ad15efca0c095aa504f453"] : [$0] }
        try await withServer { request in
            guard let range = request["Range"] else { return .ok(body) }
            let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            return .status(206, String(body.dropFirst(start)))
                .header("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)")
        } _: { server in
            let run = await runTool(["-d", "-o", folder.path + "/", server.url("/notes.txt")] + words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.list() == ["notes.txt", "notes.txt-1"])
            #expect(folder.holds("my notes", in: "notes.txt"))
            #expect(folder.holds(body, in: "notes.txt-1"))
        }
    }

    @Test func `a free name that was begun is gone on with`() async throws {
        try folder.write("mine", to: "n")
        let content = String(repeating: "x", count: 40_000)
        try await withServer { request in
            request["Range"] == nil
                ? .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 40000\r\n\r\n\(content.prefix(30_000))")
                : .status(206, String(content.dropFirst(30_000))).header("ETag", "\"1\"")
                    .header("Content-Range", "bytes 30000-39999/40000")
        } _: { server in
            let words = ["-o", folder.file("n"), "--no-clobber", server.url()]
            #expect(await runTool(words).status == 13)
            #expect(await runTool(words + ["--resume"]).status == 0)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=30000-"])
            #expect(folder.list() == ["n", "n-1"])
            #expect(folder.holds(content, in: "n-1"))
        }
    }

    @Test func `what can have no body is not downloaded`() async throws {
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            for words in [["-d"], ["-o", folder.file("f")], ["-o", folder.path + "/"]] {
                let run = await runTool(["head", server.url("/x")] + words)
                #expect(run.status == 64)
                let option = words[0] == "-d" ? "--download" : "--output"
                let sentence = "there is nothing to store: the response to HEAD has no body"
                #expect(run.complaints.first == "afcli: error: \(option): \(sentence)", "\(run.errors)")
            }
            #expect(server.requests.isEmpty)
            #expect(folder.list().isEmpty)
            let silent = await runTool("head", server.url(), "-o", "/dev/null", "-w", "%{http_code}")
            #expect(silent.status == 0)
            #expect(silent.output == "200")
        }
    }

    @Test func `a folder gets the name that the server or the URL gives`() async throws {
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
    func `a hostile name is made harmless`(announced: String, stored: String) async throws {
        try await withServer { _ in
            .bytes([1]).header(
                "Content-Disposition", "attachment; filename=\"\(announced.replacing("\\", with: "\\\\"))\"")
        } _: { server in
            #expect(await runTool("-d", "-o", folder.path + "/", server.url("/x")).status == 0)
            #expect(folder.list() == [stored])
        }
    }

    @Test func `a name too long for a file is shortened, its extension not`() async throws {
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
            // It took 24 s where each byte less was counted anew.
            #expect(time < .seconds(5))
        }
        let names = folder.list()
        #expect(names.map(\.utf8.count).allSatisfy { (235...240).contains($0) })
        #expect(names.map { $0.suffix(5) } == ["n.tar", "u.txt", "ä.tar"])
    }

    @Test(arguments: [false, true])
    func `what is in the way of the partial file is named, and stays`(isFolder: Bool) async throws {
        if isFolder { try folder.folder("f.part") } else { try folder.write("mine", to: "f.part") }
        try await withServer { _ in
            .ok("new")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 16)
            let reason = isFolder ? "it is no regular file of your own" : "no download made it"
            #expect(
                run.errors == """
                    afcli: error: '\(folder.file("f.part"))' is in the way: \(reason)
                      move it away, or choose another name with --output

                    """)
        }
        #expect(folder.list() == ["f.part"])
        #expect(isFolder || folder.holds("mine", in: "f.part"))
    }

    @Test func `a file whose name ends like a partial one's is told by its whole name`() {
        for reason: DownloadFailure.Reason in [.destinationExists, .destinationIsDirectory, .system(EACCES)] {
            let message = Diagnosis(DownloadFailure(reason, path: "/a/dd.part")).message
            #expect(message.contains("'/a/dd.part'"))
        }
    }

    @Test func `a name that is taken leads to the next one where it must stay`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            for _ in 1...2 { #expect(await runTool("--no-clobber", "-o", folder.file("f"), server.url()).status == 0) }
            #expect(folder.list() == ["f", "f-1", "f-2"])
            #expect(folder.holds("old", in: "f"))
        }
    }

    @Test func `a link is refused unless it may be replaced`() async throws {
        try folder.write("precious", to: "target")
        try folder.link("f", to: "target")
        try await withServer { _ in
            .ok("new")
        } _: { server in
            let refused = await runTool("-o", folder.file("f"), server.url())
            #expect(refused.status == 16)
            #expect(refused.complaints.first?.contains("it is a symbolic link") == true)
            #expect(server.requests.isEmpty)
            #expect(await runTool("--overwrite", "-o", folder.file("f"), server.url()).status == 0)
            #expect(folder.holds("precious", in: "target"))
            #expect(folder.holds("new", in: "f"))
        }
    }

    @Test func `folders are made when asked for`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            #expect(await runTool("--create-dirs", "-o", folder.file("a/b/f"), server.url()).status == 0)
            #expect(folder.holds("x", in: "a/b/f"))
        }
    }

    @Test func `a pipe waits for its reader as long as anything is waited for`() async throws {
        let fifo = folder.file("pipe")
        #expect(mkfifo(fifo, 0o600) == 0)
        try await withServer { _ in
            .ok("hello")
        } _: { server in
            let alone = await runTool("-o", fifo, "--timeout", "0.1", server.url())
            #expect(alone.status == 16)
            #expect(alone.errors.contains("nobody reads from this pipe"))
            async let patient = runTool("-o", fifo, server.url())
            try await remains("nothing is asked for before somebody reads") { server.acceptedConnections == 0 }
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
            #expect(full.complaints.first?.contains("the disk is full") == true)
        }
    }

    @Test func `a download asks for the bytes as they are and follows redirects`() async throws {
        try await withServer {
            $0.path == "/" ? .redirect(to: "/x") : .ok("x")
        } _: { server in
            #expect(await runTool("-d", "-o", folder.file("f"), server.url()).status == 0)
            #expect(server.requests.last?["Accept-Encoding"] == "identity")
            #expect(folder.holds("x", in: "f"))
        }
    }

    @Test func `resuming goes on with proof and starts over without`() async throws {
        let content = [UInt8](repeating: 7, count: 1000)
        let isBroken = Mutex(true)
        for (tag, isProven) in [("\"v1\"", true), ("W/\"v1\"", false)] {
            try await withServer { request in
                if let range = request["Range"], request["If-Range"] == tag {
                    let start = Int(range.dropFirst(6).dropLast()) ?? 0
                    let head = """
                        HTTP/1.1 206 Partial Content\r\nETag: \(tag)\r\nContent-Length: \(1000 - start)\r
                        Content-Range: bytes \(start)-999/1000\r\n\r\n
                        """
                    return .raw(Array(head.utf8) + content[start...])
                }
                if isBroken.withLock({ $0 }) {
                    return .raw(
                        Array("HTTP/1.1 200 OK\r\nETag: \(tag)\r\nContent-Length: 1000\r\n\r\n".utf8)
                            + content.prefix(400))
                }
                return .bytes(content).header("ETag", tag)
            } _: { server in
                let file = folder.file("f\(isProven)")
                isBroken.withLock { $0 = true }
                let broken = await runTool("-o", file, server.url())
                #expect(broken.status == 13)
                #expect(broken.errors.contains("--resume") == isProven)
                #expect(broken.errors.contains("400 B are kept in '\(file).part', but nothing tells") == !isProven)
                isBroken.withLock { $0 = false }
                let run = await runTool("-o", file, "--resume", server.url())
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.requests.last?["Range"] == (isProven ? "bytes=400-" : nil))
                #expect(folder.holds(content, in: "f\(isProven)"))
            }
        }
        #expect(folder.list() == ["ffalse", "ftrue"])
    }

    @Test func `a download that the server named is found again`() async throws {
        let isBroken = Mutex(true)
        try folder.write("somebody's", to: "report.txt")
        try await withServer { request in
            let head = "ETag: \"1\"\r\nContent-Disposition: attachment; filename=report.txt\r\n"
            if request["If-None-Match"] == "\"1\"" { return .raw("HTTP/1.1 304 Not Modified\r\n\(head)\r\n") }
            if request["Range"] == "bytes=4-" {
                return .raw(
                    """
                    HTTP/1.1 206 Partial Content\r\n\(head)Content-Length: 4\r
                    Content-Range: bytes 4-7/8\r\n\r\nhalf
                    """)
            }
            return .raw(
                "HTTP/1.1 200 OK\r\n\(head)Content-Length: 8\r\n\r\nhalf" + (isBroken.withLock(\.self) ? "" : "half"))
        } _: { server in
            let words = ["-d", "-o", folder.path + "/", server.url("/get?id=1")]
            #expect(await runTool(words).status == 13)
            #expect(folder.list() == ["report.txt", "report.txt-1.part", "report.txt-1.part.json"])
            #expect(await runTool(words + ["--resume"]).status == 0)
            #expect(server.requests.last?["Range"] == "bytes=4-")
            let again = await runTool(words + ["--resume"])
            #expect(again.errors.hasPrefix("afcli: \(folder.file("report.txt-1")) is complete"))
            #expect(folder.list() == ["report.txt", "report.txt-1"])
            #expect(folder.holds("halfhalf", in: "report.txt-1"))
            #expect(folder.holds("somebody's", in: "report.txt"))
            // Without --resume it is another file.
            isBroken.withLock { $0 = false }
            #expect(await runTool(words).status == 0)
            #expect(folder.list() == ["report.txt", "report.txt-1", "report.txt-2"])
        }
    }

    @Test func `downloads of one name from two places do not meet`() async throws {
        try await withServer { request in
            .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 8\r\n\r\n\(request.path.prefix(2))")
        } _: { server in
            for path in ["/a/x", "/b/x", "/a/x"] {
                #expect(await runTool("-d", "-o", folder.path + "/", server.url(path)).status == 13)
            }
            #expect(folder.list() == ["x-1.part", "x-1.part.json", "x.part", "x.part.json"])
            #expect(folder.holds("/a", in: "x.part"))
            #expect(folder.holds("/b", in: "x-1.part"))
        }
    }

    @Test func `another resource's part is not gone on with, whatever its validator`() async throws {
        try await withServer { request in
            request.path == "/a"
                ? .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 8\r\n\r\naaaa")
                : .ok("bbbbbbbb").header("ETag", "\"1\"")
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url("/a")).status == 13)
            #expect(await runTool("-o", folder.file("f"), "--resume", server.url("/b")).status == 0)
            #expect(server.requests.last?["Range"] == nil)
            #expect(folder.holds("bbbbbbbb", in: "f"))
        }
    }

    @Test func `resuming a complete file succeeds without a byte until there is another version`() async throws {
        let version = Mutex(1)
        try await withServer { request in
            let tag = "\"\(version.withLock(\.self))\""
            return request["If-None-Match"] == tag
                ? .status(304).header("ETag", tag) : .ok("version \(tag)").header("ETag", tag)
        } _: { server in
            let file = folder.file("f")
            #expect(await runTool("-o", file, server.url()).status == 0)
            let again = await runTool("-o", file, "--resume", server.url())
            #expect(again.status == 0)
            #expect(again.errors == "afcli: \(file) is complete, and the server has no other version\n")
            #expect(server.requests.last?["If-None-Match"] == "\"1\"")
            #expect(folder.holds("version \"1\"", in: "f"))
            // Neither another resource nor a file that was changed is asked about.
            #expect(await runTool("-o", file, "--resume", server.url("/other")).status == 0)
            #expect(server.requests.last?["If-None-Match"] == nil)
            try folder.write("changed", to: "f")
            #expect(await runTool("-o", file, "--resume", server.url("/other")).status == 0)
            #expect(folder.holds("version \"1\"", in: "f"))
            version.withLock { $0 = 2 }
            #expect(await runTool("-o", file, "--resume", server.url("/other")).status == 0)
            #expect(server.requests.last?["If-None-Match"] == "\"1\"")
            #expect(folder.holds("version \"2\"", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a complete file is known by the head of a server that passes over the question`() async throws {
        let tag = Mutex("\"1\"")
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 20_000_000)).header("ETag", tag.withLock(\.self))
        } _: { server in
            let file = folder.file("f")
            #expect(await runTool("-o", file, server.url()).status == 0)
            let first = try folder.fileNumber(of: "f")
            let again = await runTool("-o", file, "--resume", "-w", "%{size_download}", server.url())
            #expect(again.status == 0)
            #expect(again.errors == "afcli: \(file) is complete, and the server has no other version\n")
            #expect(Int(again.output).map { $0 < 20_000_000 } == true)
            #expect(try folder.fileNumber(of: "f") == first)
            // A weak tag proves nothing, and another one the contrary.
            for other in ["W/\"1\"", "\"2\""] {
                tag.withLock { $0 = other }
                let fetched = await runTool("-o", file, "--resume", server.url())
                #expect(fetched.errors.hasSuffix("afcli: saved to \(file)\n"))
            }
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `an answer that nothing has changed leaves the file as it is`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(304)
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url(), "If-None-Match:\"1\"").status == 0)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a short transfer is told in one line off a terminal`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 3_000_000))
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.complaints.count == 2)
            #expect(run.complaints.first?.hasPrefix("f: 3.0 MB in ") == true)
        }
    }

    @Test func `progress for programs is a JSON object on each line`() async throws {
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 3_000_000))
        } _: { server in
            let run = await runTool("--progress=json", "-q", "-o", folder.file("f"), server.url())
            #expect(run.complaints.isEmpty)
            let told = await runTool("--progress=json", "-o", folder.file("f"), server.url())
            #expect(told.complaints.last == "afcli: saved to \(folder.file("f"))")
            for line in told.complaints.dropLast() { #expect(line.hasPrefix("{\"event\":\"progress\",\"name\":\"f\"")) }
            #expect(told.complaints.dropLast().last?.contains("\"phase\":\"done\",\"bytes\":3000000") == true)
        }
    }
}
