import Glibc
import TestSupport
import Testing

@Suite("Safety 27: local waits end too", .timeLimit(.minutes(5)))
struct SafetyRow27LocalWaitsTests {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try expect(mkfifo(folder.file("fifo"), 0o600) == 0, "a FIFO")
    }

    /// A command line that names the FIFO, or reads standard input.
    struct Way: Sendable, CustomTestStringConvertible {
        let words: [String]
        /// The name that the message must contain, besides the option of the limit.
        var culprit = "fifo"

        var testDescription: String { words.joined(separator: " ") }
    }

    /// Files that are read completely.
    static let readers: [Way] = [
        Way(words: ["URL", "name=@fifo"]), Way(words: ["URL", "name:=@fifo"]), Way(words: ["URL", "Name:@fifo"]),
        Way(words: ["URL", "name==@fifo"]), Way(words: ["URL", "-F", "name=<fifo"]),
        Way(words: ["URL", "-F", "name=v;headers=@fifo"]), Way(words: ["get", "URL", "--netrc-file", "fifo"]),
        Way(words: ["get", "URL", "-a", "@fifo"]), Way(words: ["get", "URL", "--config", "fifo"]),
        Way(words: ["URL", "-d", "-o", "f", "--checksum", "@fifo"]), Way(words: ["--input", "fifo"]),
        Way(words: ["get", "URL", "-w", "@fifo"]), Way(words: ["get", "TLS", "--cacert", "fifo"]),
        Way(words: ["get", "TLS", "--verify", "fifo"]), Way(words: ["get", "TLS", "--cert", "fifo"]),
        Way(words: ["get", "TLS", "--cert", "pem", "--cert-key", "fifo"]),
        Way(words: ["get", "TLS", "--cert", "pem", "--cert-key-pass", "@fifo"]),
    ]
    /// Files that are sent as they are read.
    static let uploads: [Way] = [
        Way(words: ["URL", "-F", "name=@fifo"]), Way(words: ["URL", "@fifo"]), Way(words: ["URL", "--raw", "@fifo"]),
        Way(words: ["URL", "-T", "fifo"]), Way(words: ["--offline", "post", "URL", "@fifo"]),
    ]
    static let writers: [Way] = [
        Way(words: ["get", "URL", "-o", "fifo"]), Way(words: ["get", "URL", "--report", "fifo"]),
        Way(words: ["get", "URL", "--har", "fifo"]),
    ]
    static let silentInputs: [Way] = [
        Way(words: ["URL", "name=@-"], culprit: "standard input"),
        Way(words: ["URL", "-F", "name=<-"], culprit: "standard input"),
        Way(words: ["get", "URL", "-a", "fd:0"], culprit: "fd:0"),
        Way(words: ["--input", "-"], culprit: "standard input"), Way(words: ["URL"], culprit: "standard input"),
        Way(words: ["URL", "@-"], culprit: ""), Way(words: ["post", "URL"], culprit: ""),
        Way(words: ["--offline", "post", "URL", "@-"], culprit: "standard input"),
    ]
    static let signals = [(SIGINT, Int32(130)), (SIGTERM, 143)]

    private func tool(_ way: Way, _ server: LocalServer, _ more: [String] = []) throws -> Program {
        try folder.write("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n", to: "pem")
        let words = way.words.map {
            switch $0 {
            case "URL": server.url()
            case "TLS": "https://\(server.authority)/"
            default: $0
            }
        }
        let isSilent = Self.silentInputs.contains { $0.words == way.words }
        return try folder.tool(words + more, input: isSilent ? .pipe : .empty)
    }

    /// Runs the tool with a limit of half a second, which must end the wait.
    private func run(_ way: Way, endedBy option: String) async throws -> ProgramResult {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let run = try await tool(way, server, [option, "0.5"]).run()
            #expect(run.status == 2, "\(way): \(run.status) \(run.errorText)")
            #expect(run.errorText.contains(option), "\(way): \(run.errorText)")
            return run
        }
    }

    @Test func `--max-time ends waiting for local files and prompts`() async throws {
        try await concurrently(Self.readers + Self.uploads + Self.writers + Self.silentInputs) { way in
            // Each has its own FIFO.
            let run = try await Self().run(way, endedBy: "--max-time")
            if !Self.uploads.contains(where: { $0.words == way.words }) {
                #expect(run.errorText.contains(way.culprit), "\(way): \(run.errorText)")
            }
        }
    }

    /// Sends a signal to a program that waits. Its end must come well before the program ends by itself, 12 seconds after a
    /// signal; on a busy machine there is a second attempt.
    private func end(
        _ program: Program,
        by signal: Int32,
        once isWaiting: (RunningProgram) -> Bool
    ) async throws -> ProgramResult {
        func attempt() async throws -> ProgramResult {
            let running = try program.start()
            try await eventually("the program waits") { isWaiting(running) }
            running.signal(signal)
            return try await running.waitForEnd(within: .seconds(8))
        }
        do { return try await attempt() } catch is DeadlinePassed { return try await attempt() }
    }

    @Test func `without --max-time, --timeout ends waiting for another process`() async throws {
        try await concurrently(Self.readers + Self.uploads + Self.writers) { way in
            _ = try await Self().run(way, endedBy: "--timeout")
        }
    }

    @Test(arguments: readers + uploads + writers + silentInputs, signals)
    func `the first signal ends waiting for local files and prompts`(way: Way, signal: (number: Int32, status: Int32))
        async throws
    {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let isAfterAnswer = way.words.contains("--report") || way.words.contains("--har")
            let run = try await end(tool(way, server), by: signal.number) {
                $0.isAsleep && (!isAfterAnswer || !server.requests.isEmpty)
            }
            #expect(run.status == signal.status, "\(run.status) \(run.errorText)")
        }
    }

    @Test(arguments: [[], ["--session", "./s.json"], ["--report", "r.json"], ["-v"]])
    func `standard output that is not read`(options: [String]) async throws {
        let reader = open(folder.file("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        try await withServer { _ in
            .ok(String(repeating: "long ", count: 100_000))
        } _: { server in
            var program = try folder.tool(["-b", server.url(), "--max-time", "0.5"] + options)
            program.output = .file(folder.file("fifo"))
            let run = try await program.run()
            #expect(run.status == 2, "\(run.status) \(run.errorText)")
            #expect(run.errorText.contains("--max-time"), "\(run.errorText)")
            // Data to be stored is stored nevertheless.
            if options.first == "--session" { #expect(folder.has("s.json")) }
            if options.first == "--report" { #expect(try folder.text(of: "r.json").contains(#""timeout""#)) }
            for (signal, status) in Self.signals {
                program.arguments = ["-b", server.url()] + options
                let run = try await end(program, by: signal) { $0.isAsleep && server.requests.count > 1 }
                #expect(run.status == status, "\(run.status) \(run.errorText)")
            }
        }
    }

    @Test func `a lock that another process holds`() async throws {
        try folder.write("{}", to: "s.json", permissions: 0o600)
        let descriptor = open(folder.file("s.json"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        try expect(flock(descriptor, LOCK_EX) == 0, "the lock")
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            let words = ["-b", server.url(), "--session", "./s.json", "a:b"]
            let run = try await folder.afcli(words + ["--max-time", "0.5"])
            #expect(run.status == 2 && run.text == "answer", "\(run.status) \(run.errorText)")
            #expect(run.errorText.contains("locked") && run.errorText.contains("--max-time"), "\(run.errorText)")
            for (signal, status) in Self.signals {
                let run = try await end(folder.tool(words), by: signal) { $0.text == "answer" }
                #expect(run.status == status)
            }
        }
    }

    @Test func `a prompt without a reply`() async throws {
        var program = try folder.tool(["get", "http://h.invalid/", "-a", "ada", "--max-time", "0.5"]).onTerminal()
        program.environment["TERM"] = "xterm"
        let run = try await program.run()
        #expect(run.status == 2, "\(run.status) \(run.screenText)")
        #expect(run.screenText.contains("--max-time"), "\(run.screenText)")
    }

    @Test(arguments: readers + [Way(words: ["URL", "-a", "ada:x", "--cert-key-pass", "@fifo", "--cert", "pem"])])
    func `an endless file`(way: Way) async throws {
        try await withServer { _ in
            .ok("answer")
        } _: { server in
            unlink(folder.file("fifo"))
            try folder.link("fifo", to: "/dev/zero")
            let run = try await tool(way, server).run()
            #expect(run.status == 16, "\(run.status) \(run.errorText)")
            #expect(run.errorText.contains("fifo") && run.errorText.contains("the limit for"), "\(run.errorText)")
            #expect(run.peakMemory < 1 << 30)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(arguments: ["--session", "--cookie-jar", "--hsts"])
    func `a stored file that is too long`(option: String) async throws {
        try folder.writeSparse("kept", size: 100 << 20)
        let run = try await folder.afcli(option, "./kept", "http://h.invalid/")
        #expect(run.status == 16 && run.errorText.contains("the limit for"), "\(run.errorText)")
    }

    /// Letters in which RE2 searches for `a[ab]{1000}c` for seconds: their order makes it create states without end.
    private static let letters = {
        var state: UInt32 = 1
        return String(
            decoding: (0..<2_000_000).map { _ in
                state = state &* 1_103_515_245 &+ 12_345
                return UInt8(ascii: "a") + UInt8(state >> 16 & 1)
            }, as: UTF8.self)
    }()
    static let searches = [["--expect-body", "/a[ab]{1000}c/"], ["--expect-json", "s ~ a[ab]{1000}c"]]

    @Test(arguments: searches, [[], ["-o", "f"], ["--report", "r.json"], ["--retry-on", "expect", "--retry", "1"]])
    func `--max-time ends a search of the body`(search: [String], options: [String]) async throws {
        try await withServer { _ in
            .ok(#"{"s":"\#(Self.letters)"}"#)
        } _: { (server) async throws in
            let run = try await folder.afcli(["-q", server.url(), "--max-time", "0.5"] + search + options)
            #expect(run.status == 2, "\(run.status) \(run.errorText)")
            #expect(!folder.has("f"))
            if options.first == "--report" { #expect(try folder.text(of: "r.json").contains(#""timeout""#)) }
        }
    }

    @Test(arguments: signals) func `the first signal ends a search of the body`(number: Int32, status: Int32)
        async throws
    {
        try await withServer { _ in
            .ok(#"{"s":"\#(Self.letters)"}"#)
        } _: { (server) async throws in
            let program = try folder.tool(["-q", server.url(), "-o", "f"] + Self.searches[0])
            let run = try await end(program, by: number) { _ in
                ((try? folder.size(of: "f.part")) ?? 0) > Self.letters.utf8.count
            }
            #expect(run.status == status, "\(run.status) \(run.errorText)")
            #expect(!folder.has("f"))
        }
    }

    @Test func `a search that ends before the deadline has its result`() async throws {
        try await withServer { _ in
            .ok(Self.letters + "c")
        } _: { (server) async throws in
            for (expression, status) in [("[ab]{1000}c", Int32(0)), ("a[ab]{20}d", 14)] {
                let words = ["-q", server.url(), "--max-time", "60", "--expect-body", "/\(expression)/", "-o", "f"]
                let run = try await folder.afcli(words)
                #expect(run.status == status, "\(run.status) \(run.errorText)")
                #expect(folder.has("f") == (status == 0))
                unlink(folder.file("f"))
            }
        }
    }

    @Test func `a late writer is read to its end`() async throws {
        try await withServer { request in
            .ok(request.text)
        } _: { server in
            for content in ["", "late", String(repeating: "late ", count: 50_000)] {
                let running = try folder.tool(["--form", "-b", server.url(), "name=@fifo", "--max-time", "20"]).start()
                try await eventually("the program waits") { running.isAsleep }
                let words = ["-c", "sleep 0.1; printf %s \"$0\"", content]
                var writer = Program("/bin/sh", content.utf8.count > 10_000 ? ["-c", "cat long"] : words)
                try folder.write(content, to: "long")
                (writer.output, writer.workingDirectory) = (.file(folder.file("fifo")), folder.path)
                writer.environment = ["PATH": "/usr/bin:/bin"]
                #expect(try await writer.run().status == 0)
                let run = try await running.waitForEnd()
                #expect(run.status == 0, "\(run.errorText)")
                #expect(run.text.replacing("+", with: " ") == "name=\(content)")
            }
        }
    }

    @Test(arguments: [["-o", "fifo"], ["--report", "fifo"], ["-b", "> fifo"]])
    func `a late and slow reader receives everything`(words: [String]) async throws {
        let content = String(repeating: "0123456789", count: 60_000)
        try await withServer { _ in
            .ok(content)
        } _: { server in
            let script = "sleep 0.2; (dd bs=1000 count=5 status=none; sleep 0.2; cat) <fifo"
            var reader = Program("/bin/sh", ["-c", script])
            (reader.workingDirectory, reader.environment) = (folder.path, ["PATH": "/usr/bin:/bin"])
            let reading = try reader.start()
            let options = words.filter { !$0.hasPrefix(">") }
            var program = try folder.tool(["get", server.url(), "--max-time", "20"] + options)
            if words.contains("> fifo") {
                program = Program("/bin/sh", ["-c", "exec \"$0\" \"$@\" >fifo", program.path] + program.arguments)
                (program.workingDirectory, program.environment) = (folder.path, ["PATH": "/usr/bin:/bin"])
            }
            let run = try await program.run()
            #expect(run.status == 0, "\(run.errorText)")
            let text = try await reading.waitForEnd().text
            if words.contains("--report") { #expect(text.hasSuffix("}\n")) } else { #expect(text == content) }
        }
    }

    @Test func `certificates may come from a pipe`() async throws {
        let certificates = try await TestCertificates.shared
        try await withNginx(files: ["x": .text("trusted")]) { nginx in
            let words = [#"exec "$0" --max-time 20 -b --cacert <(cat "$1") "$2""#, try Program.afcliPath()]
            var program = Program("/bin/bash", ["-c"] + words + [certificates.root, nginx.secureURL("/x")])
            (program.workingDirectory, program.environment) = (folder.path, ["PATH": "/usr/bin:/bin"])
            let run = try await program.run()
            #expect(run.text == "trusted", "\(run.errorText)")
        }
    }
}

extension RunningProgram {
    /// Whether its main thread waits for something.
    fileprivate var isAsleep: Bool {
        guard let text = try? ScratchFolder.bytes(at: "/proc/\(processIdentifier)/stat") else { return false }
        let state = String(decoding: text, as: UTF8.self).split(separator: ")").last?.first { $0 != " " }
        return state == "S"
    }
}
