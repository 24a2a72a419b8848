import AFHTTP
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct RetryTests {
    /// Sends each response in turn, and then always the last one.
    private func answers(_ responses: LocalServer.Response...) -> LocalServer.Responder {
        let count = Mutex(0)
        return { _ in
            count.withLock { count in
                defer { count += 1 }
                return responses[min(count, responses.count - 1)]
            }
        }
    }

    @Test func `a replaced response is not printed`() async throws {
        try await withServer(answers(.status(503, "busy"), .status(500, "oops"), .ok("fine"))) { server in
            let run = await runTool("--retry", "3", "--retry-delay", "10ms", server.url(), "-p", "hb")
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(run.output.hasSuffix("\r\n\r\nfine"))
            #expect(!run.output.contains("busy"))
            #expect(
                run.errors == """
                    afcli: the server responded with 503 Service Unavailable; retrying in 10.0 ms (1 of 3)
                    afcli: the server responded with 500 Internal Server Error; retrying in 10.0 ms (2 of 3)

                    """
            )
        }
    }

    @Test(arguments: [(403, 1), (407, 1), (404, 1), (502, 2), (503, 2), (429, 2)])
    func `the response to CONNECT is judged by its status`(status: Int, count: Int) async throws {
        let proxy = try TunnelProxy { _ in
            "HTTP/1.1 \(status) No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
        }
        let words = ["--proxy", proxy.url, "https://host.invalid/", "--retry", "1", "--retry-delay", "0"]
        let run = await runTool(words)
        #expect(run.status == 11, "\(run.errors)")
        #expect(proxy.heads.count == count)
        #expect(run.errors.contains("retrying in 1.0") == (count == 2), "\(run.errors)")
        #expect(await runTool(words + ["--retry-on", "\(status)", "--retry-max-time", "0.5"]).status == 11)
        #expect(proxy.heads.count == count + 1)
    }

    @Test func `an idempotency key makes a request repeatable`() async throws {
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            let words = ["--retry", "1", "--retry-delay", "1ms", "post", server.url()]
            #expect(await runTool(words + ["Idempotency-Key:abc"]).status == 5)
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0["Idempotency-Key"] == "abc" })
            #expect(await runTool(words + ["Idempotency-Key;"]).status == 5)
            #expect(server.requests.count == 3)
            #expect(await runTool("--wait", "50ms", "post", server.url(), "Idempotency-Key:abc").status != 64)
            let folder = try ScratchFolder()
            let session = ["--session", folder.file("s.json"), "post", server.url()]
            _ = await runTool(session + ["Idempotency-Key:abc", "X-Own:1"])
            _ = await runTool(session)
            #expect(server.requests.last?["X-Own"] == "1")
            #expect(server.requests.last?["Idempotency-Key"] == nil)
        }
    }

    @Test func `the last response counts after all attempts`() async throws {
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            let run = await runTool("--retry", "1", "--retry-delay", "1ms", server.url())
            #expect(run.status == 5)
            #expect(run.output == "busy")
            #expect(server.requests.count == 2)
        }
    }

    @Test func `the last response is shown although it would have been saved`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            let words = ["--retry", "1", "--retry-delay", "1ms", "-o", folder.file("f"), server.url()]
            let run = await runTool(words)
            #expect(run.status == 5)
            #expect(run.errors.contains("busy"))
            #expect(folder.list() == [])
            let wanted = await runTool(words + ["--no-check-status"])
            #expect(wanted.status == 0)
            #expect(folder.holds("busy", in: "f"))
            #expect(server.requests.count == 4)
        }
    }

    @Test func `a header that was shown is not shown again`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        } _: { server in
            let run = await runTool("--retry", "1", "--retry-delay", "1ms", "-h", server.url())
            #expect(run.status == 13)
            #expect(run.output == "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `POST and PATCH are retried only with --retry-unsafe`() async throws {
        for (words, count) in [(["post"], 1), (["patch"], 1), (["post", "--retry-unsafe"], 2), (["put"], 2)] {
            try await withServer(answers(.status(503), .ok())) { server in
                let run = await runTool(words + [server.url(), "--raw", "b", "--retry", "1", "--retry-delay", "1ms"])
                #expect(run.status == (count == 1 ? 5 : 0), "\(words)")
                #expect(server.requests.count == count)
                #expect(server.requests.allSatisfy { $0.text == "b" })
            }
        }
    }

    @Test(
        arguments: [
            (["post"], "POST is not idempotent; --retry-unsafe retries it"), (["put"], nil),
            (["post", "--retry", "0"], nil),
        ] as [([String], String?)]
    )
    func `the reason for no further attempt is reported if retries are enabled`(words: [String], reason: String?)
        async throws
    {
        for status in [503, 404] {
            try await withServer(answers(.status(status).header("Retry-After", "0"))) { server in
                let typed = ["--retry", "1", "--retry-delay", "1ms"] + words + [server.url(), "a=b"]
                let quiet = await runTool(typed + ["-q"])
                #expect(quiet.messages.allSatisfy { !$0.contains("not retried") })
                let told = await runTool(typed)
                let expected = status == 503 ? reason.map { "afcli: not retried: \($0)" } : nil
                #expect(told.messages.first { $0.hasPrefix("afcli: not retried") } == expected, "\(told.errors)")
            }
        }
    }

    @Test func `a date of Retry-After is by the clock of the server`() async throws {
        let date = Date.now.addingTimeInterval(3000)
        let busy = LocalServer.Response.status(503).header("Date", HTTPDate(date).description)
            .header("Retry-After", HTTPDate(date.addingTimeInterval(1)).description)
        try await withServer(answers(busy, .ok())) { server in
            let run = await runTool("--retry", "1", "--retry-delay", "1ms", server.url())
            #expect(run.status == 0 && run.errors.contains("retrying in 1.00 s"), "\(run.errors)")
        }
    }

    @Test func `Retry-After is respected, in seconds or as a date`() async throws {
        for isDate in [false, true] {
            // A date has a resolution of seconds.
            let retryAfter = isDate ? HTTPDate(Date.now.addingTimeInterval(2)).description : "1"
            try await withServer(answers(.status(429).header("Retry-After", retryAfter), .ok())) { server in
                let clock = ContinuousClock.now
                let run = await runTool("--retry", "1", "--retry-delay", "1ms", server.url())
                #expect(run.status == 0)
                #expect(ContinuousClock.now - clock > .milliseconds(600))
            }
        }
    }

    @Test(arguments: ["RateLimit", "X-RateLimit-Reset", "RateLimit-Reset"])
    func `the reset of a rate limit is respected, in seconds or as a Unix time`(name: String) async throws {
        for isDate in name == "RateLimit" ? [false] : [false, true] {
            // A Unix time has a resolution of seconds.
            let date = Date(timeIntervalSince1970: (Date.now.timeIntervalSince1970 + 2).rounded(.down))
            let reset =
                name == "RateLimit" ? "\"default\";r=0;t=1" : isDate ? "\(Int(date.timeIntervalSince1970))" : "1"
            try await withServer(answers(.status(429).header(name, reset), .ok())) { server in
                let clock = ContinuousClock.now
                let run = await runTool("--retry", "1", "--retry-delay", "1ms", server.url())
                #expect(run.status == 0)
                if isDate {
                    #expect(Date.now.timeIntervalSince(date) > -0.05)
                } else {
                    #expect(ContinuousClock.now - clock > .milliseconds(950), "\(reset)")
                }
            }
        }
    }

    @Test func `a rate limit with requests left does not delay a retry`() async throws {
        let busy = LocalServer.Response.status(503).header("X-RateLimit-Reset", "3000").header(
            "X-RateLimit-Remaining", "7")
        try await withServer(answers(busy, .ok())) { server in
            #expect(await runTool("--retry", "1", "--retry-delay", "1ms", server.url()).status == 0)
        }
    }

    @Test(arguments: ["--retry-max-time", "--max-time"])
    func `a delay beyond the limit is not started, and the response is shown`(option: String) async throws {
        try await withServer { _ in
            .status(503, "busy").header("Retry-After", "100")
        } _: { server in
            let run = await runTool("--retry", "5", option, "2", server.url())
            #expect(run.status == 5)
            #expect(run.output == "busy")
            let reason = "the requested delay of 1 min 40 s exceeds the limit of 2.00 s (\(option))"
            #expect(run.messages.contains("afcli: not retried: \(reason)"), "\(run.errors)")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: ["--retry-max-time", "--max-time"])
    func `a configured delay beyond the limit is not started either`(option: String) async throws {
        try await withServer { _ in
            .status(503, "busy")
        } _: { server in
            let run = await runTool("--retry", "5", "--retry-delay", "10", option, "2", server.url())
            #expect(run.status == 5)
            #expect(run.output == "busy")
            #expect(run.messages.last == "afcli: not retried: a wait of 10.00 s would end after \(option) (2.00 s)")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [[], ["--retry-delay", "1ms"]])
    func `a delay of hours is not started either, in any form`(words: [String]) async throws {
        let late = HTTPDate(Date.now.addingTimeInterval(7200)).description
        for retryAfter in ["7200", "99999999999999999999", late] {
            try await withServer { _ in
                .status(503, "busy").header("Retry-After", retryAfter)
            } _: { server in
                let run = await runTool(words + ["--retry", "1", server.url()])
                #expect(run.status == 5)
                #expect(run.output == "busy")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test func `delays grow, and differ between clients`() async throws {
        try await withServer { _ in
            .status(503)
        } _: { server in
            var waits: [Double] = []
            for _ in 0..<3 {
                let run = await runTool("--retry", "1", server.url())
                #expect(run.status == 5)
                let words = (run.messages.first ?? "").split(separator: " ")
                let place = try #require(words.firstIndex(of: "in"))
                waits.append((Double(words[place + 1]) ?? 0) * (words[place + 2].hasPrefix("ms") ? 0.001 : 1))
            }
            #expect(waits.allSatisfy { $0 >= 0.5 && $0 <= 1 }, "\(waits)")
            #expect(Set(waits).count > 1)
        }
    }

    @Test func `a refused connection is retried`() async throws {
        let port = try RefusingPort()
        let run = await runTool("--retry", "2", "--retry-delay", "1ms", port.url())
        #expect(run.status == 11)
        #expect(run.messages.count == 4)
        for (line, number) in zip(run.messages, 1...2) {
            #expect(line.hasPrefix("afcli: could not connect to \(port.authority)"))
            #expect(line.hasSuffix("; retrying in 1.00 ms (\(number) of 2)"))
        }
    }

    @Test func `resets and truncated responses are retried if nothing was shown`() async throws {
        try await withServer(answers(.reset, .close, .ok("fine"))) { server in
            let run = await runTool("--retry", "3", "--retry-delay", "1ms", server.url())
            #expect(run.status == 0)
            #expect(run.output == "fine")
        }
        let half = LocalServer.Response.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        try await withServer(answers(half, .ok("fine"))) { server in
            let run = await runTool("--retry", "3", "--retry-delay", "1ms", server.url())
            // Output that was shown cannot be withdrawn.
            #expect(run.status == 13)
            #expect(run.output == "half")
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the list of retry conditions can be changed`() async throws {
        try await withServer(answers(.status(418), .ok("tea"))) { server in
            #expect(await runTool("--retry", "1", "--retry-delay", "1ms", server.url()).status == 4)
        }
        try await withServer(answers(.status(418), .ok("tea"))) { server in
            let run = await runTool("--retry", "1", "--retry-delay", "1ms", "--retry-on", "4xx", server.url())
            #expect(run.output == "tea")
        }
        try await withServer(answers(.reset, .ok())) { server in
            let run = await runTool("--retry", "1", "--retry-delay", "1ms", "--retry-on", "503", server.url())
            #expect(run.status == 13)
        }
    }

    @Test func `a stalled response times out and is retried`() async throws {
        try await withServer(answers(.silence, .ok("fine"))) { server in
            // A busy machine may need more than a second for an immediate response.
            let run = await runTool("--timeout", "1", "--retry", "9", "--retry-delay", "1ms", server.url())
            #expect(run.output == "fine")
            #expect((1...9).contains(run.messages.count))
        }
    }

    @Test func `a download resumes where the last attempt ended`() async throws {
        let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let folder = try ScratchFolder()
        try await withServer { request in
            guard let range = request["Range"], request["If-Range"] == "\"v1\"" else {
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(content.count)\r\n\r\n"
                return .raw(Array(head.utf8) + content.prefix(120_000))
            }
            let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            let head = """
                HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Length: \(content.count - start)\r
                Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n\r\n
                """
            return .raw(Array(head.utf8) + content[start...])
        } _: { server in
            let run = await runTool(
                "--retry", "1", "--retry-delay", "1ms", "-o", folder.file("f"), server.url())
            #expect(run.status == 0, "\(run.errors)")
            #expect(folder.holds(content, in: "f"))
            #expect(server.requests.last?["Range"] == "bytes=54464-")
            #expect(folder.list() == ["f"])
        }
    }

    @Test func `a request that GOAWAY excludes is sent on another connection`() async throws {
        let count = Mutex(0)
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            try isFirst
                ? connection.send(.goAway(after: 0)) : connection.send(.head(200), .body("done", isLast: true))
            try connection.waitForClose()
        }
        let run = await runTool("--http2-prior-knowledge", "post", server.url(), "a=b")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "done")
        #expect(count.withLock(\.self) == 2)
    }

    @Test func `a POST on a refused HTTP 2 stream is retried, and no other`() async throws {
        for (code, isRetried) in [(HTTP2Frame.ErrorCode.refusedStream, true), (.internalError, false)] {
            let count = Mutex(0)
            // libcurl repeats the request once by itself.
            let refusals = isRetried ? 2 : 1
            let server = try LocalServer.scripted { connection in
                try connection.acceptHTTP2()
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number <= refusals {
                    try connection.send(.reset(code))
                } else {
                    try connection.send(.head(200), .body("done", isLast: true))
                }
                try connection.waitForClose()
            }
            let words = ["--http2-prior-knowledge", "post", server.url(), "a=b"]
            let run = await runTool(["--retry", "2", "--retry-delay", "1ms"] + words)
            #expect(run.status == (isRetried ? 0 : 13), "\(run.errors)")
            #expect(run.output == (isRetried ? "done" : ""))
            #expect(count.withLock(\.self) == (isRetried ? 3 : 1))
            guard isRetried else { continue }
            count.withLock { $0 = 0 }
            let single = await runTool(words)
            #expect(single.status == 13)
            #expect(single.errors.contains("without processing the request (REFUSED_STREAM)"), "\(single.errors)")
            #expect(single.messages.last == "  use --retry 3 to retry")
        }
    }
}
