import TestSupport
import Testing

/// Several downloads in a separate process.
@Suite(.timeLimit(.minutes(10))) struct SeveralDownloadsProcessTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func start(_ list: [String], _ words: String..., onTerminal isTerminal: Bool = false) throws
        -> RunningProgram
    {
        try folder.write(list.joined(separator: "\n"), to: "list")
        let common = ["--input", "list", "--create-dirs", "--output-dir", "out"]
        var program = Program(try Program.afcliPath(), common + words, workingDirectory: folder.path)
        if isTerminal {
            program = program.onTerminal(.init(columns: 60))
            program.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
        }
        return try program.start()
    }

    private static func head(_ length: Int) -> String {
        "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(length)\r\n\r\n"
    }

    @Test(arguments: [(2, 130), (15, 143)])
    func `a signal stops all downloads, keeps their partial files and starts no more`(signal: Int32, status: Int32)
        async throws
    {
        let content = [UInt8](repeating: 7, count: 1_000_000)
        try await withScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request["If-Range"] == "\"v1\"",
                    let start = request["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) })
                {
                    try connection.send(
                        """
                        HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Length: \(content.count - start)\r
                        Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n\r\n
                        """
                    )
                    try connection.send(Array(content[start...]))
                } else if request.path == "/0" || request["X-Again"] != nil {
                    try connection.send(Self.head(content.count))
                    try connection.send(content)
                } else {
                    try connection.send(Self.head(content.count))
                    try connection.send(Array(content.prefix(500_000)))
                    try connection.waitForClose()
                    return
                }
            }
        } _: { server in
            let list = (0..<6).map { server.url("/\($0)") }
            let program = try start(list, "--parallel", "2")
            try await eventually("two are half way") {
                ["1", "2"].allSatisfy { ((try? folder.size(of: "out/\($0).part")) ?? 0) == 500_000 }
            }
            program.signal(signal)
            let result = try await program.waitForEnd()
            #expect(result.status == status)
            let word = signal == 15 ? "terminated" : "interrupted"
            let summary = """
                afcli: error: \(word): 1 of 6 files saved, 2 incomplete, 3 not started
                  the same command with --resume continues

                """
            #expect(result.errorText.hasSuffix("/0: saved to out/0\n\(summary)"), "\(result.errorText)")
            #expect(folder.list("out") == ["0", "1.part", "1.part.json", "2.part", "2.part.json"])
            let again = try await start(list, "--resume", "X-Again:1").waitForEnd()
            #expect(again.status == 0, "\(again.errorText)")
            #expect(again.errorText.hasSuffix("afcli: 5 of 6 files saved, 1 complete already\n"))
            for number in 0..<6 { #expect(try folder.bytes(of: "out/\(number)") == content) }
            #expect(server.requests.suffix(6).count { $0["Range"] != nil } == 2)
        }
    }

    @Test func `on a terminal the progress line is erased before other output`() async throws {
        let isSeen = Gate()
        try await withScriptedServer { connection in
            while let request = try connection.readRequest() {
                if request.path == "/last" { try connection.wait(for: isSeen) }
                try connection.send(Self.head(10))
                try connection.send("0123456789")
            }
        } _: { server in
            defer { isSeen.open() }
            let list = (1...3).map { server.url("/f\($0)") } + [server.url("/last")]
            let program = try start(list, "--color=never", onTerminal: true)
            try await program.waitForText("3 of 4 files  30 B  ")
            isSeen.open()
            let result = try await program.waitForEnd()
            #expect(result.status == 0)
            // The progress line is erased before other output, and fits the terminal.
            for line in result.screenText.split(separator: "\r\n", omittingEmptySubsequences: true) {
                let pieces = line.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
                #expect(
                    pieces.allSatisfy { !$0.contains("files  ") || !$0.contains("afcli:") && $0.count <= 60 }, "\(line)"
                )
                #expect(pieces.last?.contains("files  ") != true)
            }
            #expect(result.screenText.hasSuffix("afcli: 4 of 4 files saved\r\n"))
        }
    }

    @Test func `a thousand small files need little memory and few connections`() async throws {
        try await withServer { _ in
            .ok("small")
        } _: { server in
            // Each file is written to the disk, which other programs may use as well.
            let program = try start((0..<1000).map { server.url("/\($0)") }, "-q")
            let result = try await program.waitForEnd(within: .seconds(540))
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.errorText.isEmpty)
            #expect(folder.list("out").count == 1000)
            #expect(server.acceptedConnections <= 4)
            // The code of the debug build is half of it.
            #expect(result.peakMemory < 48 << 20, "\(result.peakMemory >> 20) MB")
        }
    }
}
