import TestSupport
import Testing

@testable import AFCommand

/// Responses that are not the file, or too short, or too long.
@Suite(.timeLimit(.minutes(5))) struct UnexpectedResponseTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a response that fails an expectation is not saved`() async throws {
        try await withServer { _ in
            .json("{}")
        } _: { server in
            let run = await runTool("--expect-type", "text/html", "-o", folder.file("f"), server.url())
            #expect(run.status == 14)
            #expect(folder.list().isEmpty)
        }
    }

    @Test func `a redirect that is not followed is no file`() async throws {
        try await withServer {
            $0.path == "/a" ? .redirect(to: "/b") : .ok("b")
        } _: { server in
            let options = [
                ["--output-dir", folder.path], ["--output-dir", folder.path, "-L"], ["-o", folder.file("f")],
            ]
            for words in options {
                let run = await runTool(["-d", "--no-follow"] + words + [server.url("/a")])
                #expect(run.status == 3)
                #expect(run.errors.contains("302 Found; --follow follows it; nothing was saved"), "\(run.errors)")
                #expect(folder.list().isEmpty)
            }
            #expect(server.requests.allSatisfy { $0.path == "/a" })
            let followed = await runTool("-d", "--output-dir", folder.path, server.url("/a"))
            #expect(followed.status == 0 && server.requests.last?.path == "/b")
        }
    }

    @Test func `the size limit applies to a resumed file, too`() async throws {
        try await withServer { request in
            if let range = request["Range"] {
                let rest = String(repeating: "a", count: 4000) + String(repeating: "b", count: 7000)
                let place = range == "bytes=4000-" ? "bytes 4000-14999/15000" : "bytes */15000"
                return .status(206, rest).header("ETag", "\"1\"").header("Content-Range", place)
            }
            let half = String(repeating: "a", count: 8000)
            let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n1f40\r\n"
            return .raw("\(head)\(half)\r\n")
        } _: { server in
            let words = ["-o", folder.file("f"), "--retry", "1", "--retry-delay", "0", server.url()]
            let run = await runTool(words + ["--max-filesize", "10000"])
            #expect(run.status == 13)
            #expect(run.errors.contains("the file is larger than 10000 bytes\n  8.0 kB are saved"))
            #expect(run.errors.contains("with --resume and a larger --max-filesize to continue"))
            #expect(!folder.has("f"))
            #expect(await runTool(words + ["--max-filesize", "15000"]).status == 0)
        }
    }

    @Test(arguments: [203, 206]) func `the complete file is accepted with other statuses`(status: Int) async throws {
        try await withServer { _ in
            .status(status, "hello").header("Content-Range", "bytes 0-4/5")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds("hello", in: "f"))
        }
    }

    @Test func `an unrequested range is rejected`() async throws {
        try await withServer { _ in
            .status(206, "hello").header("Content-Range", "bytes 0-4/6")
        } _: { server in
            let run = await runTool("-o", folder.file("f"), server.url())
            #expect(run.status == 13)
            #expect(
                run.errors.contains(
                    "although the complete resource was requested\n  request the complete range: add Range:bytes=0- "))
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: [204, 205], [[], ["--segments", "4"], ["--retry", "2"], ["--resume"]])
    func `a response without content is an empty file`(status: Int, words: [String]) async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(status)
        } _: { server in
            let run = await runTool(["-o", folder.file("f"), server.url()] + words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.errors.contains("afcli: the file is empty: the server responded with \(status)"), "\(run.errors)")
            #expect(folder.holds("", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a response without content is an empty file under the name of the URL, too`() async throws {
        try folder.write("old", to: "a")
        try await withServer { _ in
            .status(204)
        } _: { server in
            let named = await runTool("-d", "-o", folder.path + "/", server.url("/a"))
            #expect(named.status == 0, "\(named.errors)")
            try folder.write("\(server.url("/b"))\n\(server.url("/c"))\n", to: "list")
            let batch = await runTool("--input", folder.file("list"), "--output-dir", folder.path)
            #expect(batch.status == 0, "\(batch.errors)")
            #expect(folder.list() == ["a", "a-1", "b", "c", "list"])
            #expect(folder.holds("old", in: "a"))
            #expect(["a-1", "b", "c"].allSatisfy { folder.holds("", in: $0) })
        }
    }

    @Test(arguments: [[], ["--segments", "4"], ["--retry", "2"], ["--resume"], ["--no-check-status"]])
    func `a 304 without a condition is an error`(words: [String]) async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(304)
        } _: { server in
            let run = await runTool(["-o", folder.file("f"), server.url()] + words)
            #expect(run.status == 14, "\(run.errors)")
            #expect(run.errors.contains("expected a file, got 304 "), "\(run.errors)")
            #expect(!run.errors.contains("nothing was saved"), "\(run.errors)")
            #expect(folder.holds("old", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test(arguments: [["If-None-Match:\"1\""], ["--expect-status", "304"]])
    func `a requested 304 leaves the file unchanged`(words: [String]) async throws {
        try folder.write("old", to: "f")
        try await withServer { _ in
            .status(304)
        } _: { server in
            let run = await runTool(["-o", folder.file("f"), server.url()] + words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("afcli: nothing was saved: the server responded with 304"), "\(run.errors)")
            #expect(folder.holds("old", in: "f"))
        }
    }

    @Test func `a body announced as too large is not downloaded`() async throws {
        try await withServer { _ in
            .ok(String(repeating: "a", count: 3000))
        } _: { server in
            let run = await runTool("-o", folder.file("f"), "--max-filesize", "2000", server.url())
            #expect(run.status == 13)
            let hint = "increase --max-filesize"
            #expect(
                run.errors == "afcli: error: the body of \(server.authority) is larger than 2000 bytes\n  \(hint)\n")
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: [["--resume=unsafe"], ["--resume", "--checksum"]])
    func `an existing file that is not the start of the download keeps its name`(words: [String]) async throws {
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

    @Test func `a download with a free name is resumed`() async throws {
        try folder.write("mine", to: "n")
        let content = String(repeating: "x", count: 40_000)
        try await withServer { request in
            request["Range"] == nil
                ? .raw("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 40000\r\n\r\n\(content.prefix(30_000))")
                : .status(206, String(content.dropFirst(15_000))).header("ETag", "\"1\"")
                    .header("Content-Range", "bytes 15000-39999/40000")
        } _: { server in
            let words = ["-o", folder.file("n"), "--no-clobber", server.url()]
            #expect(await runTool(words).status == 13)
            #expect(await runTool(words + ["--resume"]).status == 0)
            #expect(server.requests.map { $0["Range"] } == [nil, "bytes=15000-"])
            #expect(folder.list() == ["n", "n-1"])
            #expect(folder.holds(content, in: "n-1"))
        }
    }
}
