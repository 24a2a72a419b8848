import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// Event streams and JSON lines: selected messages, their number, and continued connections.
@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
    /// Sends one response per connection; the last one also for further connections.
    private func run(
        _ words: [String], in world: ToolWorld = ToolWorld(), _ responses: String...
    ) async throws -> (run: ToolRun, requests: [RecordedRequest]) {
        let state = Mutex<[RecordedRequest]>([])
        return try await withScriptedServer { connection in
            guard let request = try connection.readRequest() else { return }
            let index = state.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            try connection.send(responses[min(index, responses.count - 1)])
        } _: { server in
            let run = await runTool(words + [server.url()], in: world)
            return (run, state.withLock(\.self))
        }
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    /// A stream that ends with the connection.
    private func stream(_ text: String) -> String { "\(Self.head)Connection: close\r\n\r\n\(text)" }
    /// A stream whose connection is lost.
    private func lost(_ text: String) -> String { "\(Self.head)Content-Length: 9999\r\n\r\n\(text)" }

    @Test(arguments: [
        (["--event", "tick"], "event: tick\ndata: 1\n\nevent:tick\r\ndata: 3\r\n\r\n"),
        (["--event", "message"], "data: 2\n\n"), (["--event", "none"], ""),
        (["--max-messages", "1"], ": hello\n\nevent: tick\ndata: 1\n\n"),
        (["--max-messages", "2"], ": hello\n\nevent: tick\ndata: 1\n\ndata: 2\n\n"),
        (["--event", "tick", "--max-messages", "1"], "event: tick\ndata: 1\n\n"),
        (["--event", "tick", "--filter", "."], "1\n3\n"),
        ([], ": hello\n\nevent: tick\ndata: 1\n\ndata: 2\n\nevent:tick\r\ndata: 3\r\n\r\ndata: rest"),
        (["--retry", "1"], ": hello\n\nevent: tick\ndata: 1\n\ndata: 2\n\nevent:tick\r\ndata: 3\r\n\r\ndata: rest"),
    ])
    func `some events are shown`(words: [String], output: String) async throws {
        let text = ": hello\n\nevent: tick\ndata: 1\n\ndata: 2\n\nevent:tick\r\ndata: 3\r\n\r\ndata: rest"
        let (run, requests) = try await run(words, stream(text))
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == output, "\(words)")
        #expect(requests.count == 1)
    }

    @Test func `--max-messages ends an endless stream and JSON lines`() async throws {
        let gate = Gate()
        for (type, text, count) in [("text/event-stream", "data: 1\n\n", 9), ("application/x-ndjson", "[1]\n", 4)] {
            try await withScriptedServer { connection in
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 9999\r\n\r\n")
                for _ in 0..<5 { try connection.send(text) }
                try connection.wait(for: gate)
            } _: { server in
                let run = await runTool("--max-messages", "3", server.url())
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output.utf8.count == 3 * count)
                #expect(run.errors.isEmpty)
            }
        }
        gate.open()
    }

    @Test func `a lost stream continues after the last event`() async throws {
        let (run, requests) = try await run(
            ["--retry", "3", "--retry-delay", "1ms", "--color=never"], in: .terminal(),
            lost("id: 1\ndata: one\n\nid: 2\ndata: par"), lost("id: 2\ndata: two\n\n"),
            stream("id: 3\ndata: three\n\n"), "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(run.status == 0, "\(run.errors)")
        #expect(requests.map { $0["Last-Event-ID"] } == [nil, "1", "2", "3"])
        #expect(run.output.ranges(of: "HTTP/1.1 200 OK").count == 1)
        #expect(["one", "two", "three"].allSatisfy(run.output.contains))
        #expect(!run.output.contains("par"))
        #expect(!run.output.contains("204"))
        #expect(run.messages.last == "afcli: the event stream has ended; retrying in 1.00 ms (3 of 3)")
    }

    @Test func `retry sets the delay, and a stream without IDs is not repeated`() async throws {
        let (timed, requests) = try await run(["--retry", "1"], stream("retry: 20\ndata: 1\n\n"))
        #expect(timed.status == 0)
        #expect(timed.messages == ["afcli: the event stream has ended; retrying in 20.0 ms (1 of 1)"])
        #expect(timed.output == "retry: 20\ndata: 1\n\nretry: 20\ndata: 1\n\n")
        #expect(requests.count == 2)
        #expect(try await run(["--retry", "1"], stream("data: 1\n\n")).requests.count == 1)
        #expect(try await run(["--retry", "1"], stream("id: 1\ndata: 1\n\n")).requests.count == 2)
        #expect(try await run(["post", "--retry", "1"], stream("id: 1\ndata: 1\n\n")).requests.count == 1)
        let limited = try await run(["--retry", "1", "--max-messages", "1"], stream("id: 1\ndata: 1\n\n"))
        #expect(limited.requests.count == 1)
    }

    @Test(
        arguments: [
            (["--expect-json", "count(n)==3"], 0), (["--expect-json", "all(n)>0"], 0),
            (["--expect-json", "any(n)==1", "--expect-json", "any(n)==3"], 0), (["--expect-json", "absent e"], 0),
            (["--expect-json", "count(n)==2"], 14), (["--fail-if", "n==3"], 14),
        ] as [([String], Int32)])
    func `a stream that continues is judged as one`(words: [String], status: Int32) async throws {
        let (run, requests) = try await run(
            ["--retry", "3", "--retry-delay", "1ms"] + words,
            stream("id: 1\ndata: {\"n\": 1}\n\ndata: {\"n\": 9"), lost("id: 2\ndata: {\"n\": 2}\n\nid: 3\nda"),
            stream("id: 3\ndata: {\"n\": 3}\n\n"), "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(run.status == status, "\(run.errors)")
        #expect(run.output.ranges(of: "data").count == 3, "\(run.output)")
        let isEnded = words.contains("any(n)==1") || words[0] == "--fail-if"
        #expect(requests.count == (isEnded ? 3 : 4))
        #expect(run.errors.contains("(3 of 3)") == !isEnded, "\(run.errors)")
    }

    @Test(arguments: [("text/html", "<h1>login</h1>"), ("application/json", "{\"a\":99}"), (nil, "{\"a\":99}")])
    func `a stream is not continued with another resource`(type: String?, body: String) async throws {
        let field = type.map { "Content-Type: \($0)\r\n" } ?? ""
        let rest = "\(field)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        let (words, events) = (["--retry", "2", "--retry-delay", "1ms"], "id: 1\ndata: {\"a\":1}\n\n")
        let (run, requests) = try await run(words, stream(events), "HTTP/1.1 200 OK\r\n\(rest)")
        #expect(run.status == 13 && run.output == events && requests.count == 2, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("continued the event stream with \(type.map { "'\($0)'" } ?? "a response")"))
        let filtered = try await self.run(words + ["--filter", "a"], stream(events), "HTTP/1.1 200 OK\r\n\(rest)").run
        #expect(filtered.status == 13 && filtered.output == "1\n", "\(filtered.output)")
        // Lines are repeated from the start.
        let lines = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 4\r\n\r\n"
        let again = try await self.run(words + ["--max-messages", "5"], "\(lines)[1", "\(lines)[2]\n").run
        #expect(again.status == 0 && again.output.hasSuffix("\n[2]\n"), "\(again.output) \(again.errors)")
        let failed = try await self.run(words + ["--filter", "a"], stream(events), "HTTP/1.1 404 No\r\n\(rest)").run
        #expect(failed.status == 4 && failed.output == "1\n", "\(failed.output) \(failed.errors)")
    }

    @Test func `the last failure of a stream is an error`() async throws {
        let (failed, _) = try await run(["--retry", "1", "--retry-delay", "1ms"], lost("data: 1\n\n"))
        #expect(failed.status == 13)
        #expect(failed.output == "data: 1\n\ndata: 1\n\n")
        let (hinted, _) = try await run([], lost("data: 1\n\n"))
        #expect(hinted.messages.last == "  --retry 3 continues the event stream")
        let (gone, _) = try await run(
            ["--retry", "1", "--retry-delay", "1ms"], lost("id: 1\ndata: 1\n\n"),
            "HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\ngone")
        #expect(gone.status == 4)
        // It is no part of the stream.
        #expect(gone.output == "id: 1\ndata: 1\n\n" && gone.errors.contains("| gone"), "\(gone.errors)")
    }

    @Test func `an ID with control characters is not sent`() async throws {
        let (run, requests) = try await run(
            ["--retry", "1", "--retry-delay", "1ms"], lost("id: a\u{1}b\ndata: 1\n\n"))
        #expect(run.status == 13)
        #expect(requests.allSatisfy { $0["Last-Event-ID"] == nil })
    }

    @Test func `an option without effect is a warning`() async throws {
        let (run, _) = try await run(
            ["--event", "a", "--max-messages", "2"], "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
        #expect(run.output == "1")
        #expect(run.messages == ["afcli: warning: --event has no effect: the response is no event stream"])
        for (type, hint) in [("application/json", "--response-mime application/x-ndjson"), ("text/plain", "")] {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n"
            let (run, _) = try await self.run(["--max-messages", "2"], "\(head)Content-Length: 1\r\n\r\n1")
            #expect(run.errors.contains("JSON lines; ") == !hint.isEmpty && run.errors.contains(hint), "\(run.errors)")
        }
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json;stream=watch\r\nContent-Length: 8\r\n"
        #expect(try await self.run(["--max-messages", "2"], "\(head)\r\n1\n2\n3\n4\n").run.output == "1\n2\n")
    }

    @Test(arguments: [
        (["--max-messages", "0"], "--max-messages: expected at least 1, got '0'"),
        (
            ["--event", "a", "-o", "f"],
            "--event: cannot be combined with a download, whose file contains the complete body"
        ),
        (["--event", "a", "--event", "b"], "--event: cannot be repeated"),
    ])
    func `bad options are reported`(words: [String], message: String) async {
        let run = await runTool(words + ["http://127.0.0.1:1/"])
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: \(message)")
        #expect(await runTool("--event", "a", "ws://127.0.0.1:1/").status == 64)
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func `chunks may end anywhere`(size: Int) {
        let events = "\u{FEFF}data: 1\r\n\r\n\nevent: a\rdata: ü\r\rid: 9\nretry: 5\n\n: c\n\ndata\n\ndata: no"
        let text = Array(events.utf8)
        var gate = MessageGate(.events, MessageSelection(), limit: 100)
        var shown: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: size) {
            text[start..<min(text.count, start + size)].withUnsafeBytes { shown += gate.consume($0) }
        }
        #expect(gate.count == 3)
        #expect(gate.lastEventID == Array("9".utf8))
        #expect(gate.reconnectionTime == 5)
        shown += gate.finish()
        #expect(shown == text)
    }

    @Test func `only a stream has a byte order mark`() {
        let text = Array("\u{FEFF}event: y\ndata: 1\n\n\u{FEFF}event: y\ndata: 2\n\n".utf8)
        var gate = MessageGate(.events, MessageSelection(event: "y"), limit: 100)
        let shown = text.withUnsafeBytes { gate.consume($0) }
        #expect(gate.count == 1 && shown == Array("\u{FEFF}event: y\ndata: 1\n\n".utf8))
        gate.reset()
        let again = text.withUnsafeBytes { gate.consume($0) }
        #expect(gate.count == 2 && again.count == shown.count)
    }

    @Test(arguments: ["\n\n", "\r\r", "\r\n\r\n", "\n\r", "\r\n\r"])
    func `an event is complete at the end of its blank line`(end: String) {
        var gate = MessageGate(.events, MessageSelection(event: "message"), limit: 100)
        let shown = Array("id: 3\ndata: a\(end)".utf8).withUnsafeBytes { gate.consume($0) }
        #expect(shown == Array("id: 3\ndata: a\(end)".utf8))
        #expect(gate.lastEventID == Array("3".utf8))
    }

    @Test func `a message without an end is limited`() {
        var gate = MessageGate(.lines, MessageSelection(maximum: 1), limit: 10)
        let shown = Array(repeating: UInt8(ascii: "a"), count: 20).withUnsafeBytes { gate.consume($0) }
        #expect(shown.isEmpty)
        #expect(gate.isExceeded)
    }
}
