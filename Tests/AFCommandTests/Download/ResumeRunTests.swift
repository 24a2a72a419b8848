import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--resume`, and files that are already complete.
@Suite(.timeLimit(.minutes(5))) struct ResumeRunTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a download resumes with a validator and restarts without one`() async throws {
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
                #expect(broken.errors.contains("with --resume to continue") == isProven)
                #expect(broken.errors.contains("; --resume=unsafe compares only its end") == !isProven)
                #expect(broken.errors.contains("'\(file).part' has the first 400 B, ") == !isProven)
                isBroken.withLock { $0 = false }
                let run = await runTool("-o", file, "--resume", server.url())
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.requests.last?["Range"] == (isProven ? "bytes=200-" : nil))
                #expect(folder.holds(content, in: "f\(isProven)"))
            }
        }
        #expect(folder.list() == ["ffalse", "ftrue"])
    }

    @Test(arguments: [
        ("ETag: \"v1\"", true), ("ETag: W/\"v1\"", true), ("X-None: 1", true), ("ETag: \"v2\"", false),
        ("ETag: \"v1\"\r\nLast-Modified: Sun, 01 Feb 2026 10:00:07 GMT", false),
        ("Last-Modified: Sat, 31 Jan 2026 10:00:00 GMT", false),
    ])
    func `a 304 with the validators of another version is no proof`(fields: String, isProof: Bool) async throws {
        let version = Mutex("one")
        try await withServer { request in
            if request["If-None-Match"] != nil { return .raw("HTTP/1.1 304 Not Modified\r\n\(fields)\r\n\r\n") }
            return .ok(version.withLock { $0 }).header("ETag", "\"v1\"")
                .header("Last-Modified", "Sun, 01 Feb 2026 10:00:00 GMT")
        } _: { (server) async throws in
            let words = ["-o", folder.file("f"), "--resume", server.url()]
            #expect(await runTool(words).status == 0)
            version.withLock { $0 = "two" }
            let run = await runTool(words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds(isProof ? "one" : "two", in: "f"))
            #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""] + (isProof ? [] : [nil]))
            #expect(run.errors.contains("the server's 304 contradicts the record of '\(folder.file("f"))'") != isProof)
        }
    }

    @Test(arguments: [204, 304, 400, 412, 416], [[], ["--retry", "1", "--retry-delay", "0"]])
    func `a server that rejects the range is asked once for the complete file`(code: Int, retry: [String]) async throws
    {
        let state = Mutex(0)
        let content = [UInt8](repeating: 7, count: 1000)
        try await withServer { request in
            if request["Range"] != nil { return .status(code) }
            let number = state.withLock { state in
                state += 1
                return state
            }
            let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 1000\r\n\r\n"
            return .raw(Array(head.utf8) + (number == 1 ? content.prefix(400) : content[...]))
        } _: { (server) async throws in
            let words = ["-o", folder.file("f"), server.url()]
            if retry.isEmpty { #expect(await runTool(words).status == 13) }
            let run = await runTool(words + (retry.isEmpty ? ["--resume"] : retry))
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("restarting the download"), "\(run.errors)")
            #expect(server.requests.map { $0["Range"] != nil } == [false, true, false])
            #expect(folder.holds(content, in: "f"))
            if code >= 400 { #expect(await runTool("--range", "5-", server.url()).status == 4) }
            #expect(server.requests.count == (code >= 400 ? 4 : 3))
        }
    }

    @Test(arguments: ["If-None-Match:\"1\"", "If-Modified-Since:Sun, 01 Feb 2026 10:00:00 GMT"])
    func `a 304 that a typed condition asks for is no refusal of the range`(condition: String) async throws {
        let content = String(repeating: "a", count: 1000)
        try await withServer { request in
            if request["Range"] != nil { return .status(304) }
            return .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 1000\r\n\r\n\(content.prefix(400))")
        } _: { (server) async throws in
            let words = ["-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 13)
            let run = await runTool(words + ["--resume", condition])
            #expect(run.errors.contains("the server responded with 304"), "\(run.errors)")
            #expect(server.requests.count == 2)
            #expect(folder.list() == ["f.part", "f.part.json"])
        }
    }

    @Test func `a download named by the server is resumed`() async throws {
        let isBroken = Mutex(true)
        try folder.write("other", to: "report.txt")
        try await withServer { request in
            let head = "ETag: \"1\"\r\nContent-Disposition: attachment; filename=report.txt\r\n"
            if request["If-None-Match"] == "\"1\"" { return .raw("HTTP/1.1 304 Not Modified\r\n\(head)\r\n") }
            if request["Range"] == "bytes=2-" {
                return .raw(
                    """
                    HTTP/1.1 206 Partial Content\r\n\(head)Content-Length: 6\r
                    Content-Range: bytes 2-7/8\r\n\r\nlfhalf
                    """)
            }
            return .raw(
                "HTTP/1.1 200 OK\r\n\(head)Content-Length: 8\r\n\r\nhalf" + (isBroken.withLock(\.self) ? "" : "half"))
        } _: { server in
            let words = ["-d", "-o", folder.path + "/", server.url("/get?id=1")]
            #expect(await runTool(words).status == 13)
            #expect(folder.list() == ["report.txt", "report.txt-1.part", "report.txt-1.part.json"])
            #expect(await runTool(words + ["--resume"]).status == 0)
            #expect(server.requests.last?["Range"] == "bytes=2-")
            let again = await runTool(words + ["--resume"])
            #expect(again.errors.hasPrefix("afcli: \(folder.file("report.txt-1")) is complete"))
            #expect(folder.list() == ["report.txt", "report.txt-1"])
            #expect(folder.holds("halfhalf", in: "report.txt-1"))
            #expect(folder.holds("other", in: "report.txt"))
            // Without --resume, a new file is created.
            isBroken.withLock { $0 = false }
            #expect(await runTool(words).status == 0)
            #expect(folder.list() == ["report.txt", "report.txt-1", "report.txt-2"])
        }
    }

    @Test(arguments: [["--resume"], ["--resume", "--no-clobber"], ["--skip-existing"]])
    func `a file with a typed name is not that of a later download without one`(options: [String]) async throws {
        let version = Mutex(1)
        try await withServer { _ in
            let version = version.withLock(\.self)
            return .ok("version \(version)").header("ETag", "\"\(version)\"")
        } _: { server in
            let url = server.url("/v.bin")
            #expect(await runTool("-o", folder.file("backup.bin"), url).status == 0)
            version.withLock { $0 = 2 }
            let words = ["-d", "-o", folder.path + "/", url] + options
            #expect(await runTool(words).status == 0)
            #expect(folder.holds("version 1", in: "backup.bin") && folder.holds("version 2", in: "v.bin"))
            // The name of the URL is that of such a download, also if it was typed.
            #expect(await runTool("-o", folder.file("v.bin"), url).status == 0)
            version.withLock { $0 = 3 }
            #expect(await runTool(words).status == 0)
            #expect(folder.list() == ["backup.bin", "v.bin"])
            #expect(folder.holds(options == ["--skip-existing"] ? "version 2" : "version 3", in: "v.bin"))
        }
    }

    @Test func `the partial file of a typed name is not continued under another one`() async throws {
        try await withServer { request in
            request.path == "/v.bin" && request["X-Cut"] == nil
                ? .ok("version 1").header("ETag", "\"1\"")
                : .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 9\r\n\r\nver")
        } _: { server in
            let url = server.url("/v.bin")
            #expect(await runTool("-o", folder.file("kept"), url, "X-Cut:1").status == 13)
            #expect(await runTool("-d", "-o", folder.path + "/", url, "--resume").status == 0)
            #expect(folder.list() == ["kept.part", "kept.part.json", "v.bin"])
        }
    }

    @Test func `downloads of one name from two URLs do not collide`() async throws {
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

    @Test func `another resource's partial file is not resumed, even with an equal validator`() async throws {
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

    @Test func `resuming a complete file downloads nothing until there is another version`() async throws {
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
            #expect(again.errors == "afcli: \(file) is complete and up to date\n")
            #expect(server.requests.last?["If-None-Match"] == "\"1\"")
            #expect(folder.holds("version \"1\"", in: "f"))
            // No conditional request is sent for another resource or a changed file.
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

    @Test func `a file that may be another version is kept, with a note`() async throws {
        let lists = try ScratchFolder()
        try await withServer { _ in
            .ok("abc")
        } _: { server in
            let words = ["-d", "--output-dir", folder.path, server.url("/f.bin")]
            let note =
                "afcli: \(folder.file("f.bin")) is kept: without a strong ETag or Last-Modified it may be another version"
            let saved = "afcli: saved to \(folder.file("f.bin"))"
            #expect(await runTool(words + ["--resume"]).messages.last?.hasPrefix("\(saved) (3 B in ") == true)
            #expect(await runTool(words).messages.last?.hasPrefix("\(saved)-1 (3 B in ") == true)
            let run = await runTool(words + ["--resume"])
            #expect(run.status == 0)
            #expect(run.messages.last == "\(note); --output FILE replaces it")
            let named = await runTool("-o", folder.file("f.bin"), "--no-clobber", "--resume", server.url("/f.bin"))
            #expect(named.messages.last == "\(note); omit --no-clobber to replace it")
            #expect(folder.list() == ["f.bin", "f.bin-1", "f.bin-2", "f.bin-3"])
            let list = try lists.write(server.url("/f.bin"), to: "list")
            let listed = await runTool("--input", list, "--output-dir", folder.path, "--resume")
            #expect(listed.errors.contains("is kept: without a strong ETag"), "\(listed.errors)")
            #expect(listed.errors.contains("; a file name after the URL in the list replaces it\n"))
            // The file at a typed path is replaced.
            let replaced = await runTool("-o", folder.file("f.bin"), "--resume", server.url("/f.bin"))
            #expect(replaced.status == 0)
            #expect(!replaced.errors.contains("is kept"), "\(replaced.errors)")
        }
    }

    @Test func `a complete file is recognized by the header of a server without conditional requests`() async throws {
        let tag = Mutex("\"1\"")
        try await withServer { _ in
            .bytes([UInt8](repeating: 1, count: 20_000_000)).header("ETag", tag.withLock(\.self))
        } _: { server in
            let file = folder.file("f")
            #expect(await runTool("-o", file, server.url()).status == 0)
            let first = try folder.fileNumber(of: "f")
            let again = await runTool("-o", file, "--resume", "-w", "%{size_download}", server.url())
            #expect(again.status == 0)
            #expect(again.errors == "afcli: \(file) is complete and up to date\n")
            #expect(Int(again.output).map { $0 < 20_000_000 } == true)
            #expect(try folder.fileNumber(of: "f") == first)
            // A weak tag proves nothing, and another one the contrary.
            for other in ["W/\"1\"", "\"2\""] {
                tag.withLock { $0 = other }
                let fetched = await runTool("-o", file, "--resume", server.url())
                #expect(fetched.messages.last?.hasPrefix("afcli: saved to \(file) (20.0 MB in ") == true)
            }
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a 204 to the request for the complete file, too, means an empty file`() async throws {
        let isNew = Mutex(true)
        try await withServer { _ in
            isNew.withLock { $0 }
                ? .raw(
                    "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n\(String(repeating: "a", count: 400))"
                )
                : .status(204)
        } _: { server in
            let words = ["-o", folder.file("f"), "--resume", server.url()]
            #expect(await runTool(words).status == 13)
            isNew.withLock { $0 = false }
            let run = await runTool(words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.map { $0["Range"] != nil } == [false, true, false])
            #expect(folder.holds("", in: "f"))
        }
    }

    @Test func `a 304 leaves the file unchanged`() async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(304)
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url(), "If-None-Match:\"1\"").status == 0)
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }
}
