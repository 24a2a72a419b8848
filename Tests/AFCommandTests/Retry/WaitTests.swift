import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--wait` and `--fail-if`
@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    /// Responds with these responses in turn, and then with the last one again.
    private func answers(_ answers: LocalServer.Response...) -> LocalServer.Responder {
        let count = Mutex(0)
        return { _ in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return answers[min(index, answers.count - 1)]
        }
    }

    private let running = LocalServer.Response.json(#"{"state":"running"}"#)
    private let done = LocalServer.Response.json(#"{"state":"done"}"#)
    private let failed = LocalServer.Response.json(#"{"state":"failed"}"#)
    private let words = ["--wait", "30s", "--retry-delay", "1ms"]

    @Test(arguments: [["-b"], ["--filter", "state"], ["-o", "FILE"], ["-v"]])
    func `a request is repeated until the status is a success and the expectations are met`(options: [String])
        async throws
    {
        let folder = try ScratchFolder()
        let options = options.map { $0 == "FILE" ? folder.file("f") : $0 }
        try await withServer(answers(.close, .status(404, "no"), .status(503), running, running, done)) { server in
            let run = await runTool(words + options + ["--expect-json", "state==done", server.url()])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.count == 6)
            #expect(!run.output.contains("running"))
            if options.contains("-o") { #expect(folder.holds(#"{"state":"done"}"#, in: "f")) }
            let waits = run.messages.filter { $0.hasPrefix("afcli: waiting up to 30.00 s: ") }
            // Not for each retry.
            #expect(waits.count == 4, "\(run.errors)")
            #expect(waits.last?.hasSuffix(#"expected 'state' to be "done", got "running""#) == true)
        }
    }

    @Test func `changing values are one line`() async throws {
        let queued = LocalServer.Response.json(#"{"state":"queued"}"#)
        try await withServer(answers(queued, running, queued, running, .status(503), .status(503), queued, done)) {
            server in
            let run = await runTool(words + ["--expect-json", "state==done", server.url()])
            #expect(run.status == 0, "\(run.errors)")
            #expect(server.requests.count == 8)
            #expect(run.messages.count { $0.contains("waiting up to") } == 2, "\(run.errors)")
        }
    }

    @Test func `without expectations, a success is awaited`() async throws {
        try await withServer(answers(.status(500, "a"), .redirect(to: "/x"), .status(401), .ok("up"))) { server in
            let run = await runTool(words + [server.url()])
            #expect(run.status == 0)
            #expect(run.output == "up")
            #expect(server.requests.count == 4)
        }
    }

    @Test func `an expected status need not be a success`() async throws {
        try await withServer(answers(.ok("a"), .status(404, "gone"))) { server in
            let run = await runTool(words + ["--expect-status", "404", server.url()])
            #expect(run.status == 0)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a server that stays unreachable ends the wait`() async throws {
        let run = await runTool("--wait", "0.3", "http://localhost:1/")
        #expect(run.status == 11)
        #expect(
            run.messages.first?.hasPrefix("afcli: waiting up to 300 ms: could not connect") == true, "\(run.errors)")
        #expect(run.messages.count { $0.contains("waiting up to") } == 1)
        #expect(run.errors.contains("(--wait)") || run.errors.contains("--wait (300 ms)"), "\(run.errors)")
    }

    @Test func `a repeated request is not called one that was not retried`() async throws {
        try await withServer(answers(.status(503))) { server in
            let run = await runTool("--retry", "9", "--retry-delay", "200ms", "--retry-max-time", "0.3", server.url())
            #expect(run.status == 5)
            #expect(server.requests.count == 2)
            #expect(
                run.messages.contains { $0.hasPrefix("afcli: not retried again: a wait of 200 ms") }, "\(run.errors)")
        }
    }

    @Test func `the last attempt is at the end of the wait`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            count.withLock { $0 += 1 }
            return .status(503)
        } _: { server in
            let run = await runTool("--wait", "1.2s", "--retry-delay", "1", "-q", server.url())
            #expect(run.status == 5, "\(run.errors)")
            #expect(!run.errors.contains("would end after"), "\(run.errors)")
            #expect(count.withLock(\.self) == 3)
        }
    }

    @Test func `the hint of a timeout names the option`() async throws {
        let gate = Gate()
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.wait(for: gate)
        } _: { server in
            let run = await runTool("--wait", "0.3", server.url())
            #expect(run.status == 2, "\(run.errors)")
            #expect(run.errors.contains("increase --wait"), "\(run.errors)")
            gate.open()
        }
    }

    @Test func `a WebSocket URL has no --wait`() async {
        let run = await runTool("--wait", "3", "ws://127.0.0.1:1/")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --wait: is not possible for a WebSocket URL", "\(run.errors)")
    }

    @Test func `a limit of retries ends the wait, too`() async throws {
        try await withServer(answers(running)) { server in
            let run = await runTool(words + ["--retry", "2", "--expect-json", "state==done", server.url()])
            #expect(run.status == 14)
            #expect(server.requests.count == 3)
            #expect(run.output == #"{"state":"running"}"#)
        }
    }

    @Test(arguments: [
        ["--wait=30"], ["--retry-on=expect", "--retry=9"], ["--retry-on=expect", "--max-time=30"], ["--wait=30", "-v"],
    ])
    func `a response that meets a failure condition is final`(options: [String]) async throws {
        let bad = failed
        for answer in [bad, LocalServer.Response.status(503, #"{"state":"failed"}"#)] {
            try await withServer(answers(running, running, answer)) { server in
                let run = await runTool(
                    options + [
                        "--retry-delay=1ms", "--expect-json=state==done", "--fail-if=state==failed", "--fail-if=error",
                        server.url(),
                    ])
                #expect(run.status == 14)
                #expect(server.requests.count == 3)
                #expect(run.output.hasSuffix(#"{"state":"failed"}"#))
                #expect(run.errors.contains("the body meets --fail-if 'state==failed'"), "\(run.errors)")
            }
        }
    }

    @Test(arguments: [
        ("state==failed", #"{"state":"failed"}"#, "application/json", 14),
        ("state", #"{"a":1}"#, "application/json", 0),
        ("state", "", "application/json", 0), ("state", "<p>", "text/html", 0),
        ("absent state", "{}", "application/json", 14),
        ("count([]) > 1", "[1,2]", "application/json", 14), ("any([]) == 1", "[0]", "application/json", 0),
        ("a==2", "{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson", 14),
        ("count(.) == 2", "data: {}\n\ndata: {}\n\n", "text/event-stream", 14),
    ])
    func `a failure condition alone fails, if the body meets it`(
        condition: String, body: String, type: String, status: Int32
    ) async throws {
        try await withServer { _ in
            .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            #expect(await runTool("-q", "--fail-if", condition, server.url()).status == status)
        }
    }

    @Test func `a report has the failure condition`() async throws {
        try await withServer(answers(failed)) { server in
            let run = await runTool("-q", "--fail-if", "state==failed", "--report", "junit:-", server.url())
            #expect(run.output.contains(#"name="--fail-if state==failed""#))
            #expect(run.output.contains(#"failures="1""#))
        }
    }

    @Test func `a POST is repeated only with the option`() async throws {
        let refused = await runTool("--wait=1", "post", "example.invalid")
        #expect(refused.status == 64)
        #expect(refused.messages.first == "afcli: error: --wait: POST is not idempotent")
        try await withServer(answers(.status(503), .ok("a"))) { server in
            let run = await runTool("--wait=30", "--retry-delay=1ms", "--retry-unsafe", "post", server.url())
            #expect(run.status == 0)
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: [
        ["--wait", "soon"], ["--wait", "0"], ["--wait", ""], ["--fail-if", ""], ["--fail-if", "a is b"],
    ])
    func `an invalid argument is a usage error`(words: [String]) async {
        let run = await runTool(words + ["example.invalid"])
        #expect(run.status == 64)
        #expect(run.messages.first?.hasPrefix("afcli: error: \(words[0]): ") == true, "\(run.errors)")
    }
}
