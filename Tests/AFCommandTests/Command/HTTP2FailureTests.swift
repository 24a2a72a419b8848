import TestSupport
import Testing

@testable import AFCommand

/// The messages about failures of HTTP/2, and of connections that may use it.
@Suite(.timeLimit(.minutes(5))) struct HTTP2FailureTests {
    private static let versionHint = "check that the server supports HTTP/2 on this port"

    @Test(arguments: [(true, "use --retry 3 to retry"), (false, versionHint)])
    func `only a server that has sent no HTTP 2 may not support it`(isProven: Bool, hint: String) async throws {
        let server = try LocalServer.scripted { connection in
            if isProven { try connection.acceptHTTP2() } else { _ = try connection.receive(atMost: 10) }
        }
        let run = await runTool("--http2-prior-knowledge", server.url())
        #expect(run.status == 13)
        #expect(
            run.messages == [
                "afcli: error: \(server.authority) closed the connection without a response", "  \(hint)",
            ])
    }

    @Test func `a response of HTTP 1 to HTTP 2 is explained`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool("--http2-prior-knowledge", server.url())
            #expect(run.status == 13)
            #expect(run.messages.last == "  \(Self.versionHint)", "\(run.errors)")
        }
    }

    @Test func `a truncated response over HTTP 2 is no question of the version`() async throws {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.send(.head(200), .body("half"))
        }
        let run = await runTool("--http2-prior-knowledge", server.url())
        #expect(run.status == 13)
        #expect(run.errors.contains("ended early"))
        #expect(!run.errors.contains(Self.versionHint), "\(run.errors)")
    }

    @Test(arguments: ["get", "head"])
    func `a port of HTTP 2 alone is named`(method: String) async throws {
        try await withScriptedServer { connection in
            _ = try connection.receive(atMost: 1000)
            // SETTINGS, WINDOW_UPDATE and GOAWAY, as nginx sends them.
            try connection.send(
                [0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128, 0, 4, 0, 1, 0, 0, 0, 5, 0, 255, 255, 255]
                    + [0, 0, 4, 8, 0, 0, 0, 0, 0, 127, 255, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        } _: { (server) async throws in
            let run = await runTool(method, server.url())
            #expect(run.status == 13)
            guard method == "get" else { return }
            #expect(
                run.messages == [
                    "afcli: error: \(server.authority) speaks only HTTP/2 on this port",
                    "  use --http2-prior-knowledge",
                ])
        }
    }

    @Test(arguments: [
        (
            4, 34_000, "the response head is longer than the 128 KiB that libcurl takes over HTTP/2",
            "--http1.1 allows a longer one"
        ),
        (
            5, 34_000, "the response head is longer than the 128 KiB that libcurl takes over HTTP/2",
            "--http1.1 allows a longer one"
        ),
        (
            1, 70_000,
            "AUTHORITY sent a malformed response: a field of its head is longer than the 64 KiB that HTTP/2 takes here, "
                + "or is coded wrongly",
            "--http1.1 may show the response"
        ),
    ])
    func `a head that is too large for HTTP 2 is named`(count: Int, length: Int, problem: String, hint: String)
        async throws
    {
        let server = try LocalServer.scripted { connection in
            try connection.acceptHTTP2()
            try connection.send(HTTP2Frame.longHead(200, count: count, length: length))
            try connection.waitForClose()
        }
        let run = await runTool("--http2-prior-knowledge", "--max-head-size", "0", server.url())
        #expect(run.status == 13)
        #expect(
            run.messages == [
                "afcli: error: \(problem.replacing("AUTHORITY", with: server.authority))", "  \(hint)",
            ])
    }
}
