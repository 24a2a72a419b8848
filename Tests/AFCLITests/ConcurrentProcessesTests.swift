import TestSupport
import Testing

/// Processes that download to the same directory at the same time, and one that was killed.
@Suite(.timeLimit(.minutes(5))) struct ConcurrentProcessesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func start(_ words: [String]) throws -> RunningProgram {
        try Program(try Program.afcliPath(), words, workingDirectory: folder.path).start()
    }

    private static func head(_ length: Int) -> String {
        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test(arguments: [["-d"], ["-o", "./"], ["-o", "file", "--no-clobber"]], [100, 400_000])
    func `each process takes the next free name`(words: [String], length: Int) async throws {
        let content = [UInt8](repeating: 7, count: length)
        let areAllThere = Gate()
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.wait(for: areAllThere)
            try connection.send(Array(Self.head(length).utf8) + content)
        } _: { server in
            let programs = try (0..<6).map { _ in try start(words + [server.url("/file")]) }
            try await eventually("all processes have asked") { server.requests.count == 6 }
            areAllThere.open()
            for program in programs {
                let result = try await program.waitForEnd()
                #expect(result.status == 0, "\(result.errorText)")
            }
            let names = ["file"] + (1...5).map { "file-\($0)" }
            #expect(folder.list(".") == names)
            for name in names { #expect(try folder.bytes(of: name) == content) }
        }
    }

    @Test func `resuming a download killed within its first second restarts it and prints the reason`() async throws {
        let content = [UInt8](repeating: 7, count: 1_000_000)
        let isKilled = Gate()
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send(Array(Self.head(content.count).utf8) + content[..<500_000])
            try connection.wait(for: isKilled)
            try? connection.send(Array(content[500_000...]))
        } _: { server in
            let program = try start(["-o", "file", server.url()])
            try await eventually("a half has come") { ((try? folder.size(of: "file.part")) ?? 0) == 500_000 }
            program.signal(9)
            _ = try await program.waitForEnd()
            isKilled.open()
            let again = try await start(["-o", "file", "--resume", server.url()]).waitForEnd()
            #expect(again.status == 0)
            let reason = "the earlier run ended before it recorded which bytes are on disk: restarting the download"
            #expect(again.errorText.contains("afcli: \(reason)\n"), "\(again.errorText)")
            #expect(try folder.bytes(of: "file") == content)
        }
    }
}
