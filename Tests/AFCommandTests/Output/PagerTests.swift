import TestSupport
import Testing

@testable import AFCommand

/// Long output on a terminal goes through a pager.
@Suite(.timeLimit(.minutes(5))) struct PagerTests {
    private static let long = (1...100).map { "line \($0)\n" }.joined()

    /// Runs the tool on a terminal of 24 lines with a pager that marks its input.
    private func run(_ words: [String], pager: String?, body: String = long, type: String = "text/plain") async throws
        -> (status: Int32?, text: String)
    {
        try await withServer { _ in
            .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            var program = Program(try Program.afcliPath(), ["-b"] + words + [server.url()]).onTerminal()
            program.environment = ["TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
            program.environment["PAGER"] = pager
            let result = try await program.run()
            return (result.status, result.screenText)
        }
    }

    @Test func `long output is paged, short output is not`() async throws {
        let long = try await run([], pager: "sed s/line/paged/")
        #expect(long.status == 0)
        #expect(long.text.contains("paged 1\r\n"))
        #expect(long.text.contains("paged 100"))
        let short = try await run([], pager: "sed s/line/paged/", body: "line 1\n")
        #expect(short.text.contains("line 1"))
        #expect(!short.text.contains("paged"))
    }

    @Test(arguments: [
        (["--no-pager"], "sed s/line/paged/", "text/plain"), ([], "", "text/plain"), ([], "cat", "text/plain"),
        ([], "no-such-pager", "text/plain"), (["--stream"], "sed s/line/paged/", "text/plain"),
        ([], "sed s/line/paged/", "text/event-stream"), ([], "sed s/line/paged/", "application/x-ndjson"),
    ])
    func `output is not paged`(words: [String], pager: String, type: String) async throws {
        let run = try await run(words, pager: pager, type: type)
        #expect(run.status == 0)
        #expect(run.text.contains("line 100"), "\(run.text)")
        #expect(!run.text.contains("paged"))
    }

    @Test func `LESS has a default, and an early end of the pager is no failure`() async throws {
        #expect(try await run([], pager: "sh -c 'echo $LESS; cat'").text.contains("FRX"))
        let long = String(repeating: Self.long, count: 1000)
        let ended = try await run([], pager: "head -n 3", body: long)
        #expect(ended.status == 0)
        #expect(!ended.text.contains("line 50"))
    }

    @Test(arguments: ["false", "sh -c 'exit 3'", "sed --no-such-option"])
    func `the output of a pager that fails is shown without it`(pager: String) async throws {
        let run = try await run([], pager: pager)
        #expect(run.status == 0)
        #expect(run.text.contains("line 1\r\n") && run.text.contains("line 100\r\n"), "\(run.text)")
    }

    @Test func `messages appear after the pager`() async throws {
        let run = try await run(["--expect-body", "nothing"], pager: "sed s/line/paged/")
        #expect(run.status == 14)
        let end = try #require(run.text.firstRange(of: "paged 100"))
        #expect(run.text[end.upperBound...].contains("error:"), "\(run.text)")
    }

    @Test(arguments: [
        ("a\n\n\n", 3, true), ("a\n\n", 3, false), ("12345678901", 2, false), ("1234567890123456789012", 2, true),
        ("\u{1B}[31m1234567890\u{1B}[0m\nü\n", 3, false), ("ääääääääää\n", 2, false),
    ])
    func `lines on the screen are counted`(text: String, rows: Int, isLonger: Bool) {
        var lines = ScreenLines(columns: 10, rows: rows)
        let exceeds = Array(text.utf8).withUnsafeBytes { lines.exceeds(adding: $0) }
        #expect(exceeds == isLonger)
    }
}
