import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Expectations about streams that do not end.
@Suite(.timeLimit(.minutes(5))) struct EndlessStreamTests {
    /// Sends the messages of each connection in turn, and then nothing; the last ones also for further connections.
    private func run(
        _ words: [String], lines: Bool, _ connections: [String]...
    ) async throws -> (run: ToolRun, requests: Int) {
        let gate = Gate()
        let count = Mutex(0)
        return try await withScriptedServer { connection in
            guard try connection.readRequest() != nil else { return }
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let type = lines ? "application/x-ndjson" : "text/event-stream"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 9999\r\n\r\n")
            for message in connections[min(index, connections.count - 1)] {
                try connection.send(lines ? "\(message)\n" : "data: \(message)\n\n")
            }
            try connection.wait(for: gate)
        } _: { server in
            let run = await runTool(words + [server.url()])
            gate.open()
            return (run, count.withLock(\.self))
        }
    }

    private func shown(_ messages: [String], lines: Bool) -> String {
        messages.map { lines ? "\($0)\n" : "data: \($0)\n\n" }.joined()
    }

    @Test(arguments: [true, false])
    func `the time of --wait ends a stream that is saved`(lines: Bool) async throws {
        let folder = try ScratchFolder()
        let options = ["--wait", "300ms", "--expect-json", "any(n)==9", "-o", folder.file("f")]
        let (run, requests) = try await run(options, lines: lines, running)
        #expect(run.status == 2 && requests == 1)
        let sentence = "the stream did not end within --wait (300 ms), and a file is judged at its end"
        #expect(run.messages.first == "afcli: error: \(sentence)", "\(run.errors)")
        #expect(!folder.list().contains("f"))
    }

    private let running = [#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#]

    @Test(arguments: [true, false])
    func `the messages that are received are judged`(lines: Bool) async throws {
        for (condition, status) in [
            ("any(n)==2", 0), ("any(n)==3", 14), ("n<=2", 0), ("n==1", 14), ("count(.)==2", 0), ("count(.)==3", 14),
        ] {
            let options = ["--max-messages", "2", "--expect-json", condition]
            let (run, requests) = try await run(options, lines: lines, running)
            #expect(run.status == status, "\(condition): \(run.errors)")
            #expect(requests == 1)
            #expect(run.output == shown(Array(running.prefix(2)), lines: lines), "\(condition)")
        }
    }

    @Test(arguments: [true, false], [["--wait", "30s"], ["--retry-on", "expect", "--retry", "3"]])
    func `a stream that does not meet the expectations is requested again`(
        lines: Bool, options: [String]
    ) async throws {
        let limit = ["--max-messages", "3", "--expect-json", "any(n)==9", "--retry-delay", "1ms"]
        let last = [#"{"n":5}"#, #"{"n":9}"#]
        let (run, requests) = try await run(options + limit, lines: lines, running, running, last)
        #expect(run.status == 0, "\(run.errors)")
        #expect(requests == 3)
        #expect(run.output == shown(last, lines: lines))
    }

    @Test(arguments: [true, false])
    func `the time of --wait ends a stream`(lines: Bool) async throws {
        let words = ["--wait", "0.5", "--expect-json", "any(n)==9"]
        let (run, requests) = try await run(words, lines: lines, running)
        #expect(run.status == 14, "\(run.errors)")
        #expect(requests == 1)
        #expect(run.errors.contains("none of 3 messages has one"), "\(run.errors)")
        #expect(run.output == shown(running, lines: lines))
        let (met, _) = try await self.run(["--wait", "0.5", "--expect-json", "n<9"], lines: lines, running)
        #expect(met.status == 0, "\(met.errors)")
    }

    @Test(arguments: [true, false])
    func `a message that meets a failure condition ends a stream at once`(lines: Bool) async throws {
        for options in [[], ["--wait", "30s"], ["--max-messages", "100"], ["--expect-json", "any(n)==9"]] {
            let (run, requests) = try await run(options + ["--fail-if", "n==2"], lines: lines, running)
            #expect(run.status == 14, "\(options): \(run.errors)")
            #expect(run.errors.contains("the body meets --fail-if 'n==2'"))
            #expect(requests == 1)
        }
    }

    @Test(arguments: ["any(n)==2", "count(.) >= 2", "any(n)>1"])
    func `a stream ends as soon as it is decided`(condition: String) async throws {
        for (lines, options) in [(false, []), (false, ["--wait", "30s"]), (true, ["--wait", "30s"])] {
            let (run, _) = try await run(options + ["--expect-json", condition], lines: lines, running)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test func `expectations concern the selected events`() async throws {
        let gate = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9999\r\n\r\n")
            try connection.send("data: {}\n\nevent: a\ndata: {\"n\":1}\n\ndata: {}\n\nevent: a\ndata: {\"n\":2}\n\n")
            try connection.wait(for: gate)
        } _: { server in
            let run = await runTool(
                "--event", "a", "--max-messages", "2", "--expect-json", "n>0", "--filter", "n", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "1\n2\n")
            gate.open()
        }
    }

    @Test func `JSON lines that end are shown completely`() async throws {
        try await withServer({ _ in
            .bytes(Array("{\"n\":1}\n{\"n\":2}".utf8)).header("Content-Type", "application/x-ndjson")
        }) { server in
            let run = await runTool("--expect-json", "any(n)==1", server.url())
            #expect(run.output == "{\"n\":1}\n{\"n\":2}")
            #expect(run.status == 0)
        }
    }

    @Test func `the messages of all pages are counted`() async throws {
        try await withServer({ request in
            let page = LocalServer.Response.bytes(Array("1\n2\n3\n".utf8))
                .header("Content-Type", "application/x-ndjson")
            return page.header("Link", "<?\((request.query.flatMap { Int($0) } ?? 1) + 1)>; rel=next")
        }) { server in
            let run = await runTool("--follow-next", "--max-messages", "5", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "1\n2\n3\n1\n2\n")
            #expect(run.errors.isEmpty)
            #expect(server.requests.count == 2)
            let exact = await runTool("--follow-next", "--max-messages", "6", server.url())
            #expect(exact.output == "1\n2\n3\n1\n2\n3\n")
            #expect(server.requests.count == 4)
        }
    }
}
