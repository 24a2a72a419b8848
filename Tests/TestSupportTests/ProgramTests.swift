import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    @Test func `output, errors and status are separate`() async throws {
        let result = try await shell("echo out; echo error >&2; exit 7").run()
        #expect(result.text == "out\n")
        #expect(result.errorText == "error\n")
        #expect(result.status == 7)
        #expect(result.signal == nil)
    }

    @Test func `a missing program is a setup failure`() async throws {
        await #expect(throws: SystemFailure.self) { try await Program("/nowhere/program").run() }
    }

    @Test func `environment and directory of a program are as requested`() async throws {
        let folder = try ScratchFolder()
        var program = Program("/usr/bin/env", environment: ["B": "2", "A": "one two"])
        #expect(try await program.run().text == "A=one two\nB=2\n")
        program = Program("/bin/pwd", workingDirectory: folder.path)
        #expect(try await program.run().text == folder.path + "\n")
        program = Program("/bin/ls", ["/proc/self/fd"])
        // 3 is the directory that `ls` reads.
        #expect(try await program.run().text == "0\n1\n2\n3\n")
    }

    @Test func `input may be text, a file, a pipe or none`() async throws {
        let folder = try ScratchFolder()
        var program = Program("/bin/cat")
        #expect(try await program.run().text == "")
        program.input = .text("typed")
        #expect(try await program.run().text == "typed")
        program.input = .file(try folder.write("stored", to: "a"))
        #expect(try await program.run().text == "stored")
        program.input = .closed
        #expect(try await program.run().errorText.contains("Bad file descriptor"))
    }

    @Test func `large input and output are transferred`() async throws {
        let bytes = [UInt8](repeating: 7, count: 3 << 20)
        let result = try await Program("/bin/cat", input: .bytes(bytes)).run()
        #expect(result.output == bytes)
    }

    @Test func `unread input is harmless`() async throws {
        let result = try await Program("/bin/true", input: .bytes([UInt8](repeating: 0, count: 1 << 20))).run()
        #expect(result.status == 0)
    }

    @Test func `output may be a file, a device or closed`() async throws {
        let folder = try ScratchFolder()
        _ = try await Program("/bin/echo", ["kept"], output: .file(folder.file("a"))).run()
        #expect(try folder.text(of: "a") == "kept\n")
        #expect(try await Program("/bin/echo", ["x"], output: .file("/dev/full")).run().errorText.contains("No space"))
        #expect(try await Program("/bin/echo", ["x"], output: .closed).run().status == 1)
        let result = try await Program("/usr/bin/yes", output: .brokenPipe).run()
        #expect(result.signal == SIGPIPE)
        #expect(result.status == 141)
    }

    @Test func `a running program receives input and signals`() async throws {
        let program = try Program("/bin/cat", input: .pipe).start()
        program.write("hello\n")
        try await program.waitForText("hello\n")
        #expect(!program.hasEnded)
        program.interrupt()
        let result = try await program.waitForEnd()
        #expect(result.signal == SIGINT)
        #expect(result.status == 130)
    }

    @Test func `closing its input ends a program that waits for that`() async throws {
        let program = try Program("/bin/cat", input: .pipe).start()
        program.write("last words")
        program.closeInput()
        #expect(try await program.waitForEnd().text == "last words")
    }

    @Test func `a program that does not end is killed`() async throws {
        let program = try shell("echo before; exec sleep 600").start()
        try await program.waitForText("before")
        let failure = await #expect(throws: DeadlinePassed.self) {
            try await program.waitForEnd(within: .milliseconds(50))
        }
        #expect(failure?.description.contains("it has written:\nbefore") == true)
        try await eventually("it is gone") { kill(program.processIdentifier, 0) == -1 }
    }

    @Test func `a deallocated program is killed`() throws {
        let process = try Program("/bin/sleep", ["600"]).start().processIdentifier
        #expect(kill(process, 0) == -1)
    }

    @Test func `the peak memory of a small program is its own`() async throws {
        let small = try await shell("sleep 0.1").run().peakMemory
        #expect((1 << 10..<8 << 20).contains(small))
        let script = "my $x = 'x' x (200 << 20); select(undef, undef, undef, 0.05)"
        let large = try await Program("/usr/bin/perl", ["-e", script]).run().peakMemory
        #expect((200 << 20..<500 << 20).contains(large))
    }

    @Test func `a limit on file size fails a write without a signal`() async throws {
        let folder = try ScratchFolder()
        let result = try await Program(
            "/bin/dd",
            ["if=/dev/zero", "of=big", "bs=1024", "count=64"],
            workingDirectory: folder.path,
            fileSizeLimit: 16 << 10
        ).run()
        #expect(result.status == 1)
        #expect(result.errorText.contains("File too large"))
        #expect(try folder.size(of: "big") == 16 << 10)
    }
}

func shell(_ script: String) -> Program {
    Program("/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"])
}
