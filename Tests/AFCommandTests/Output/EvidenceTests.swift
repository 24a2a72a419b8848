import TestSupport
import Testing

@testable import AFCommand
@testable import AFHTTP

/// The response of a failure, and masked headers.
@Suite(.timeLimit(.minutes(2))) struct EvidenceTests {
    private let responder: LocalServer.Responder = { request in
        let status = Int(request.path.dropFirst()) ?? 200
        return .status(status, #"{"id":7,"token":"t0p"}"#).header("X-Request-Id", "r1")
            .header("Location", "/x?access_token=t0p").header("Set-Cookie", "s=t0p").header("Retry-After", "3")
    }

    private static let lines = [
        "  | Content-Type: text/plain", "  | X-Request-Id: r1", "  | Location: /x?access_token=•••",
        "  | Retry-After: 3",
    ]

    @Test(arguments: [
        (["-q", "/404"], "HTTP/1.1 404 Not Found", true),
        (["-q", "/200", "--expect-json", "id==8"], "HTTP/1.1 200 OK", true),
        (["/200", "--expect-json", "id==8"], "HTTP/1.1 200 OK", false), (["-q", "/302"], "HTTP/1.1 302 Found", true),
        (["/200", "--filter", "x"], "HTTP/1.1 200 OK", true),
        (["-q", "/200", "--fail-if", "id==7"], "HTTP/1.1 200 OK", true),
        (["/200", "--expect-header", "absent X-Request-Id"], "HTTP/1.1 200 OK", false),
    ])
    func `a failure shows the parts of the response that were not shown`(words: [String], start: String, hasBody: Bool)
        async throws
    {
        try await withServer(responder) { server in
            let run = await runTool(words.map { $0.hasPrefix("/") ? server.url($0) : $0 })
            #expect(run.status != 0)
            let index = try #require(run.messages.firstIndex(of: "afcli: the response:"), "\(run.errors)")
            let shown = Array(run.messages[(index + 1)...])
            let body = hasBody ? ["  | ", #"  | {"id":7,"token":"•••"}"#] : []
            #expect(shown.starts(with: ["  | \(start)"] + Self.lines + body), "\(run.errors)")
            #expect(!run.errors.contains("t0p"))
        }
    }

    @Test(arguments: [
        ["/200"], ["/404", "-p", "hb"], ["-qq", "/404"], ["/404", "--no-check-status", "-q"],
    ])
    func `nothing is shown twice, or without a failure`(words: [String]) async throws {
        try await withServer(responder) { server in
            let run = await runTool(words.map { $0.hasPrefix("/") ? server.url($0) : $0 })
            #expect(!run.errors.contains("the response:"), "\(run.errors)")
        }
    }

    @Test func `a body that is not text is not shown, and a long one in part`() async throws {
        try await withServer { request in
            request.path == "/binary"
                ? .status(500).header("Content-Type", "image/png")
                : .status(500, String(repeating: "abc ", count: 1000))
        } _: { server in
            let long = await runTool("-q", server.url())
            #expect(long.messages.last?.count == 4 + 500)
            let binary = await runTool("-q", server.url("/binary"))
            #expect(binary.messages.last == "  | Content-Type: image/png")
        }
    }

    @Test func `a JUnit report has the response of a failure`() async throws {
        try await withServer(responder) { server in
            for words in [["--expect-json", "id==8", server.url()], [server.url("/500")]] {
                let run = await runTool(["-q", "--report", "junit:-"] + words)
                #expect(run.output.contains("<system-out>HTTP/1.1 "))
                #expect(run.output.count { $0 == "\u{2022}" } >= 6)
                #expect(run.output.contains("X-Request-Id: r1&#10;"))
                #expect(run.output.contains("{&quot;id&quot;:7,"))
                #expect(!run.output.contains("t0p"))
                let failure = try #require(run.output.firstRange(of: "<failure "))
                #expect(run.output[failure.upperBound...].contains(">HTTP/1.1 "))
            }
            let good = await runTool("-q", "--report", "junit:-", server.url())
            #expect(!good.output.contains("system-out"))
        }
    }

    @Test(arguments: [["-v"], ["--offline"]])
    func `secrets of headers are masked outside of a terminal, with one note`(words: [String]) async throws {
        try await withServer(responder) { server in
            let all = words + ["-I", server.url(), "X-Api-Key:k3y", "Cookie:a=k3y", "access_token==k3y", "a==b"]
            let masked = await runTool(all)
            #expect(!masked.output.contains("k3y"))
            #expect(masked.output.contains("/?access_token=•••&a=b HTTP/1.1\r\n"), "\(masked.output)")
            #expect(masked.output.contains("X-Api-Key: •••\r\n"))
            #expect(masked.output.contains("Cookie: a=•••\r\n"))
            let note = "afcli: secrets of the headers are masked; --show-secrets shows them"
            #expect(masked.messages.count { $0 == note } == 1)
            let shown = await runTool(all + ["--show-secrets"])
            #expect(shown.output.contains("X-Api-Key: k3y\r\n"))
            #expect(!shown.messages.contains(note))
            let terminal = await runTool(all + ["--pretty=none"], in: .terminal())
            #expect(terminal.output.contains("k3y"))
        }
    }

    @Test func `headers that are asked for, and bodies, are not masked`() async throws {
        try await withServer(responder) { server in
            #expect(await runTool("-h", server.url()).output.contains("Set-Cookie: s=t0p"))
            #expect(await runTool("-p", "B", "--offline", server.url(), "token=t0p").output == #"{"token": "t0p"}"#)
            #expect(await runTool("-v", server.url(), "token=t0p").output.contains(#"{"token": "t0p"}"#))
        }
    }

    @Test(arguments: [
        ("GET /a?token=x HTTP/1.1\r\nA: b\r\n\r\n", "GET /a?token=••• HTTP/1.1\r\nA: b\r\n\r\n"),
        (
            "HTTP/1.1 200 OK\r\nAuthorization: Basic x\r\n y\r\nB: c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nAuthorization: Basic •••\r\n\r\nB: c\r\n\r\n"
        ),
        ("GET / HTTP/1.1\nX-Token:x\n\n", "GET / HTTP/1.1\nX-Token: •••\n\n"), ("GET / HTTP/1.1\r\nA: b\r\n\r\n", nil),
        ("", nil),
        ("\u{FFFD} x y", nil),
    ])
    func `a header is masked line by line`(head: String, masked: String?) {
        let found = Redaction(revealsSecrets: false).maskedHead(Array(head.utf8))
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == masked)
    }
}
