import Synchronization
import TestSupport
import Testing

@testable import AFCommand

/// The output of messages before the final ones.
@Suite(.timeLimit(.minutes(5))) struct EarlierHopTests {
    /// Two redirects with a body each, then the final response.
    private func answer(_ request: RecordedRequest) -> LocalServer.Response {
        switch request.path {
        case "/": .status(302, "first").header("Location", "/b").header("Content-Type", "text/plain")
        case "/b": .status(303, #"{"second":2}"#).header("Location", "/c").header("Content-Type", "application/json")
        default: .ok("the end")
        }
    }

    private func shown(
        _ words: String...,
        from server: LocalServer,
        in world: ToolWorld = ToolWorld()
    ) async -> String {
        await runTool(["-L"] + words + [server.url()], in: world).output
    }

    @Test func `--all shows the bodies of redirects with the letters of the last message`() async throws {
        try await withServer(answer) { server in
            #expect(await shown("--all", "-b", from: server) == "first\n\n{\"second\":2}\n\nthe end")
            #expect(await shown("-b", from: server) == "the end")
            let heads = await shown("--all", "-h", from: server)
            #expect(heads.ranges(of: "HTTP/1.1 ").count == 3)
            #expect(!heads.contains("first"))
        }
    }

    @Test func `the header of a redirect is shown as sent, however it arrives`() async throws {
        let redirect = "HTTP/1.1 302 F\r\nContent-Length: 0\r\nConnection: close\r\nLocation: /2\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
        try await withScriptedServer { connection in
            let isFirst = try connection.readHead()?.path == "/"
            try connection.sendSlowly(isFirst ? redirect : final + "ok")
        } _: { server in
            #expect(await shown("--all", "-P", "h", "-p", "hb", from: server) == redirect + final + "ok")
        }
    }

    @Test func `bodies of redirects are formatted by their own media types`() async throws {
        try await withServer(answer) { server in
            let text = await shown("--all", "-b", "--color=never", from: server, in: .terminal())
            #expect(text == "first\n\n{\n    \"second\": 2\n}\n\nthe end\n\n")
        }
    }

    @Test(arguments: [
        ("Hh", "b", ["GET / ", " 302 ", "GET /b ", " 303 ", "the end"]), ("", "h", [" 200 "]),
        ("b", "H", ["first", "second", "GET /c "]), ("h", "HhB", [" 302 ", " 303 ", "GET /c ", " 200 "]),
        ("HB", "HB", ["GET / ", "GET /b ", "GET /c "]),
    ])
    func `--history-print selects parts of earlier hops`(history: String, last: String, expected: [String]) async throws
    {
        try await withServer(answer) { server in
            let text = await shown("--all", "-P", history, "-p", last, from: server)
            let all = ["GET / ", " 302 ", "first", "GET /b ", " 303 ", "second", "GET /c ", " 200 ", "the end"]
            #expect(all.filter(text.contains) == expected, "\(text)")
            #expect(await shown("--all", "--history-print", history, "-p", last, from: server) == text)
            #expect(await shown("-P", history, "-p", "b", from: server) == "the end")
        }
    }

    @Test func `the first round of digest authentication has the letters of hops`() async throws {
        try await withServer { request in
            request["Authorization"] != nil
                ? .ok("in") : .status(401).header("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
        } _: { server in
            let run = await runTool("--all", "-P", "h", "-p", "Hb", "-A", "digest", "-a", "a:b", server.url())
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(lines == ["HTTP/1.1 401 Unauthorized", "GET / HTTP/1.1"])
            #expect(run.output.hasSuffix("\r\n\r\nin"))
        }
    }

    @Test func `a response replaced by another attempt is shown with its body`() async throws {
        let count = Mutex(0)
        try await withServer { _ in
            count.withLock {
                $0 += 1
                return $0 == 1 ? .status(503, "not yet") : .ok("now")
            }
        } _: { server in
            let words = ["--retry", "1", "--retry-delay", "1ms", server.url()]
            let run = await runTool(["--all", "-p", "hb"] + words)
            let text = run.output.replacing(#/(?m)^[A-Z][A-Za-z-]+: .*\r\n/#, with: "")
            #expect(
                text == "HTTP/1.1 503 Service Unavailable\r\n\r\nnot yet\n\nHTTP/1.1 200 OK\r\n\r\nnow", "\(text)")
        }
    }

    @Test func `interim responses follow their request even if it is buffered`() async throws {
        try await withServer { _ in
            .raw("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } _: { server in
            let run = await runTool("--all", "-P", "h", "-p", "Hhb", server.url())
            let lines = run.output.split(separator: "\r\n").filter { $0.hasPrefix("GET") || $0.hasPrefix("HTTP") }
            #expect(lines == ["GET / HTTP/1.1", "HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK"])
        }
    }

    @Test func `-q shows hops only if their parts were typed`() async throws {
        try await withServer(answer) { server in
            #expect(await shown("-q", "--all", from: server).isEmpty)
            #expect(!(await shown("-q", "--all", "-P", "Hhb", from: server).isEmpty))
        }
    }

    @Test func `a hop's body is escaped on a terminal`() async throws {
        try await withServer { request in
            request.path == "/" ? .status(302, "\u{1B}[2J\u{9B}").header("Location", "/x") : .ok("")
        } _: { server in
            let text = await shown("-v", "--color=never", from: server, in: .terminal())
            #expect(text.contains("\\x1b[2J"))
            #expect(!text.holdsTerminalControls)
        }
    }
}
