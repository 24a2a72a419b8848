import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite("Safety 28: scarce resources", .timeLimit(.minutes(5)))
struct SafetyRow28ScarceResourcesTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    static let options: [[String]] = [
        [], ["-o", "f"], ["--session", "./s.json"], ["--report", "r.json"], ["--retry", "1"], ["-v"],
        ["-o", "f", "--session", "./s.json", "--report", "r.json", "--retry", "1"], ["-o", "f", "--segments", "4"],
        ["-d", "--input", "list", "-o", "files/", "--create-dirs"],
    ]

    /// The tool under `ulimit` with these arguments.
    private func limited(_ limit: String, _ words: [String]) throws -> Program {
        let script = "ulimit \(limit) && exec \"$@\""
        var program = Program("/bin/bash", ["-c", script, "sh", try Program.afcliPath()] + words)
        (program.workingDirectory, program.environment) = (folder.path, ["LANG": "C.UTF-8"])
        return program
    }

    private func words(_ options: [String], _ server: LocalServer, path: String = "/f") throws -> [String] {
        guard options.contains("--input") else { return ["get", server.url(path)] + options }
        try folder.write((0..<8).map { "\(server.url(path)) f\($0)\n" }.joined(), to: "list")
        return options
    }

    // With three descriptors the program cannot load its libraries.
    @Test(arguments: options, 4...40)
    func `a run with few descriptors succeeds, or reports too many open files`(options: [String], limit: Int)
        async throws
    {
        try await withServer { _ in
            .ok(String(repeating: "answer ", count: 10_000))
        } _: { server in
            let run = try await limited("-n \(limit)", words(options, server)).run()
            #expect(run.signal == nil, "\(run.status)")
            guard run.status != 0 else { return }
            #expect([1, 16].contains(run.status), "\(run.status) \(run.errorText)")
            #expect(run.errorText.contains("too many open files"), "\(run.errorText)")
            // No partial or temporary files remain.
            #expect(folder.list().allSatisfy { $0 == "list" || $0 == "r.json" }, "\(folder.list())")
        }
    }

    @Test(arguments: options)
    func `a run that is not rejected for its descriptors succeeds`(options: [String]) async throws {
        try await withServer { _ in
            .ok(String(repeating: "answer ", count: 10_000))
        } _: { server in
            var limit = 4
            while limit < 60 {
                let run = try await limited("-n \(limit)", words(options, server)).run()
                if !run.errorText.contains("too many open files") {
                    #expect(run.status == 0, "\(limit): \(run.errorText)")
                    break
                }
                limit += 1
            }
            try expect(limit < 60, "a run that begins")
        }
    }

    @Test func `a run that sends nothing needs no descriptors for requests`() async throws {
        let run = try await limited("-n 16", ["--offline", "http://a.test/"]).run()
        #expect(run.status == 0, "\(run.errorText)")
        #expect(run.text.hasPrefix("GET / HTTP/1.1"))
    }

    @Test func `the soft limit of descriptors is raised`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let run = try await limited("-Sn 5", ["-b", server.url()]).run()
            #expect(run.text == "answer", "\(run.errorText)")
        }
    }

    @Test func `descriptors limit the number of parallel downloads`() async throws {
        try await withServer { _ in
            .ok(String(repeating: "answer ", count: 10_000)).header("ETag", "\"a\"")
        } _: { server in
            try folder.write((0..<200).map { "\(server.url("/\($0)")) f\($0)\n" }.joined(), to: "list")
            let words = ["-d", "--input", "list", "-o", "files/", "--create-dirs", "--parallel", "64"]
            let run = try await limited("-n 64", words).run()
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.errorText.contains("warning: the limit on open files allows --parallel"), "\(run.errorText)")
            #expect(folder.list("files").count == 200)
        }
    }

    @Test(arguments: [64, 100, 200])
    func `descriptors limit the number of parallel ranges`(limit: Int) async throws {
        let content = [UInt8]((0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0 >> 9) })
        try await withNginx(files: ["f": .bytes(content)]) { nginx in
            let words = ["get", nginx.url("/f"), "-o", "f", "--segments", "32"]
            let run = try await limited("-n \(limit)", words).run()
            #expect(run.status == 0, "\(run.errorText)")
            #expect(try folder.bytes(of: "f") == content)
        }
    }

    /// A number that no other run of the tests uses at the same time.
    private let stranger = Int.random(in: 100_000..<1_000_000_000)

    /// A user of its own: the limit counts all threads of the user, and the superuser's have none.
    private func asStranger(_ program: Program) throws -> Program {
        guard geteuid() == 0 else { return program }
        try folder.setPermissions(0o777, of: "")
        // The tests may be in a directory that only the superuser can access.
        let built = try Program.afcliPath()
        if !folder.has("afcli") { try folder.write(ScratchFolder.bytes(at: built), to: "afcli", permissions: 0o755) }
        let arguments = program.arguments.map { $0 == built ? folder.file("afcli") : $0 }
        let words = ["--reuid=\(stranger)", "--regid=\(stranger)", "--clear-groups", program.path] + arguments
        var program = try Program.installed("setpriv", package: "util-linux", words)
        (program.workingDirectory, program.environment) = (folder.path, ["PATH": "/usr/bin:/bin"])
        return program
    }

    @Test func `a process that cannot start threads reports it`() async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            for options in Self.options {
                let run = try await asStranger(limited("-u 1", words(options, server))).run()
                #expect(run.signal == nil && [1, 16].contains(run.status), "\(run.status) \(run.errorText)")
                #expect(run.errorText.contains("thread"), "\(run.errorText)")
            }
        }
    }

    private static let alone: Comment = "only the superuser can take a user without other threads"

    // A thread that Dispatch does not get stops the run for ever.
    @Test(.enabled(if: geteuid() == 0, Self.alone), arguments: 13...24)
    func `threads limit the number of parallel downloads`(limit: Int) async throws {
        try await withServer { _ in
            .ok(String(repeating: "answer ", count: 100_000)).header("ETag", "\"a\"")
        } _: { server in
            try folder.write((0..<40).map { "\(server.url("/\($0)")) f\($0)\n" }.joined(), to: "list")
            let words = ["-d", "--input", "list", "-o", "files/", "--create-dirs", "--parallel", "8"]
            let run = try await asStranger(limited("-u \(limit)", words)).run()
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.errorText.contains("warning: the limit on threads allows --parallel"), "\(run.errorText)")
            #expect(folder.list("files").count == 40)
        }
    }

    @Test(.enabled(if: geteuid() == 0, Self.alone))
    func `a signal ends a run that cannot start threads`() async throws {
        // Each has its own user.
        try await concurrently([(SIGINT, Int32(130)), (SIGTERM, Int32(143))]) { signal, status in
            try await Self().end(by: signal, with: status)
        }
    }

    private func end(by signal: Int32, with status: Int32) async throws {
        try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegin")
            try connection.waitForClose()
        } _: { server in
            let program = try asStranger(limited("-u 100", ["-o", "f", server.url("/f")])).start()
            try await eventually("the body begins") { (try? folder.size(of: "f.part")) == 5 }
            let words = ["--pid", "\(program.processIdentifier)", "--nproc=1"]
            let change = try await asStranger(Program.installed("prlimit", package: "util-linux", words)).run()
            try expect(change.status == 0, "a lower limit: \(change.errorText)")
            // Dispatch ends threads that have had nothing to do for five seconds. The main one, the transport's and one of
            // Dispatch that waits for signals remain.
            let threads = "/proc/\(program.processIdentifier)/task"
            try await eventually("idle threads have ended") {
                try FileManager.default.contentsOfDirectory(atPath: threads).count <= 3
            }
            // The program ignores signals that follow the first one shortly.
            try await eventually("a signal ends the run", within: .seconds(9)) {
                program.signal(signal)
                return program.hasEnded
            }
            let result = try await program.waitForEnd()
            #expect(result.status == status, "\(result.errorText)")
        }
    }
}
