import TestSupport
import Testing

@Suite("Safety 9: truncation", .timeLimit(.minutes(5)))
struct SafetyRow09TruncationTests {
    let folder: ScratchFolder
    let download = BrokenDownload()

    init() throws { folder = try ScratchFolder() }

    /// Truncated responses.
    static let cutShort = [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4", "HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/1.1 200 O", "",
    ]

    @Test(arguments: cutShort, [false, true])
    func `a truncated body is an error, and no file is saved`(answer: String, isReset: Bool) async throws {
        try folder.write("old", to: "f")
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(answer)
            if isReset { connection.reset() }
        } _: { server in
            let stored = try await folder.afcli("-o", "f", server.url())
            #expect(stored.status == 13, "\(stored.errorText)")
            #expect(stored.errorText.contains("afcli: error: "))
            #expect(folder.holds("old", in: "f"))
            let shown = try await folder.afcli("-b", server.url())
            #expect(shown.status == 13, "\(shown.errorText)")
            let named = try await folder.afcli("-d", server.url("/new"))
            #expect(named.status == 13, "\(named.errorText)")
            #expect(!folder.has("new"))
        }
    }

    @Test func `a truncated coding is an error even if the connection's end delimits the body`() async throws {
        let packed = try await Program.installed("gzip", package: "gzip").fed("all of the text").output
        for count in 1..<packed.count {
            try await withServer { _ in
                .bytes(Array(packed.prefix(count))).header("Content-Encoding", "gzip").endingWithClose()
            } _: { server in
                let run = try await folder.afcli("-b", server.url())
                #expect(run.status == 13, "\(count) of \(packed.count): \(run.errorText)")
            }
        }
    }

    @Test func `the remainder of a file must have its announced length`() async throws {
        let fields = "\(download.fields)\r\nContent-Range: bytes \(download.restStart)-199999/200000"
        try await download.interrupted(in: folder) { _ in
            range(fields, chunk: Array(download.content[download.restStart..<100_010]))
        } _: { server in
            let run = try await folder.afcli("-o", "f", "--resume", server.url("/f"))
            #expect(run.status == 13, "\(run.errorText)")
            #expect(folder.list() == ["f.part", "f.part.json"])
        }
    }

    @Test func `a range that is the whole file must have its announced length`() async throws {
        try await withServer { _ in
            range("Content-Range: bytes 0-199999/200000", chunk: Array("too short".utf8))
        } _: { server in
            let run = try await folder.afcli("-o", "f", server.url("/f"))
            #expect(run.status == 13, "\(run.errorText)")
            #expect(folder.list() == [])
        }
    }

    /// A 206 whose framing does not announce the length of its body.
    private func range(_ fields: String, chunk: [UInt8]) -> LocalServer.Response {
        let head = "HTTP/1.1 206 Partial Content\r\n\(fields)\r\nTransfer-Encoding: chunked\r\n\r\n"
        return .raw(Array("\(head)\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n0\r\n\r\n".utf8))
    }

    @Test func `received bytes are stored for another run`() async throws {
        try await download.interrupted(in: folder) { _ in
            download.rest()
        } _: { (server) async throws in
            #expect(folder.list() == ["f.part", "f.part.json"])
            #expect(try folder.bytes(of: "f.part") == Array(download.content[..<100_000]))
            #expect(try await folder.afcli("-o", "f", "--resume", server.url("/f")).status == 0)
            #expect(try folder.bytes(of: "f") == download.content)
        }
    }

    @Test func `a full disk is an error, and no file is saved`() async throws {
        let disk = try FullDisk(capacity: 128 << 10)
        try await withServer { _ in
            download.whole()
        } _: { server in
            var program = try folder.tool(["-o", disk.file("f"), server.url("/f")])
            program.fileSizeLimit = disk.fileSizeLimit
            let run = try await program.run()
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!disk.list().contains("f"))
        }
        let words = [try Program.afcliPath(), "-b"]
        try await withServer { _ in
            download.whole()
        } _: { (server) async throws in
            let script = Program("/bin/sh", ["-c", #"exec "$@" > /dev/full"#, "sh"] + words + [server.url()])
            #expect(try await script.run().status == 16)
        }
    }

    @Test func `a disk without space for the last bytes is an error, and no file is saved`() async throws {
        let disk = try await FailingDisk()
        try await withServer { _ in
            download.whole()
        } _: { server in
            let run = try await folder.afcli(["-o", "f", server.url("/f")], variables: disk.variables)
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f"))
        }
    }

    @Test func `bytes lost by a failed fsync are never recorded`() async throws {
        let disk = try await FailingDisk(failsOnce: true)
        // Large enough that a record is written during the transfer, whose fsync fails.
        let content = [UInt8](repeating: 7, count: 20 << 20)
        try await withServer { _ in
            download.whole(content)
        } _: { server in
            let run = try await folder.afcli(["-o", "f", server.url("/f")], variables: disk.variables)
            #expect(run.status == 16, "\(run.errorText)")
            #expect(!folder.has("f"))
            // After a failed fsync, not even a prefix is known to be on disk.
            #expect(folder.list().isEmpty)
        }
    }

    @Test(arguments: ["f.part", "f.part.json"])
    func `files of other programs are not deleted`(name: String) async throws {
        let isFirst = Once()
        try await withServer { _ in
            isFirst.take() ? download.broken : download.whole()
        } _: { server in
            try folder.write("other", to: name)
            for words in [["-o", "f"], ["-o", "f", "--resume"], ["-d", "-o", "f", "--no-clobber"]] {
                let run = try await folder.afcli(words + [server.url("/f")])
                #expect(run.status == 16, "\(run.errorText)")
                #expect(run.errorText.contains(name), "\(run.errorText)")
                #expect(folder.holds("other", in: name))
            }
            #expect(folder.list() == [name])
        }
    }
}

extension Program {
    /// Runs the program with a text on standard input.
    fileprivate nonisolated(nonsending) func fed(_ text: String) async throws -> ProgramResult {
        var program = self
        program.input = .text(text)
        return try await program.run()
    }
}
