import TestSupport
import Testing

/// Downloads that fail or are interrupted.
@Suite(.timeLimit(.minutes(5))) struct DownloadEndingTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Sends half of a file that can be resumed, and then nothing more.
    private nonisolated(nonsending) func withHalf(
        _ test: (LocalServer, [UInt8]) async throws -> Void
    ) async throws {
        let content = [UInt8]((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 / 3 ^ $0 >> 11) })
        try await withScriptedServer { connection in
            guard let request = try connection.readRequest() else { return }
            if request["If-Range"] == "\"v1\"", let range = request["Range"] {
                let start = Int(range.dropFirst(6).dropLast()) ?? 0
                try connection.send(
                    """
                    HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Length: \(content.count - start)\r
                    Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n\r\n
                    """
                )
                return try connection.send(Array(content[start...]))
            }
            try connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(content.count)\r\n\r\n")
            try connection.send(Array(content.prefix(2_000_000)))
            // The record is written one second after the bytes; the bytes that arrive later trigger it.
            for byte in content[2_000_000..<2_000_300] {
                try connection.sendSlowly([byte], every: .milliseconds(10))
            }
            try connection.waitForClose()
        } _: { server in
            try await test(server, content)
        }
    }

    private func start(_ words: String...) throws -> RunningProgram {
        try Program(try Program.afcliPath(), words, workingDirectory: folder.path).start()
    }

    private nonisolated(nonsending) func waitForBytes(_ count: Int) async throws {
        try await eventually("\(count) bytes have come") { ((try? folder.size(of: "f.part")) ?? 0) >= count }
    }

    @Test func `a file without write permission is not replaced`() async throws {
        try folder.setPermissions(0o777, of: "")
        try folder.write(ScratchFolder.bytes(at: try Program.afcliPath()), to: "afcli", permissions: 0o755)
        try folder.write("precious", to: "f", permissions: 0o444)
        try await withServer { _ in
            .ok("new")
        } _: { server in
            // The superuser may write to any file.
            var program = try Program.installed(
                "setpriv", package: "util-linux",
                ["--reuid=54321", "--regid=54321", "--clear-groups", folder.file("afcli"), "-o", "f", server.url()])
            program.workingDirectory = folder.path
            let result = try await program.run()
            #expect(result.status == 16)
            #expect(result.errorText.contains("cannot write 'f': permission denied"))
            #expect(try folder.bytes(of: "f") == Array("precious".utf8))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: [(2, 130), (15, 143)])
    func `a signal keeps the partial file and prints a hint about --resume`(signal: Int32, status: Int32) async throws {
        try await withHalf { server, content in
            let program = try start("-o", "f", server.url("/f"))
            try await waitForBytes(2_000_000)
            program.signal(signal)
            let result = try await program.waitForEnd()
            #expect(result.status == status)
            #expect(result.signal == nil)
            #expect(
                result.errorText.contains(
                    "afcli: error: \(signal == 2 ? "interrupted" : "terminated")\n  2.0 MB are saved; run the same command with --resume"
                ))
            #expect(folder.list() == ["f.part", "f.part.json"])
            #expect(try folder.permissions(of: "f.part") == 0o600)
            let second = try await start("-o", "f", "--resume", server.url("/f")).waitForEnd()
            #expect(second.status == 0, "\(second.errorText)")
            #expect(second.errorText.contains("afcli: saved to f ("))
            #expect(folder.list() == ["f"])
            let stored = try folder.bytes(of: "f")
            #expect(stored == content)
            #expect(server.requests.last?["Range"] != nil)
        }
    }

    @Test func `the body of an error response needs no temporary directory`() async throws {
        try await withServer { _ in
            .status(404, "not here")
        } _: { server in
            var program = Program(
                try Program.afcliPath(), ["-o", "f", server.url("/f")], workingDirectory: folder.path)
            program.environment = ["TMPDIR": "/nowhere"]
            let result = try await program.run()
            #expect(result.status == 4)
            #expect(result.errorText.contains("not here"))
            #expect(folder.list() == [])
        }
    }

    @Test func `a killed download is resumed, and the file is complete`() async throws {
        try await withHalf { server, content in
            let program = try start("-o", "f", server.url("/f"))
            try await waitForBytes(2_000_000)
            try await eventually("the record knows of bytes on the disk") {
                (try? folder.text(of: "f.part.json"))?.contains("\"completedBytes\":0") == false
            }
            program.kill()
            #expect(try await program.waitForEnd().signal == 9)
            #expect(!folder.has("f"))
            let second = try await start("-o", "f", "--resume", server.url("/f")).waitForEnd()
            #expect(second.status == 0, "\(second.errorText)")
            let stored = try folder.bytes(of: "f")
            #expect(stored == content)
            #expect(folder.list() == ["f"])
            #expect(server.requests.last?["Range"] != nil)
        }
    }

    @Test func `a full disk ends a download with an error and without the final file`() async throws {
        let disk = try FullDisk(capacity: 256 << 10)
        try await withServer { _ in
            .bytes([UInt8](repeating: 7, count: 1 << 20)).header("ETag", "\"v1\"")
        } _: { server in
            var program = try Program.afcli("-o", disk.file("f"), server.url("/f"))
            program.fileSizeLimit = disk.fileSizeLimit
            let result = try await program.run()
            #expect(result.status == 16, "\(result.errorText)")
            #expect(result.errorText.contains("afcli: error: cannot write '\(disk.file("f.part"))': "))
            #expect(!disk.list().contains("f"))
        }
    }

    @Test func `a second download to the same file fails while the first is running`() async throws {
        try await withHalf { server, _ in
            let first = try start("-o", "f", server.url("/f"))
            try await waitForBytes(1_000_000)
            let second = try await start("-o", "f", server.url("/f")).waitForEnd()
            #expect(second.status == 16)
            #expect(second.errorText.contains("another download is writing to '\(folder.file("f"))'"))
            first.interrupt()
            #expect(try await first.waitForEnd().status == 130)
        }
    }

    @Test func `the wait before a retry can be interrupted`() async throws {
        try await withServer { _ in
            .status(503)
        } _: { server in
            let program = try start("-o", "f", "--retry", "3", "--retry-delay", "60", server.url())
            try await program.waitForText("retrying in 1 min")
            program.interrupt()
            #expect(try await program.waitForEnd().status == 130)
            #expect(folder.list().isEmpty)
        }
    }

    @Test func `an interrupted request without a file ends with status 130`() async throws {
        try await withSilentServer { server in
            let program = try start("get", server.url())
            try await eventually("it is connected") { server.acceptedConnections == 1 }
            program.interrupt()
            #expect(try await program.waitForEnd().status == 130)
        }
    }
}
