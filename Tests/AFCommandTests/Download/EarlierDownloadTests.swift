import AFCore
import AFHTTP
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Files of earlier runs, and how they are recognized.
@Suite(.timeLimit(.minutes(5))) struct EarlierDownloadTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a renamed file is not replaced by the next download`() async throws {
        let version = Mutex(1)
        try await withServer { _ in
            let number = version.withLock(\.self)
            return .ok("v\(number)").header("ETag", "\"\(number)\"")
        } _: { server in
            let words = ["-d", "-o", folder.path + "/", server.url("/a.bin")]
            #expect(await runTool(words).status == 0)
            #expect(rename(folder.file("a.bin"), folder.file("OLD.bin")) == 0)
            version.withLock { $0 = 2 }
            #expect(await runTool(words + ["-c"]).status == 0)
            #expect(folder.holds("v1", in: "OLD.bin"))
            #expect(folder.holds("v2", in: "a.bin"))
            // The file of that name is brought up to date.
            version.withLock { $0 = 3 }
            #expect(await runTool(words + ["-c"]).status == 0)
            #expect(folder.holds("v3", in: "a.bin"))
            #expect(folder.list() == ["OLD.bin", "a.bin"])
        }
    }

    @Test func `a file with the server's name is recognized`() async throws {
        try await withServer { _ in
            .ok("v1").header("ETag", "\"1\"").header("Content-Disposition", "attachment; filename=real.bin")
        } _: { server in
            let words = ["-d", "-o", folder.path + "/", server.url("/x")]
            #expect(await runTool(words).status == 0)
            let again = await runTool(words + ["-c"])
            #expect(again.status == 0)
            #expect(again.errors.contains("real.bin is complete"))
            #expect(folder.list() == ["real.bin"])
        }
    }

    @Test(arguments: ["\"1\"", nil])
    func `a complete file gets the server's date and is still recognized`(tag: String?) async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        try await withServer { request in
            let isKnown = request["If-None-Match"] != nil || request["If-Modified-Since"] != nil
            let response: LocalServer.Response =
                isKnown
                ? .status(304)
                : .ok("hello").header("Last-Modified", date)
                    .header("Date", "Mon, 07 Nov 1994 08:49:37 GMT")
            return tag.map { response.header("ETag", $0) } ?? response
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 0)
            let dated = await runTool(words + ["-c", "--remote-time"])
            #expect(dated.errors.contains("is complete"), "\(dated.errors)")
            var status = stat()
            #expect(lstat(folder.file("f"), &status) == 0)
            #expect(status.st_mtim.tv_sec == 784_111_777)
            let again = await runTool(words + ["-c"])
            #expect(again.errors.contains("is complete"), "\(again.errors)")
            #expect(server.requests.last?[tag == nil ? "If-Modified-Since" : "If-None-Match"] == tag ?? date)
        }
    }

    @Test func `the length in a 304 is that of another response`() async throws {
        try await withServer { request in
            request["If-None-Match"] == nil
                ? .ok("hello").header("ETag", "\"a\"")
                : .raw("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 5\r\n\r\n")
        } _: { server in
            #expect(await runTool("-o", folder.file("f"), server.url()).status == 0)
            let again = await runTool("-c", "-o", folder.file("f"), server.url())
            #expect(again.status == 0, "\(again.errors)")
            #expect(folder.holds("hello", in: "f"))
            #expect(await runTool("-o", folder.file("g"), server.url(), "If-None-Match:\"a\"").status == 0)
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a record without its file is ignored`() async throws {
        try await withServer { request in
            request["If-None-Match"] == "\"a\"" ? .status(304) : .ok("hello").header("ETag", "\"a\"")
        } _: { server in
            let words = ["-o", folder.file("f"), server.url()]
            #expect(await runTool(words).status == 0)
            // As a process leaves it that is killed when the file has its name already.
            let record = DownloadRecord(url: server.url(), partialPath: folder.file("f.part"))
            try folder.write([UInt8](record.json), to: "f.part.json")
            let again = await runTool(words + ["-c"])
            #expect(again.errors.contains("is complete"), "\(again.errors)")
            #expect(server.requests.last?["If-None-Match"] != nil)
        }
    }

    @Test func `the stored URL of a file contains no secret`() async throws {
        try await withServer { _ in
            .ok("hello").header("ETag", "\"a\"")
        } _: { server in
            let words = ["-o", folder.file("f"), server.url("/f?token=S3CRET&a=b")]
            #expect(await runTool(words).status == 0)
            let text = try #require(DownloadRecord.complete(at: URL(filePath: folder.file("f")))).url
            #expect(text.contains("a=b") && !text.contains("S3CRET"))
            let again = await runTool(words + ["-c"])
            #expect(again.errors.contains("is complete"))
        }
    }

    @Test(arguments: [(0, 0, true), (1, 0, false), (0, 1, false)])
    func `length and date show that a file is complete`(longer: Int, later: Int, isComplete: Bool) throws {
        try folder.write(String(repeating: "x", count: 10 + longer), to: "f")
        let time = timespec(tv_sec: 784_111_777 + later, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, folder.file("f"), [time, time], 0) == 0)
        let headers: HTTPHeaders = ["Content-Length": "10", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let response = HTTPURLResponse(url: URL(string: "http://h/"), statusCode: 200, headers: headers)
        #expect(EarlierDownload.isComplete(folder.file("f"), by: response) == isComplete)
    }
}
