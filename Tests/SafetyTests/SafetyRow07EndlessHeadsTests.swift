import TestSupport
import Testing

@Suite("Safety 7: endless heads", .timeLimit(.minutes(5)))
struct SafetyRow07EndlessHeadsTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Sends a text repeatedly, as long as the client reads.
    private nonisolated(nonsending) func withEndless(
        _ beginning: String,
        _ more: @escaping @Sendable (Int) -> String,
        _ test: (LocalServer) async throws -> Void
    ) async throws {
        try await withScriptedServer { connection in
            _ = try connection.readRequest()
            try connection.send(beginning)
            for number in 0..<1_000_000 { try connection.send(more(number)) }
        } _: { server in
            try await test(server)
        }
    }

    @Test func `the size of a header is limited`() async throws {
        let filler = String(repeating: "x", count: 8000)
        try await withEndless("HTTP/1.1 200 OK\r\n", { "X-\($0): \(filler)\r\n" }) { server in
            let run = try await folder.afcli(server.url())
            #expect(run.status == 13)
            #expect(run.errorText.contains("the response header is larger than 262144 bytes"), "\(run.errorText)")
            #expect(run.errorText.contains("--max-head-size"))
            #expect(run.peakMemory < 100 << 20)
        }
    }

    @Test func `the number of header lines is limited`() async throws {
        try await withEndless("HTTP/1.1 200 OK\r\n", { "X-\($0): x\r\n" }) { server in
            let run = try await folder.afcli(server.url())
            #expect(run.status == 13)
            #expect(run.errorText.contains("the response header has more than 1000 lines"), "\(run.errorText)")
            #expect(run.errorText.contains("--max-headers"))
        }
    }

    @Test func `the number of header lines is limited if its option is disabled, too`() async throws {
        let lifted = ["--max-headers", "0", "--max-head-size", "0", "--max-interim", "0"]
        let reason = "the headers of the response have more than 5000 lines together"
        for beginning in ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"] {
            try await withEndless(beginning, { "X-\($0): x\r\n" }) { server in
                let run = try await folder.afcli(lifted + [server.url()])
                #expect(run.status == 13)
                #expect(run.errorText.contains(reason), "\(run.errorText)")
            }
        }
        try await withEndless("", { "HTTP/1.1 103 Early Hints\r\nX: \($0)\r\n\r\n" }) { server in
            let run = try await folder.afcli(lifted + [server.url()])
            #expect(run.status == 13)
            #expect(run.errorText.contains(reason), "\(run.errorText)")
        }
    }

    @Test func `an endless header line is an error, in constant memory`() async throws {
        try await withEndless("HTTP/1.1 200 ", { _ in String(repeating: "x", count: 8000) }) { server in
            let run = try await folder.afcli(server.url())
            #expect(run.status == 13, "\(run.errorText)")
            #expect(run.peakMemory < 100 << 20)
        }
        try await withEndless("HTTP/1.1 200 OK\r\nX: ", { _ in String(repeating: "x", count: 8000) }) { server in
            let run = try await folder.afcli(["--max-head-size", "0", server.url()])
            #expect(run.status == 13, "\(run.errorText)")
            #expect(run.peakMemory < 100 << 20)
        }
    }

    @Test func `the number of interim responses is limited`() async throws {
        try await withEndless("", { "HTTP/1.1 103 Early Hints\r\nX: \($0)\r\n\r\n" }) { server in
            let run = try await folder.afcli(server.url())
            #expect(run.status == 13)
            #expect(run.errorText.contains("more than 20 interim responses"), "\(run.errorText)")
        }
    }

    @Test func `endless trailers are an error, in constant memory`() async throws {
        let beginning = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
        try await withEndless(beginning, { "X-\($0): x\r\n" }) { server in
            let run = try await folder.afcli("-b", server.url())
            #expect(run.status == 13, "\(run.errorText)")
            #expect(run.peakMemory < 100 << 20)
        }
    }

    @Test func `the number of redirects is limited`() async throws {
        try await withServer { request in
            .redirect(to: "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
        } _: { server in
            let run = try await folder.afcli("-L", server.url("/0"))
            #expect(run.status == 6)
            #expect(run.errorText.contains("the redirect limit of 30 is exceeded"), "\(run.errorText)")
            #expect(run.errorText.contains("--max-redirects"))
            #expect(server.requests.count == 31)
        }
    }

    @Test func `the number of cookies is limited`() async throws {
        try await withServer { request in
            if request.path == "/ask" { return .ok(request["Cookie"] ?? "") }
            let round = (Int(request.path.dropFirst()) ?? 0) + 1
            var response = LocalServer.Response.redirect(to: round < 20 ? "/\(round)" : "/ask")
            for number in 0..<500 { response = response.header("Set-Cookie", "c\(round)x\(number)=\(number); Path=/") }
            return response
        } _: { server in
            let run = try await folder.afcli("-b", "-L", "--session", "./s.json", server.url("/0"))
            #expect(run.status == 0, "\(run.errorText)")
            #expect(run.output.count < 16 << 10)
            #expect(run.text.split(separator: ";").count == 180)
            #expect(try folder.size(of: "s.json") < 1 << 20)
        }
    }

    @Test func `a server that fills a session removes no cookies of others`() async throws {
        let others = (0..<17).flatMap { domain in (0..<170).map { (domain, $0) } }
        let cookies = others.map { #"{"name": "n\#($1)", "value": "1", "domain": "d\#($0).test", "path": "/"}"# }
        try folder.write(#"{"cookies": [\#(cookies.joined(separator: ","))]}"#, to: "s.json", permissions: 0o600)
        try await withServer { request in
            (0..<400).reduce(LocalServer.Response.ok("x")) {
                $0.header("Set-Cookie", "\(request.path.dropFirst())\($1)=1; Path=/")
            }
        } _: { server in
            for round in 0..<3 {
                #expect(try await folder.afcli("-b", "--session", "./s.json", server.url("/r\(round)")).status == 0)
            }
            let names = try folder.text(of: "s.json").matches(of: /"name": "([^"]*)"/).map { String($0.output.1) }
            #expect(names.count == 3000)
            #expect(names.filter { $0.hasPrefix("n") }.count == 17 * 170)
            #expect(names.contains("r2399"))
        }
    }

    @Test func `the limits of headers can be raised and disabled`() async throws {
        try await withServer { _ in
            var response = LocalServer.Response.ok("x")
            for number in 0..<1500 { response = response.header("X-\(number)", String(repeating: "x", count: 175)) }
            return response
        } _: { (server) async throws in
            #expect(try await folder.afcli("-b", server.url()).status == 13)
            #expect(try await folder.afcli("-b", "--max-headers", "2000", server.url()).status == 13)
            let lifted = ["-b", "--max-headers", "2000", "--max-head-size", "1M", server.url()]
            #expect(try await folder.afcli(lifted).text == "x")
            #expect(
                try await folder.afcli("-b", "--max-headers", "0", "--max-head-size", "0", server.url()).text == "x")
        }
    }
}
