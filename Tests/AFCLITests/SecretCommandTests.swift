import Foundation
import TestSupport
import Testing

/// `exec:COMMAND` as a source of secrets.
@Suite(.timeLimit(.minutes(5))) struct SecretCommandTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Runs the tool, offline, with the credentials of a command.
    private func program(_ command: String, _ words: String...) throws -> Program {
        var program = try Program.afcli(
            "--no-config", "--offline", "--show-secrets", "-p", "H", "-A", "bearer", "-a", "exec:\(command)")
        program.arguments += words + ["example.org"]
        return program
    }

    /// Writes a script, and returns its path.
    private func script(_ text: String, named name: String = "script") throws -> String {
        try folder.write("#!/bin/sh\n\(text)\n", to: name, permissions: 0o755)
        return folder.file(name)
    }

    @Test(arguments: [
        ("echo token", "token"), ("printf %s token", "token"), ("printf 'a b\\r\\n'", "a b"),
        ("/bin/echo \"a  b\" 'c'", "a  b c"), ("echo '$HOME'", "$HOME"),
    ])
    func `the secret is the line that a program writes`(command: String, secret: String) async throws {
        let run = try await program(command).run()
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.text.contains("Authorization: Bearer \(secret)\r\n") || run.text.contains("Bearer \(secret)\n"))
        #expect(run.errorText.isEmpty)
    }

    @Test(arguments: [
        ("false", 16, "'exec:false' failed with status 1"),
        ("true", 16, "'exec:true' wrote no secret"),
        ("printf 'secret1\\nsecret2\\n'", 16, "'exec:printf' wrote more than one line"),
        ("printf '\\n'", 16, "'exec:printf' wrote no secret"),
        ("no-such-program --key=secret1", 16, "cannot run 'exec:no-such-program': command not found"),
        ("head -c 100000 /dev/zero", 16, "cannot read 'exec:head': it is longer than 64 KiB, the limit for a secret"),
        ("echo 'open", 64, "the command has an opening ' without a closing one"), ("", 64, "expected a command"),
        ("echo a | cat", 64, "'|' is shell syntax, which is not executed"),
        ("printf '\\377'", 64, "the output of exec: is not UTF-8 text"),
    ])
    func `an invalid command or secret is an error without the secret`(command: String, status: Int32, message: String)
        async throws
    {
        let run = try await program(command).run()
        #expect(run.status == status)
        #expect(run.errorText.contains(message), "\(run.errorText)")
        #expect(!run.errorText.contains("secret1"))
    }

    @Test func `the command inherits the environment and standard error, but no other descriptor`() async throws {
        let listing = "ls /proc/self/fd | tr \"\\n\" -; readlink /proc/self/fd/0"
        var program = try program("sh -c 'echo \"warns $NAME\" >&2; \(listing)'")
        program.environment["NAME"] = "ada"
        let run = try await program.run()
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.errorText == "warns ada\n")
        // The last one is the directory that ls reads.
        #expect(run.text.contains("Authorization: Bearer 0-1-2-3-/dev/"), "\(run.text)")
    }

    @Test func `a command that a shell starts after the signal ends, too`() async throws {
        let path = try script("trap : TERM; echo $$ > \(folder.file("pid")); sleep 101; sleep 102")
        let run = try await program(path, "--max-time", "0.5").run()
        #expect(run.status == 2, "\(run.errorText)")
        let process = try #require(Int32(folder.text(of: "pid").split(separator: "\n")[0]))
        #expect(kill(process, 0) == -1)
        let commands = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int32($0) != nil }
        let lines = commands.map { (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)) ?? "" }
        #expect(!lines.contains("sleep\0102\0"))
    }

    @Test func `--max-time ends the program`() async throws {
        let path = try script("echo $$ > \(folder.file("pid")); exec sleep 100")
        let run = try await program(path, "--max-time", "0.5").run()
        #expect(run.status == 2, "\(run.errorText)")
        let process = try #require(Int32(folder.text(of: "pid").split(separator: "\n")[0]))
        #expect(kill(process, 0) == -1)
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
    func `a signal ends the program and its children, too`(signal: Int32) async throws {
        let ignoring = try script(
            "trap '' HUP INT TERM; echo $$ > \(folder.file("ignored")); while :; do sleep 1; done", named: "ignoring")
        let path = try script("\(ignoring) & sleep 100 & echo $$ $! > \(folder.file("pids")); wait; sleep 100")
        let run = try program("sh -c '\(path); true'").start()
        try await eventually("all run") {
            ["pids", "ignored"].allSatisfy { ((try? folder.text(of: $0)) ?? "").hasSuffix("\n") }
        }
        run.signal(signal)
        let result = try await run.waitForEnd()
        #expect(result.signal == signal)
        #expect(result.errorText.isEmpty, "\(result.errorText)")
        let processes = try folder.text(of: "pids") + folder.text(of: "ignored")
        for process in processes.split(whereSeparator: \.isWhitespace) {
            // The command line of a process that has ended is empty until its new parent removes it.
            try await eventually("\(process) has ended") {
                (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8))?.isEmpty != false
            }
        }
    }
}
