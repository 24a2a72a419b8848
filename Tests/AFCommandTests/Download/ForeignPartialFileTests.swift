import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--resume` where another program began, and where files go.
@Suite(.timeLimit(.minutes(5))) struct ForeignPartialFileTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Serves ranges of ten bytes, without a validator.
    private nonisolated(nonsending) func withRanges(_ test: (LocalServer) async throws -> Void) async throws {
        try await withServer { request in
            let text = "0123456789"
            guard let range = request["Range"], let start = Int(range.dropFirst(6).dropLast()) else {
                return .ok(text).header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
            }
            return .status(206, String(text.dropFirst(start))).header("Content-Range", "bytes \(start)-9/10")
        } _: { server in
            try await test(server)
        }
    }

    @Test func `a partial file of another program is resumed with a warning`() async throws {
        try folder.write("01234", to: "f")
        try await withRanges { server in
            let run = await runTool("--resume=unsafe", "-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.errors.contains("warning: the contents of \(folder.file("f")) are not verified"))
            #expect(server.requests.map { $0["Range"] } == ["bytes=0-"])
            #expect(folder.holds("0123456789", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a partial file of another program is resumed with a checksum`() async throws {
        // Of "0123456789", as md5sum has it.
        let words = ["--resume", "--checksum", "md5:781e5e245d69b566979b86e28d23f2c7", "-o", folder.file("f")]
        try await withRanges { server in
            try folder.write("01234", to: "f")
            #expect(await runTool(words + [server.url()]).status == 0)
            #expect(server.requests.map { $0["Range"] } == ["bytes=0-"])
            #expect(folder.holds("0123456789", in: "f"))
            try folder.write("x1234", to: "f")
            #expect(await runTool(words + [server.url()]).status == 0)
            #expect(folder.holds("0123456789", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a partial file without any proof is downloaded again`() async throws {
        try folder.write("x1234", to: "f")
        try await withRanges { server in
            #expect(await runTool("--resume", "-o", folder.file("f"), server.url()).status == 0)
            #expect(server.requests.map { $0["Range"] } == [nil])
            #expect(folder.holds("0123456789", in: "f"))
        }
    }

    @Test func `a file without a record is downloaded again, with a message`() async throws {
        try folder.write("abc", to: "f")
        try await withRanges { server in
            let run = await runTool("--resume", "-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            let note =
                "afcli: could not verify that '\(folder.file("f"))' is a part of the server's file: restarting the download"
            #expect(run.messages.filter { $0 == note }.count == 1, "\(run.errors)")
            #expect(folder.holds("0123456789", in: "f"))
            let unknown = await runTool("-o", folder.file("f"), server.url())
            #expect(!unknown.errors.contains("restarting"))
        }
    }

    @Test func `a complete file with the server's date is unchanged`() async throws {
        try folder.write("abcdefghij", to: "f")
        let time = timespec(tv_sec: 784_111_777, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, folder.file("f"), [time, time], 0) == 0)
        try await withRanges { server in
            let run = await runTool("--resume", "-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.errors.contains("is complete"))
            #expect(folder.holds("abcdefghij", in: "f"))
        }
    }

    // curl's -C -

    @Test func `-C - continues a file of another program if its end is equal`() async throws {
        try folder.write("01234", to: "f")
        try await withRanges { server in
            let run = await runTool("curl", "-C", "-", "-o", folder.file("f"), server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.map { $0["Range"] } == ["bytes=0-"])
            #expect(folder.holds("0123456789", in: "f"))
            #expect(folder.list() == ["f"])
            #expect(await runTool("curl", "-sS", "-C", "-", "-o", folder.file("f"), server.url()).status == 0)
            #expect(folder.holds("0123456789", in: "f"))
        }
    }

    @Test func `-C - keeps a file of another program that has another end`() async throws {
        try folder.write("x1234", to: "f")
        try await withRanges { server in
            let run = await runTool("curl", "-sS", "-C", "-", "-o", folder.file("f"), server.url())
            #expect(run.status == 33)
            let reason = "the end of the file differs from the server's"
            #expect(
                run.messages.first == "curl: (33) \(reason): '\(folder.file("f"))' is unchanged", "\(run.errors)")
            #expect(run.messages.last == "  omit -C - to download it again")
            #expect(server.requests.map { $0["Range"] } == ["bytes=0-", nil])
            #expect(folder.holds("x1234", in: "f"))
            #expect(folder.list() == ["f"])
        }
    }

    @Test(arguments: [(416, "refuses to send the rest"), (206, "'s file is shorter than the bytes on disk")])
    func `-C - keeps a file of another program that is longer, and says why`(status: Int, reason: String) async throws {
        try folder.write("0123456789x", to: "f")
        try await withServer { request in
            guard request["Range"] != nil else { return .ok("0123456789") }
            let range = status == 206 ? "bytes 0-9/10" : "bytes */10"
            return .status(status, status == 206 ? "0123456789" : "").header("Content-Range", range)
        } _: { server in
            let run = await runTool("curl", "-sS", "-C", "-", "-o", folder.file("f"), server.url())
            #expect(run.status == 33)
            #expect(run.errors.contains(reason + ": '\(folder.file("f"))' is unchanged"), "\(run.errors)")
            #expect(folder.holds("0123456789x", in: "f") && folder.list() == ["f"])
        }
    }

    @Test func `-C - ends at the header of a complete file`() async throws {
        try folder.write("01234", to: "f")
        let isClosed = Mutex(true)
        try await withServer { _ in
            isClosed.withLock(\.self)
                ? .close : .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n01234", keepsOpen: true)
        } _: { server in
            // Waiting for the body would end with 2.
            let words = ["curl", "-C", "-", "-m", "10", "-o", folder.file("f"), server.url()]
            // The second run finds the copy that the first one made.
            #expect(await runTool(words).status == 52)
            isClosed.withLock { $0 = false }
            for _ in 1...2 {
                let run = await runTool(words)
                #expect(run.status == 33)
                #expect(run.errors.contains("the server sends the complete file instead of the rest"), "\(run.errors)")
                #expect(folder.holds("01234", in: "f"))
                #expect(folder.list() == ["f"])
            }
        }
    }

    @Test func `-C - downloads to a missing or empty file`() async throws {
        try folder.write("", to: "empty")
        try await withServer { _ in
            .ok("0123456789")
        } _: { server in
            for name in ["empty", "missing"] {
                let run = await runTool("curl", "-C", "-", "-o", folder.file(name), server.url())
                #expect(run.status == 0, "\(run.errors)")
                #expect(folder.holds("0123456789", in: name))
            }
            #expect(folder.list() == ["empty", "missing"])
        }
    }

    @Test func `files are saved at their destination with the requested date`() async throws {
        let out = folder.file("out")
        try await withRanges { server in
            let words = ["--create-dirs", "--output-dir", out, "--remote-time", server.url("/name.txt")]
            #expect(await runTool(words + ["-d"]).status == 0)
            #expect(await runTool(words + ["-o", "other"]).status == 0)
            #expect(await runTool(words + ["-o", folder.file("third")]).status == 0)
            #expect(folder.list("out") == ["name.txt", "other"])
            #expect(folder.has("third"))
            var status = stat()
            #expect(lstat("\(out)/other", &status) == 0)
            #expect(status.st_mtim.tv_sec == 784_111_777)
        }
    }

    @Test(arguments: [("GMT", 784_111_777), ("UTC", 784_111_777), ("+0200", 784_104_577)])
    func `the date of a file may have another zone than GMT`(zone: String, seconds: Int) async throws {
        try await withServer { _ in
            .ok("abc").header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 \(zone)")
        } _: { server in
            #expect(await runTool("--remote-time", "-o", folder.file("f"), server.url()).status == 0)
            var status = stat()
            #expect(lstat(folder.file("f"), &status) == 0)
            #expect(status.st_mtim.tv_sec == seconds)
        }
    }
}
