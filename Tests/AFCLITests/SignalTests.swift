import Glibc
import TestSupport
import Testing

/// Runs that receive one or more signals.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func afcli(_ words: String...) throws -> Program {
        var program = Program(try Program.afcliPath(), words)
        program.environment = ["AFCLI_CONFIG_DIR": folder.file("config")]
        program.workingDirectory = folder.path
        return program
    }

    /// A server whose response sets a cookie and never ends.
    private nonisolated(nonsending) func withEndlessServer(
        _ body: String = "data: first\n\n",
        _ test: (LocalServer) async throws -> Void
    ) async throws {
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nETag: \"v\"\r\nSet-Cookie: a=b; Path=/\r\n"
                    + "Content-Length: 9000000\r\n\r\n\(body)"
            )
            try connection.waitForClose()
        } _: { server in
            try await test(server)
        }
    }

    /// Downloads `size` bytes of `f`, sends the signals and returns the result.
    ///
    /// The program exits 12 seconds after a signal even if writes are pending. A disk can be busy for that long: the run is
    /// then repeated, if `mayRepeat` is true.
    private func download(
        _ url: String,
        size: Int,
        endedBy signals: [Int32],
        mayRepeat: inout Bool
    ) async throws -> ProgramResult {
        let program = try afcli("-o", "f", "--report", "r", url).start()
        try await eventually("all is there that comes") { ((try? folder.size(of: "f.part")) ?? 0) == size }
        let start = ContinuousClock.now
        for signal in signals { program.signal(signal) }
        let result = try await program.waitForEnd()
        guard mayRepeat, start.duration(to: .now) > .seconds(11) else { return result }
        print("The end after \(signals) took 12 seconds: the run is repeated.")
        mayRepeat = false
        for name in folder.list() { unlink(folder.file(name)) }
        return try await download(url, size: size, endedBy: signals, mayRepeat: &mayRepeat)
    }

    @Test(arguments: [(SIGTERM, SIGTERM), (SIGINT, SIGINT), (SIGINT, SIGTERM)])
    func `a second signal directly after the first has no effect`(first: Int32, second: Int32) async throws {
        let body = String(repeating: "x", count: 500_000)
        try await withEndlessServer(body) { server in
            var mayRepeat = true
            for _ in 0..<10 {
                let result = try await download(
                    server.url("/f"),
                    size: 500_000,
                    endedBy: [first, second],
                    mayRepeat: &mayRepeat
                )
                #expect(result.signal == nil)
                // The system decides which of two pending signals is delivered first.
                #expect([128 + first, 128 + second].contains(result.status))
                let word = result.status == 143 ? "terminated" : "interrupted"
                #expect(result.errorText.contains("afcli: error: \(word)\n  500.0 kB are saved;"))
                #expect(try folder.text(of: "f.part.json").contains("\"completedBytes\":500000"))
                #expect(try folder.text(of: "r").contains("\"exit_status\": \(result.status)"))
                for name in folder.list() { unlink(folder.file(name)) }
            }
        }
    }

    @Test func `the second signal from the timeout command has no effect`() async throws {
        try await withEndlessServer { server in
            let words = ["-s", "TERM", "1", try Program.afcliPath(), "-o", "f", "--report", "r", server.url("/f")]
            var program = try Program.installed("timeout", package: "coreutils", words)
            program.workingDirectory = folder.path
            let result = try await program.run()
            #expect(result.status == 124)
            #expect(result.errorText.contains("afcli: error: terminated\n"), "\(result.errorText)")
            #expect(folder.list() == ["f.part", "f.part.json", "r"])
        }
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)])
    func `an interrupted stream still writes the cookies, the session, the report and the HAR file`(
        signal: Int32,
        status: Int
    ) async throws {
        try await withEndlessServer { server in
            let program = try afcli(
                "--stream", "--session=s", "--cookie-jar=jar", "--report=r.json", "--har=r.har", server.url("/events")
            ).start()
            try await program.waitForText("data: first\n")
            program.signal(signal)
            let result = try await program.waitForEnd()
            #expect(result.signal == nil)
            #expect(result.status == Int32(status))
            #expect(result.errorText == "afcli: error: \(signal == SIGTERM ? "terminated" : "interrupted")\n")
            #expect(try folder.text(of: "jar").contains("\ta\tb\n"))
            let host = try #require(folder.list("config/sessions").first)
            #expect(try folder.text(of: "config/sessions/\(host)/s.json").contains("\"name\": \"a\""))
            let report = try folder.text(of: "r.json")
            #expect(report.contains("\"status\": 200"), "\(report)")
            #expect(report.contains("\"exit_status\": \(status)"), "\(report)")
            #expect(try folder.text(of: "r.har").contains("\"status\": 200"))
        }
    }

    @Test func `a signal ends the wait for the lock of a session`() async throws {
        let session = try folder.write("{}", to: "s.json")
        let lock = "exec 9<>\(session); flock 9; echo locked; exec sleep 60"
        let holder = try Program("/bin/sh", ["-c", lock], environment: ["PATH": "/usr/bin:/bin"]).start()
        try await holder.waitForText("locked")
        try await withEndlessServer { server in
            let program = try afcli("--stream", "--session", session, server.url()).start()
            try await program.waitForText("data: first\n")
            program.terminate()
            let result = try await program.waitForEnd()
            #expect(result.signal == nil)
            #expect(result.status == 143)
            #expect(try folder.text(of: "s.json") == "{}")
            #expect(folder.list() == ["s.json"])
        }
    }

    @Test func `a run whose output is not read can be terminated`() async throws {
        try await withEndlessServer(String(repeating: "data: x\n\n", count: 100_000)) { server in
            let script = #"""
                { sh -c 'echo $$ >pid; exec "$0" -b --session=./s.json "$1"' "$0" "$1"; echo "$?." >status; } | sleep 30
                """#
            var program = Program("/bin/sh", ["-c", script, try Program.afcliPath(), server.url()])
            program.environment = ["PATH": "/usr/bin:/bin"]
            program.workingDirectory = folder.path
            let running = try program.start()
            try await eventually("the server is asked") { server.requests.count == 1 }
            // The test cannot observe that the pipe is full; once it is, the program cannot end normally.
            try await remains("the program runs", for: .milliseconds(300)) { !folder.has("status") }
            let number = try folder.text(of: "pid").filter(\.isNumber)
            kill(try #require(Int32(number)), SIGTERM)
            // The program's timeout is 12 seconds.
            try await eventually("it has ended") { (try? folder.text(of: "status")) == "143.\n" }
            running.kill()
        }
    }
}
