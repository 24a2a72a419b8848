import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct RepeatTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `a request is repeated over one connection, with its times`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let run = await runTool("--repeat", "20", server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(server.requests.count == 20 && server.acceptedConnections == 1)
            #expect(run.messages.count == 2)
            #expect(run.messages[0].hasPrefix("afcli: 20 requests in "))
            #expect(run.messages[0].hasSuffix(": 20 succeeded"))
            let figures = /afcli: minimum [\d.]+ m?s, median [\d.]+ m?s, 95th percentile [\d.]+ m?s, maximum [\d.]+ m?s/
            #expect(run.messages[1].wholeMatch(of: figures) != nil, "\(run.errors)")
            #expect(await runTool("-q", "--repeat", "2", server.url()).messages.count == 2)
            #expect(await runTool("-qq", "--repeat", "2", server.url()).errors.isEmpty)
        }
    }

    @Test func `output that is requested by name is shown for each request`() async throws {
        try await withServer { _ in
            .json("{\"id\": 1}")
        } _: { server in
            #expect(await runTool("--repeat", "3", "--filter", "id", server.url()).output == "1\n1\n1\n")
            #expect(
                await runTool("--repeat", "3", "-q", "-w", "%{http_code}\n", server.url()).output == "200\n200\n200\n")
            let parallel = await runTool("--repeat", "30", "--parallel", "6", "-b", server.url())
            #expect(parallel.output.split(separator: "\n").count == 30)
            #expect(server.acceptedConnections <= 8)
        }
    }

    @Test func `failures are counted by status, and each kind is explained once`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return switch number {
            case 3, 5, 6: .status(503, "busy")
            case 4: .status(404)
            case 7: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx")
            default: .ok("x")
            }
        } _: { server in
            let run = await runTool("--repeat", "10", server.url(), "--report", folder.file("r.json"))
            #expect(run.status == 5)
            #expect(run.errors.contains(": 5 succeeded, 5 failed (503: 3, 404: 1, broken: 1)\n"), "\(run.errors)")
            #expect(run.errors.ranges(of: "responded with 503").count == 1)
            let report = try folder.text(of: "r.json")
            #expect(report.split(separator: "\n").count == 10)
        }
    }

    @Test func `expectations and time limits are for each request`() async throws {
        try await withServer { _ in
            .json("{\"ok\": false}")
        } _: { server in
            let run = await runTool("--repeat", "3", "--max-time", "20", "--expect-json", "ok==true", server.url())
            #expect(run.status == 14)
            #expect(run.errors.contains("0 succeeded, 3 failed (expectation: 3)"), "\(run.errors)")
            #expect(!run.errors.contains("median"))
        }
    }

    @Test func `a request with effects is repeated only with permission`() async throws {
        try await withServer { request in
            .ok("\(request.body.count)")
        } _: { server in
            let refused = await runTool("--repeat", "3", server.url(), "n=1")
            #expect(refused.status == 64)
            #expect(
                refused.messages == [
                    "afcli: error: --repeat: POST is not idempotent: each request may have effects",
                    "  --retry-unsafe sends it 3 times",
                ])
            #expect(server.requests.isEmpty)
            #expect(
                await runTool("--repeat", "3", "--retry-unsafe", "-b", server.url(), "n=1").output == "10\n10\n10\n")
            #expect(await runTool("--repeat", "2", server.url(), "n=1", "Idempotency-Key:k").status == 0)
            #expect(await runTool("--repeat", "2", "put", server.url(), "n=1").status == 0)
        }
    }

    @Test(
        arguments: [
            (["--repeat", "0"], "--repeat"), (["--repeat", "x"], "--repeat"), (["--repeat", "1000001"], "--repeat"),
            (["--repeat", "2", "-d"], "cannot be combined with --repeat"),
            (["--repeat", "2", "-o", "f"], "cannot be combined with --repeat"),
            (["--repeat", "2", "--input", "f"], "cannot be combined with --repeat"),
            (["--repeat", "2", "--follow-next"], "cannot be combined with --repeat"),
            (["--repeat", "2", "--offline"], "cannot be combined with --repeat"),
            (["--repeat", "2", "-T", "a", "-T", "b"], "--repeat: cannot be combined with several --upload-file"),
            (["--parallel", "2"], "--parallel: requires several requests"),
            (["--retry-unsafe"], "requires --retry or --wait"),
        ] as [([String], String)])
    func `a repetition that is not possible is an error`(words: [String], message: String) async throws {
        let run = await runTool(words + ["http://127.0.0.1:1/"])
        #expect(run.status == 64 && run.errors.contains(message), "\(run.errors)")
    }

    @Test func `a body that can be read only once is not repeated`() async throws {
        let input = StandardInput.fixed(.stream, delivery: .bytes, content: String(repeating: "x", count: 5_000_000))
        let run = await runTool(
            "put", "--repeat", "2", "http://127.0.0.1:1/", "@-", in: ToolWorld(standardInput: input))
        #expect(run.status != 0)
    }

    @Test func `the percentiles are those of the times`() {
        var statistics = RunStatistics()
        for milliseconds in (1...100).reversed() {
            var record = RunRecord()
            record.ended = record.started.addingTimeInterval(Double(milliseconds) / 1000)
            _ = statistics.add(record)
        }
        #expect(
            statistics.sentences(of: 100, in: 5) == [
                "100 requests in 5.00 s: 100 succeeded",
                "minimum 1.00 ms, median 50.5 ms, 95th percentile 95.0 ms, maximum 100 ms",
            ])
        #expect(statistics.sentences(of: 200, in: 5)[0].hasPrefix("100 of 200 requests in"))
    }
}
