import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// `--retry-on expect`
@Suite(.timeLimit(.minutes(5))) struct RetryExpectationTests {
    /// Responds with a job that is done at the third request.
    private func job() -> LocalServer.Responder {
        let count = Mutex(0)
        return { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json(number < 3 ? #"{"state":"running"}"# : #"{"state":"done"}"#)
        }
    }

    private let words = ["--retry-on", "expect", "--retry-delay", "1ms", "--expect-json", #"state=="done""#]

    @Test(arguments: [
        ["--retry", "5"], ["--retry-max-time", "30"], ["--max-time", "30"], ["--retry", "5", "--filter", "state"],
        ["--retry", "5", "-o", "FILE"], ["--retry", "5", "-v"],
    ])
    func `a request is repeated until the expectation is met`(options: [String]) async throws {
        let folder = try ScratchFolder()
        try await withServer(job()) { server in
            let options = options.map { $0 == "FILE" ? folder.file("f") : $0 }
            let run = await runTool(words + options + [server.url()])
            #expect(run.status == 0)
            #expect(server.requests.count == 3)
            #expect(
                run.messages.count { $0.contains(#"expected 'state' to be "done", got "running"; retrying in"#) } == 2)
            #expect(!run.output.contains("running"))
            if options.contains("--filter") {
                #expect(run.output == "\"done\"\n")
            } else if options.contains("-o") {
                #expect(folder.holds(#"{"state":"done"}"#, in: "f"))
            } else {
                #expect(run.output.hasSuffix(#"{"state":"done"}"#))
            }
        }
    }

    @Test func `the last response is shown and fails`() async throws {
        try await withServer(job()) { server in
            let run = await runTool(words + ["--retry", "1", server.url()])
            #expect(run.status == 14)
            #expect(server.requests.count == 2)
            #expect(run.output == #"{"state":"running"}"#)
        }
        try await withServer(job()) { server in
            let run = await runTool(
                "--retry-on", "expect", "--retry-max-time", "0.5", "--retry-delay", "60", "--expect-json",
                #"state=="done""#, server.url())
            #expect(run.status == 14)
            #expect(server.requests.count == 1)
            #expect(run.output == #"{"state":"running"}"#)
            #expect(run.errors.contains("not retried: a wait of"))
        }
    }

    @Test func `statuses, header fields and texts are expectations, too`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number < 3 ? .status(404, "not yet") : .ok("ready").header("X-A", "1")
        } _: { server in
            let common = ["--retry-on=expect", "--retry=5", "--retry-delay=1ms", server.url()]
            for expectation in [["--expect-status=200"], ["--expect-header=X-A"], ["--expect-body=ready"]] {
                count.withLock { $0 = 0 }
                let run = await runTool(expectation + common)
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output == "ready")
            }
        }
    }

    @Test func `a POST is repeated only with the option`() async throws {
        try await withServer(job()) { server in
            let run = await runTool(words + ["--retry=5", "post", server.url()])
            #expect(run.status == 14)
            #expect(server.requests.count == 1)
            #expect(run.messages.contains("afcli: not retried: POST is not idempotent; --retry-unsafe retries it"))
            #expect(await runTool(words + ["--retry=5", "--retry-unsafe", "post", server.url()]).status == 0)
        }
    }

    @Test func `a rejected response is not shown after an attempt without one`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            count.withLock { $0 += 1 }
            return count.withLock(\.self) == 1 ? .json(#"{"state":"running"}"#).closing() : .close
        } _: { server in
            let run = await runTool(words + ["--retry=2", server.url()])
            #expect(run.status == 13)
            #expect(run.output.isEmpty)
        }
    }

    @Test func `a truncated body that is not shown is requested again`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            count.withLock { $0 += 1 }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\n"
            return .raw(head + (count.withLock(\.self) == 1 ? "ha" : "half"))
        } _: { server in
            #expect(await runTool("-p", "", "--retry=1", "--retry-delay=1ms", server.url()).status == 0)
            #expect(server.requests.count == 2)
        }
    }

    @Test func `the configuration may have conditions that have no effect`() async throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"default_options": ["--retry=1", "--retry-on=expect"]}"#, to: "config.json")
        let world = ToolWorld().with(variables: ["AFCLI_CONFIG_DIR": folder.path])
        #expect(await runTool("--offline", "example.org", in: world.withoutConfiguration).status == 0)
    }

    @Test func `a limit and an expectation are required`() async {
        let endless = await runTool(words + ["example.invalid"])
        #expect(endless.status == 64)
        #expect(endless.messages.first == "afcli: error: --retry-on: 'expect' requires a limit")
        let aimless = await runTool("--retry-on", "expect", "--retry", "1", "example.invalid")
        #expect(aimless.status == 64)
        #expect(aimless.messages.first == "afcli: error: --retry-on: 'expect' requires an expectation")
    }

    @Test func `a body too large to buffer is shown, and the request is not repeated`() async throws {
        let body = #"{"state": "running", "log": ""# + String(repeating: "x", count: 200_000) + #""}"#
        try await withServer { _ in
            .json(body)
        } _: { server in
            let run = await runTool(words + ["--retry=5", "--max-formatted=100K", "--pretty=none", server.url()])
            #expect(run.status == 14)
            #expect(run.output == body)
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["--retry-delay=1", "--retry-max-time=1", "--retry-on=500", "--retry-unsafe"])
    func `options for retries require retries`(option: String) async {
        let run = await runTool(option, "example.invalid")
        #expect(run.status == 64)
        let name = option.prefix { $0 != "=" }
        #expect(run.messages.first == "afcli: error: \(name): requires --retry or --wait")
    }
}
