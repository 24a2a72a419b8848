import Glibc
import TestSupport
import Testing

/// Signals at random moments: the seed is fixed, so that a failure can be reproduced.
@Suite(.timeLimit(.minutes(5))) struct SignalHandlerTests {
    private static let content = [UInt8]((0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) })

    /// Sends the content, or the requested range of it, within about 200 ms.
    private nonisolated(nonsending) func withSlowServer(_ test: (LocalServer) async throws -> Void) async throws {
        try await withScriptedServer { connection in
            guard let request = try connection.readRequest() else { return }
            var rest = Self.content[...]
            var head = "HTTP/1.1 200 OK\r\n"
            if request["If-Range"] == "\"v1\"",
                let start = request["Range"].flatMap({ Int($0.dropFirst(6).dropLast()) })
            {
                rest = rest[start...]
                let last = Self.content.count - 1
                head = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(last)/\(last + 1)\r\n"
            }
            try connection.send("\(head)ETag: \"v1\"\r\nContent-Length: \(rest.count)\r\n\r\n")
            // The program does not wait for interrupted work.
            try? connection.sendSlowly(Array(rest), pieces: 20_000, every: .milliseconds(10))
        } _: { server in
            try await test(server)
        }
    }

    /// Runs the program, sends the signal after a random time and waits for the end.
    private func run(_ program: Program, _ signal: Int32, _ random: inout SeededNumbers) async throws -> ProgramResult {
        let running = try program.start()
        // A random moment, independent of the program's progress: no event to wait for.
        try await Task.sleep(for: .microseconds(Int.random(in: 0...400_000, using: &random)))
        running.signal(signal)
        return try await running.waitForEnd()
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)])
    func `the output is a prefix of the body, and the status is the signal's`(signal: Int32, status: Int) async throws {
        var random = SeededNumbers(seed: UInt64(signal))
        try await withSlowServer { server in
            for _ in 0..<15 {
                let result = try await run(try Program.afcli("get", server.url()), signal, &random)
                #expect(result.status == Int32(status) || result.status == 0 && result.output == Self.content)
                #expect(Self.content.starts(with: result.output))
                #expect(!result.errorText.contains("Fatal"), "\(result.errorText)")
            }
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)])
    func `an interrupted download is complete, or absent and can be resumed`(signal: Int32, status: Int) async throws {
        var random = SeededNumbers(seed: UInt64(signal) << 8)
        try await withSlowServer { server in
            for _ in 0..<12 {
                let folder = try ScratchFolder()
                var program = try Program.afcli("get", server.url(), "-o", "f", "--resume")
                program.workingDirectory = folder.path
                let result = try await run(program, signal, &random)
                #expect([0, Int32(status)].contains(result.status), "\(result.errorText)")
                #expect(!folder.has("f") || folder.list() == ["f"], "\(folder.list())")
                let isComplete =
                    folder.has("f") ? try folder.bytes(of: "f") == Self.content : result.status == Int32(status)
                #expect(isComplete)
                let second = try await program.run()
                #expect(second.status == 0, "\(second.errorText)")
                #expect(try folder.bytes(of: "f") == Self.content)
                #expect(folder.list() == ["f"])
            }
        }
    }

    @Test func `after a signal the terminal settings are unchanged`() async throws {
        var random = SeededNumbers(seed: 3)
        try await withSlowServer { server in
            for signal in [SIGINT, SIGTERM, SIGINT, SIGTERM, SIGINT, SIGTERM] {
                let folder = try ScratchFolder()
                // The shell outlives the signal, to look at the terminal afterwards.
                let script = #"""
                    stty -a >before; sh -c 'echo $$ >pid; exec "$0" -o f "$1"' "$0" "$1"; echo "status $?."
                    stty -a >after; cmp before after && echo unchanged
                    """#
                var program = Program("/bin/sh", ["-c", script, try Program.afcliPath(), server.url()]).onTerminal()
                program.environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin"]
                program.workingDirectory = folder.path
                let running = try program.start()
                try await eventually("the program has a number") { Int32(processIn: folder) != nil }
                // A random moment again, before or after the program changed the terminal: no event to wait for.
                try await Task.sleep(for: .microseconds(Int.random(in: 0...300_000, using: &random)))
                kill(try #require(Int32(processIn: folder)), signal)
                let result = try await running.waitForEnd()
                #expect(result.screenText.contains("unchanged\r\n"), "\(result.screenText)")
                #expect(result.screenText.contains(#/status (0|130|143)\./#), "\(result.screenText)")
            }
        }
    }
}

extension Int32 {
    /// Reads the process identifier that a shell wrote into the file `pid`.
    fileprivate init?(processIn folder: ScratchFolder) {
        guard let text = try? folder.text(of: "pid"), text.last == "\n" else { return nil }
        self.init(text.dropLast())
    }
}
