import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// The table of exit statuses, row by row; 16, 130, 141 and 143 have tests of their own beside the spawned program.
@Suite(.timeLimit(.minutes(5))) struct ExitStatusTests {
    @Test(arguments: [
        (200, 0), (204, 0), (206, 0), (304, 0), (300, 3), (302, 3), (400, 4), (404, 4), (499, 4), (500, 5), (599, 5),
        (999, 5),
    ])
    func `the status of the response decides`(status: Int, code: Int32) async throws {
        try await withServer { _ in
            .status(status)
        } _: { server in
            #expect(await runTool(server.url()).status == code)
            #expect(await runTool("--no-check-status", server.url()).status == 0)
        }
    }

    @Test func `a redirect that is not followed has a hint`() async throws {
        try await withServer { _ in
            .redirect(to: "/x")
        } _: { server in
            let warning = "afcli: the server responded with 302 Found; --follow follows it\n"
            #expect(await runTool(server.url()).errors.hasPrefix(warning))
            #expect(await runTool(server.url(), in: .terminal()).errors == warning)
            #expect(await runTool("--no-check-status", server.url()).errors.isEmpty)
        }
    }

    // The compiler infers the type too slowly.
    static let hints: [(words: [String], response: String, hint: String?)] = [
        (["get"], "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "--retry 3 with --output FILE"),
        (
            ["get", "--retry", "1", "--retry-delay", "1ms"], "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
            "  --output FILE repeats the transfer"
        ),
        (
            ["get", "--retry", "1", "--retry-delay", "1ms"],
            "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: 9\r\n\r\nhalf",
            "  --output FILE resumes the transfer"
        ),
        (["get"], "", "use --retry 3 to retry"), (["post", "--raw", "x"], "", "--retry 3 --retry-unsafe"),
        (["get", "--retry", "1", "--retry-delay", "1ms"], "", nil),
        (["post", "--raw", "x", "--retry", "9"], "", "--retry 9 --retry-unsafe"),
        (["get", "--http2-prior-knowledge"], "", "HTTP/2"),
    ]

    @Test(arguments: hints)
    func `a hint does not repeat the typed command`(words: [String], response: String, hint: String?) async throws {
        try await withServer { _ in
            .raw(response)
        } _: { server in
            let run = await runTool(words + [server.url()])
            #expect(run.status == 13)
            let last = run.messages.last ?? ""
            // Without a response, a port that ends in 443 suggests https.
            let suggestsTLS = response.isEmpty && server.port % 1000 == 443
            let expected = suggestsTLS ? "https://" : hint
            #expect(expected.map(last.contains) ?? last.hasPrefix("afcli: error: "), "\(run.errors)")
        }
    }

    @Test func `https to a port without TLS suggests the other scheme`() async throws {
        try await withScriptedServer { connection in
            try connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            try connection.waitForClose()
        } _: { server in
            let run = await runTool("https://\(server.authority)/")
            #expect(run.status == 12)
            #expect(run.messages.last?.contains("or use http://") == true, "\(run.errors)")
        }
    }

    @Test func `expected statuses decide instead of the status class`() async throws {
        try await withServer {
            .status(Int($0.path.dropFirst()) ?? 200)
        } _: { server in
            #expect(await runTool("--expect-status", "404", server.url("/404")).status == 0)
            #expect(await runTool("--expect-status", "200-299,304", server.url("/304")).status == 0)
            let run = await runTool("--expect-status", "200-299,304", server.url("/500"))
            #expect(run.status == 14)
            #expect(run.messages.first == "afcli: error: expected a status of 200-299,304, got 500")
        }
    }

    @Test func `an unexpected media type fails, and the body is printed`() async throws {
        try await withServer {
            $0.path == "/none" ? .bytes([65]) : .json("{}")
        } _: { server in
            #expect(await runTool("--expect-type", "application/*", server.url()).status == 0)
            let run = await runTool("--expect-type", "text/html,image/*", server.url())
            #expect(run.status == 14)
            #expect(run.output == "{}")
            #expect(
                run.messages.first
                    == "afcli: error: expected the media type 'text/html' or 'image/*', got 'application/json'")
            #expect(await runTool("--expect-type", "image/*", server.url("/none")).status == 14)
        }
    }

    @Test func `2 is the status of every timeout`() async throws {
        let unanswering = try UnresponsivePort()
        try await withServer {
            $0.path == "/slow" ? .silence : .ok()
        } _: { server in
            let slow = server.url("/slow")
            for (words, sentence, hint) in [
                (
                    ["--timeout", "0.3", slow], "the transfer with \(server.authority) made no progress for 300 ms",
                    "--timeout"
                ),
                (["--max-time", "0.3", slow], "the request took longer than 300 ms", "--max-time"),
                (
                    ["--connect-timeout", "0.3", unanswering.url()],
                    "connecting to \(unanswering.authority) took longer than 300 ms", "--connect-timeout"
                ),
            ] {
                let run = await runTool(words)
                #expect(run.status == 2)
                #expect(run.errors == "afcli: error: \(sentence)\n  increase \(hint)\n")
            }
        }
    }

    @Test func `a stalled body is a timeout, too`() async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
            try connection.waitForClose()
        } _: { server in
            // On a busy machine nothing may arrive in a short time.
            var run = await runTool("--timeout", "0.3", server.url())
            for limit in ["3", "30"] where run.output.isEmpty { run = await runTool("--timeout", limit, server.url()) }
            #expect(run.status == 2)
            #expect(run.output == "half")
        }
    }

    @Test func `the total limit covers attempts and redirects`() async throws {
        try await withServer { _ in
            .status(503)
        } _: { server in
            let run = await runTool("--max-time", "0.5", "--retry", "1000", "--retry-delay", "0.2", server.url())
            // Usually the response whose retry would be too late; on a busy machine a request may be active.
            #expect([2, 5].contains(run.status))
            #expect(server.requests.count <= 3)
        }
    }

    @Test func `10 and 11 are the statuses of unreachable hosts`() async throws {
        let unresolved = await runTool("http://nowhere.invalid/x")
        #expect(unresolved.status == 10)
        #expect(
            unresolved.errors == """
                afcli: error: could not resolve host 'nowhere.invalid'
                  check the spelling of the host

                """
        )
        let international = await runTool("http://bücher.invalid/x")
        #expect(international.messages.first == "afcli: error: could not resolve host 'bücher.invalid'")
        let scheme = await runTool("http//nowhere.invalid/x")
        #expect(scheme.messages == ["afcli: error: could not resolve host 'http'", "  a URL begins with http://"])
        let port = try RefusingPort()
        let refused = await runTool(port.url())
        #expect(refused.status == 11)
        #expect(refused.messages.first?.hasPrefix("afcli: error: could not connect to \(port.authority)") == true)
        #expect(refused.messages.last == "  check host and port, and that a server is listening")
    }

    @Test(arguments: ["--interface", "--unix-socket", "--proxy"])
    func `an unusable interface, socket or proxy has a hint to check its option`(option: String) async throws {
        let port = try RefusingPort()
        let way = option == "--proxy" ? port.authority : "/nonexistent"
        let run = await runTool(option, way, port.url())
        #expect(run.status == 11)
        #expect(run.messages.last?.contains("check \(option)") == true, "\(run.errors)")
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "ended early"),
        ("HTTP/1.1 401 No\r\nContent-Length: 10\r\n\r\nhalf", "the 401 response of "),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "ended early"),
        ("", "closed the connection without a response"),
        ("HTTP/1.1 200 OK\r\nX-A: 1\r\n", "closed"),
        ("no HTTP at all\r\n\r\n", "does not speak HTTP on this port"),
        ("SSH-2.0-x\r\n", "does not speak HTTP on this port"),
        ("\u{15}\u{3}\u{3}\0\u{2}\u{2}F", "uses TLS on this port"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "sent a malformed chunked body: "),
        ("HTTP/1.1 2x0 OK\r\n\r\n", "sent a malformed response: "),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhalf", ""),
    ])
    func `13 is the status of a broken transfer`(response: String, words: String) async throws {
        try await withServer { _ in
            .raw(response)
        } _: { server in
            let run = await runTool(server.url())
            #expect(run.status == 13, "\(run.errors)")
            #expect(run.messages.count == 2, "\(run.errors)")
            #expect(run.messages.first?.contains(words) == true || words.isEmpty, "\(run.errors)")
        }
    }

    @Test func `a redirect is explained even if its header is shown`() async throws {
        try await withServer { _ in
            .redirect(to: "/x")
        } _: { server in
            for words in [["-h"], ["-v"], ["-p", "hb"], []] {
                let run = await runTool(words + [server.url()])
                #expect(run.status == 3)
                #expect(
                    run.errors.contains("afcli: the server responded with 302 "), "\(words) \(run.errors)")
            }
            #expect(await runTool("-qq", "-h", server.url()).errors.isEmpty)
        }
    }

    @Test func `a request header beyond libcurl's limit is not reported as the server's error`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write(String(repeating: "x", count: 300_000), to: "value")
        let long = try folder.write(String(repeating: "x", count: 310_000), to: "long")
        try await withServer { _ in
            .ok()
        } _: { server in
            let one = await runTool(server.url(), "X-A:@\(long)")
            #expect(one.status == 64)
            #expect(one.errors.contains("the header 'X-A' is longer than the 300 KiB"), "\(one.errors)")
            #expect(await runTool(server.url(), "X-A:@\(file)").status == 0)
            let run = await runTool(server.url(), "X-A:@\(file)", "X-B:@\(file)", "X-C:@\(file)", "X-D:@\(file)")
            #expect(run.status == 64)
            #expect(
                run.messages.first?.contains("the request header is longer than the 1 MiB") == true, "\(run.errors)")
        }
    }

    @Test func `exceeded limits of responses are errors with their option`() async throws {
        try await withServer { request in
            switch request.path {
            case "/lines": (0..<50).reduce(.ok()) { response, _ in response.header("X-A", "1") }
            case "/head": .ok().header("X-A", String(repeating: "a", count: 5000))
            default: .bytes([UInt8](repeating: 1, count: 5000))
            }
        } _: { server in
            for (words, hint) in [
                (["--max-headers", "20", server.url("/lines")], "--max-headers"),
                (["--max-head-size", "2k", server.url("/head")], "--max-head-size"),
                (["--max-filesize", "1k", server.url("/body")], "--max-filesize"),
            ] {
                let run = await runTool(words)
                #expect(run.status == 13)
                #expect(run.messages.last?.contains(hint) == true, "\(run.errors)")
            }
            #expect(await runTool("--max-headers", "0", server.url("/lines")).status == 0)
        }
    }
}
