import TestSupport
import Testing

@testable import AFCommand

/// The logs of the traffic: `-v`, `--trace` and `--trace-ascii`.
struct CurlTraceTests {
    private func fetch(_ words: String..., in folder: ScratchFolder? = nil) async throws -> ToolRun {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nbody\n")
        } _: { server in
            await runTool(["curl"] + words + ["-d", "a=1", server.url("/p")])
        }
    }

    @Test func `-v shows the headers on standard error, and the body alone is the output`() async throws {
        let run = try await fetch("-sv")
        #expect(run.status == 0 && run.output == "body\n")
        let lines = run.errors.replacing("\r\n", with: "\n").split(separator: "\n")
        for line in [
            "> POST /p HTTP/1.1", "> ", "< HTTP/1.1 200 OK", "< X-A: 1", "< ", "{ [5 bytes data]", "} [3 bytes data]",
        ] {
            #expect(lines.contains { $0 == line }, "\(line): \(run.errors)")
        }
        #expect(lines.contains { $0.hasPrefix("> Host: ") } && lines.contains { $0.hasPrefix("* ") }, "\(run.errors)")
        #expect(lines.allSatisfy { ["* ", "> ", "< ", "{ ", "} "].contains($0.prefix(2)) }, "\(run.errors)")
    }

    @Test func `--trace-ascii shows all data as text`() async throws {
        let folder = try ScratchFolder()
        let run = try await fetch("-s", "--trace-ascii", folder.file("log"))
        #expect(run.errors.isEmpty && run.output == "body\n")
        let log = try folder.text(of: "log")
        #expect(log.hasPrefix("== Info: "))
        #expect(log.contains("\n=> Send header, ") && log.contains("\n0000: POST /p HTTP/1.1\n0012: Host: "), "\(log)")
        #expect(log.contains("\n=> Send data, 3 bytes (0x3)\n0000: a=1\n"), "\(log)")
        #expect(log.contains("\n<= Recv header, 17 bytes (0x11)\n0000: HTTP/1.1 200 OK\n"), "\(log)")
        #expect(log.contains("\n<= Recv data, 5 bytes (0x5)\n0000: body.\n"), "\(log)")
    }

    @Test func `--trace shows bytes, also on standard output`() async throws {
        let run = try await fetch("-s", "--trace", "-", "--trace-time")
        let row = "0000: 61 3d 31                                        a=1"
        #expect(run.output.contains("\n\(row)\n"), "\(run.output)")
        let start = run.output.split(separator: " ").first.map(String.init) ?? ""
        #expect(start.utf8.count == 15 && start.split(separator: ":").count == 3, "\(start)")
        #expect(run.output.hasSuffix("body\n") || run.output.contains("body\n"))
        #expect(try await fetch("-s", "--trace", "%").errors.contains(row))
    }

    @Test func `a log that cannot be opened is a warning`() async throws {
        for option in ["--trace", "--stderr"] {
            let run = try await fetch(option, "/no/such/log")
            #expect(run.status == 0 && run.output == "body\n")
            #expect(
                run.messages.contains { $0.hasPrefix("Warning: \(option): cannot write '/no/such/log'") },
                "\(run.errors)")
        }
    }

    @Test func `rows of text end at line breaks, and after 64 characters`() async throws {
        let folder = try ScratchFolder()
        let line = String(repeating: "x", count: 70)
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 76\r\n\r\n\(line)\r\ny\u{1}\r\n")
        } _: { server in
            _ = await runTool("curl", "-s", "--trace-ascii", folder.file("log"), server.url())
        }
        let rows = "0000: \(line.prefix(64))\n0040: xxxxxx\n0048: y.\n"
        #expect(try folder.text(of: "log").contains(rows))
    }

    @Test func `a header that leaves out secret fields after a redirect is one note`() async throws {
        try await withServer {
            .ok($0["X-Auth-Token"] ?? "none")
        } _: { other in
            try await withServer { _ in
                .redirect(to: other.url("/x"))
            } _: { (server) async throws in
                let words = ["curl", "-L", "-H", "X-Auth-Token: s3cret", server.url()]
                let run = await runTool(words)
                #expect(run.output == "none")
                #expect(
                    run.messages == [
                        "Note: not sent to another origin, \(other.url().dropLast()): X-Auth-Token; "
                            + "--location-trusted sends them"
                    ], "\(run.errors)")
                #expect(await runTool(words + ["--location-trusted"]).output == "s3cret")
                #expect(await runTool(words + ["-s"]).errors.isEmpty)
            }
        }
    }
}
