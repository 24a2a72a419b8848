import Glibc
import TestSupport
import Testing

/// The program on a terminal.
@Suite(.timeLimit(.minutes(5))) struct TerminalTests {
    private func screen(_ words: String..., size: Program.TerminalSize = .init()) async throws -> ProgramResult {
        var program = Program(try Program.afcliPath(), words).onTerminal(size)
        program.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
        return try await program.run()
    }

    @Test func `a response is shown with its head, colored`() async throws {
        try await withServer { _ in
            .json(#"{"a":[1,null]}"#)
        } _: { server in
            let result = try await screen("get", server.url())
            #expect(result.status == 0)
            #expect(result.screenText.contains("\u{1B}[34mContent-Type\u{1B}[0m"))
            #expect(result.screenText.contains("        \u{1B}[36m1\u{1B}[0m,\r\n"))
        }
    }

    @Test func `a curl command shows the body without its head`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("text")
        } _: { server in
            let result = try await screen("curl", server.url())
            #expect(result.screenText.hasPrefix("text") && !result.screenText.contains("HTTP/"))
            let saved = try await screen("curl", "-o", folder.file("f"), server.url())
            #expect(saved.status == 0 && !saved.screenText.contains("HTTP/"))
            #expect(try await screen("curl", "-s", "-o", folder.file("f"), server.url()).screenText.isEmpty)
        }
    }

    @Test func `a download draws its progress bar on one line that fits the terminal`() async throws {
        let folder = try ScratchFolder()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            try connection.sendSlowly([UInt8](repeating: 1, count: 1_000_000), pieces: 50_000, every: .milliseconds(40))
        } _: { server in
            let result = try await screen("-o", folder.file("f.bin"), server.url(), size: .init(columns: 72))
            #expect(result.status == 0)
            let drawn = result.screenText.split(separator: "\r\u{1B}[K").dropFirst()
            #expect((3...15).contains(drawn.count))
            #expect(result.screenText.contains("━"))
            let plain = drawn.map { $0.replacing(#/\e\[[0-9;]*m/#, with: "").prefix { $0 != "\r\n" } }
            #expect(plain.allSatisfy { $0.count <= 72 })
            // The message wraps.
            let words = result.screenText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("f.bin (1.0 MB in "), "\(result.screenText)")
        }
    }

    @Test func `a download that completes in time does not fail if the terminal is stopped`() async throws {
        let folder = try ScratchFolder()
        let isStopped = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            isStopped.block(atMost: .seconds(20))
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        } _: { server in
            let words = ["-o", folder.file("f"), "--max-time", "3", server.url()]
            var program = Program(try Program.afcliPath(), words).onTerminal()
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8"]
            let start = ContinuousClock.now
            let running = try program.start()
            try await eventually("a request") { server.requests.count == 1 }
            running.write("\u{13}")
            isStopped.open()
            try await eventually("the file") { (try? folder.text(of: "f")) == "hello" }
            // The time limit expires.
            try await Task.sleep(until: start + .seconds(4), clock: .continuous)
            running.write("\u{11}")
            let result = try await running.waitForEnd()
            #expect(result.status == 0, "\(result.screenText)")
            #expect(!result.screenText.contains("took longer"))
        }
    }

    @Test func `a huge value of COLUMNS is limited`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            var program = Program(try Program.afcliPath(), ["--timing", server.url()]).onTerminal(.init(columns: 72))
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8", "COLUMNS": "9223372036854775807"]
            let result = try await program.run()
            #expect(result.status == 0)
            #expect(result.screenText.split(separator: "\r\n").allSatisfy { $0.count < 200 })
        }
    }

    @Test func `the progress bar adapts when the terminal is resized`() async throws {
        let folder = try ScratchFolder()
        let (isResized, isSeen) = (Gate(), Gate())
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            try connection.send([UInt8](repeating: 1, count: 500_000))
            try connection.wait(for: isResized)
            for _ in 0..<2000 {
                try connection.send([UInt8](repeating: 1, count: 250))
                if !isSeen.isOpen { usleep(40_000) }
            }
        } _: { server in
            defer {
                isResized.open()
                isSeen.open()
            }
            var program = try Program.afcli("-o", folder.file("f.bin"), server.url()).onTerminal(.init(columns: 72))
            program.environment = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
            let running = try program.start()
            try await running.waitForText("━")
            running.resizeTerminal(.init(columns: 40))
            let before = running.screenText.utf8.count
            isResized.open()
            func linesSince() -> [Substring] {
                String(decoding: running.screenText.utf8.dropFirst(before), as: UTF8.self)
                    .split(separator: "\r\u{1B}[K").dropFirst()
                    .map { $0.replacing(#/\e\[[0-9;]*m/#, with: "").prefix { $0 != "\r\n" } }
            }
            try await eventually("the bar is drawn three times") { linesSince().count > 2 }
            isSeen.open()
            #expect(try await running.waitForEnd().status == 0)
            let lines = linesSince()
            // One line may have been written before the resize.
            #expect(lines.dropFirst().allSatisfy { $0.count <= 40 }, "\(lines)")
        }
    }

    /// Waits until a time other than 0:00 is shown; a busy machine skips some.
    private func waitForSeconds(_ program: RunningProgram) async throws {
        try await eventually("the time of waiting is shown") {
            program.screenText.contains(#/waiting for response  \d+:\d*[1-9]/#)
        }
    }

    @Test func `an upload's bar and the response are on separate lines`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 3_000_000)
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let result = try await screen("--raw", "@\(file)", server.url(), "--color=never")
            #expect(result.status == 0)
            #expect(!result.screenText.contains("[0m"))
            #expect(result.screenText.ranges(of: "3.0 MB in ").count == 1)
            #expect(result.screenText.contains("B/s\r\nHTTP/1.1 200 OK\r"), "\(result.screenText)")
        }
    }

    @Test func `an upload shows how long it has been waiting for the response`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.writeSparse("big", size: 3_000_000)
        let hasWaited = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.wait(for: hasWaited)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer")
        } _: { server in
            defer { hasWaited.open() }
            var program = try Program.afcli("-b", "--raw", "@\(file)", server.url(), "--color=never").onTerminal()
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8"]
            let running = try program.start()
            try await waitForSeconds(running)
            hasWaited.open()
            let result = try await running.waitForEnd()
            #expect(result.status == 0)
            #expect(result.screenText.contains("\r\nanswer\r\n"))
        }
    }

    @Test func `an upload from a pipe also shows how long it has been waiting for the response`() async throws {
        let hasWaited = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.wait(for: hasWaited)
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer")
        } _: { server in
            defer { hasWaited.open() }
            let words = ["-b", "post", server.url(), "--progress=always", "--color=never"]
            var program = Program(try Program.afcliPath(), words).onTerminal()
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8"]
            program.input = .text("out of a pipe")
            let running = try program.start()
            try await waitForSeconds(running)
            hasWaited.open()
            #expect(try await running.waitForEnd().screenText.contains("\r\nanswer\r\n"))
        }
    }

    @Test func `a message about an incomplete response starts on its own line`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nhalf")
        } _: { server in
            let path = folder.file("f")
            let result = try await screen("-b", "--retry", "1", "--retry-delay", "1ms", "-o", path, server.url())
            #expect(result.status == 13)
            #expect(result.screenText.contains("\r\nafcli: the response of \(server.authority) ended early"))
        }
    }

    @Test func `control characters in a file name from the server are removed`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok("x").header("Content-Disposition", "attachment; filename=\"a\u{1B}[2Jb\u{9B}.txt\"")
        } _: { server in
            let result = try await screen("-d", "-o", folder.path + "/", server.url())
            #expect(result.status == 0)
            #expect(!result.screenText.contains("\u{1B}[2J"))
            #expect(folder.list() == ["a[2Jb.txt"])
        }
    }

    @Test func `a missing password is prompted for and not echoed`() async throws {
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { server in
            var program = try Program.afcli("-b", "-a", "ada", server.url()).onTerminal()
            program.environment = ["TERM": "dumb"]
            let running = try program.start()
            try await running.waitForText("password for ada@\(server.authority) (for a token: Ctrl-C, -A bearer): ")
            running.write("lovelace\n")
            let result = try await running.waitForEnd()
            #expect(result.screenText.contains("Basic YWRhOmxvdmVsYWNl"))
            #expect(!result.screenText.contains("lovelace"))
        }
    }

    @Test func `without a terminal a missing password is an error that lists the alternatives`() async throws {
        let result = try await Program.afcli("-a", "ada", "http://127.0.0.1:9/").run()
        #expect(result.status == 64)
        #expect(
            result.errorText == """
                afcli: error: -a: the password is missing, and there is no terminal to ask for it
                  give it as USER:PASSWORD, @FILE, env:NAME, fd:NUMBER or exec:COMMAND; for a token: --auth-type bearer --auth TOKEN

                """)
    }

    @Test func `credentials can be read from a descriptor opened by the shell`() async throws {
        let folder = try ScratchFolder()
        let secret = try folder.write("ada:lovelace\n", to: "secret")
        try await withServer {
            .ok($0["Authorization"] ?? "none")
        } _: { server in
            let script = #"exec "$0" -a fd:3 "$1" 3<"$2""#
            let words = ["-c", script, try Program.afcliPath(), server.url(), secret]
            #expect(try await Program("/bin/sh", words).run().text == "Basic YWRhOmxvdmVsYWNl")
        }
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)])
    func `a signal at the password prompt ends the program and leaves the echo on`(
        number: Int32,
        status: Int
    ) async throws {
        let script = #"sh -c 'echo "pid $$."; exec "$0" -a ada h.invalid' "$0"; echo "status $?"; stty -a"#
        var program = Program("/bin/sh", ["-c", script, try Program.afcliPath()]).onTerminal()
        program.environment = ["TERM": "dumb", "PATH": "/usr/bin:/bin"]
        let running = try program.start()
        try await running.waitForText("password for ada@h.invalid (for a token: Ctrl-C, -A bearer): ")
        let pid = try #require(running.screenText.firstMatch(of: #/pid (\d+)\./#).flatMap { Int32($0.1) })
        kill(pid, number)
        let result = try await running.waitForEnd()
        #expect(result.screenText.contains("status \(status)\r\n"), "\(result.screenText)")
        #expect(result.screenText.contains(" echo "), "\(result.screenText)")
    }
}
