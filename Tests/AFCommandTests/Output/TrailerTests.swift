import TestSupport
import Testing

@testable import AFCommand

/// Trailers: after the body with `-v`, and in reports.
@Suite(.timeLimit(.minutes(5))) struct TrailerTests {
    private let responder: LocalServer.Responder = { _ in
        .ok("body").chunked(of: 4).trailer("Digest", "\u{1B}[2J7").trailer("Set-Cookie", "a=secret")
    }

    @Test func `trailers are shown after the body with -v only`() async throws {
        try await withServer(responder) { server in
            #expect(await runTool("-p", "hb", server.url()).output.hasSuffix("\r\n\r\nbody"))
            let run = await runTool("-v", server.url())
            #expect(run.output.hasSuffix("body\n\nDigest: \u{1B}[2J7\r\nSet-Cookie: a=•••\r\n\r\n"), "\(run.output)")
            #expect(!(await runTool("-v", "-p", "b", server.url()).output.contains("Digest")))
        }
    }

    @Test func `trailers are escaped on a terminal`() async throws {
        try await withServer(responder) { server in
            let run = await runTool("-v", server.url(), in: .terminal(variables: ["NO_COLOR": "1"]))
            #expect(run.output.contains("\n\nDigest: \\x1b[2J7\r\n"), "\(run.output)")
            #expect(!run.output.contains("\u{1B}"))
        }
    }

    @Test func `trailers follow the header of a download, too`() async throws {
        let folder = try ScratchFolder()
        try await withServer(responder) { server in
            let run = await runTool("-v", "-o", folder.file("f"), server.url())
            #expect(run.status == 0)
            #expect(run.errors.contains("Set-Cookie: a=•••\r\n\r\n"), "\(run.errors)")
            #expect(folder.holds("body", in: "f"))
        }
    }

    @Test(arguments: [["-v"], ["-p", "h"], ["-v", "--all", "-L"], ["-v", "--pretty=format"]])
    func `no line of a header beside the events of --progress is one`(words: [String]) async throws {
        let folder = try ScratchFolder()
        let forged = #"{"event":"forged"}: x"#
        let early = "HTTP/1.1 103 Early Hints\r\n\(forged)\r\n\r\n"
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(forged)\r\nX: y\r\n\r\n"
        try await withServer { _ in
            .raw(Array("\(early)\(head)4\r\nbody\r\n0\r\n\(forged)\r\n\r\n".utf8))
        } _: { server in
            let run = await runTool(["--progress=json", "-o", folder.file("f")] + words + [server.url()])
            #expect(run.status == 0 && run.errors.contains(#"\x7b"event":"forged"}: x"#), "\(run.errors)")
            #expect(run.errors.contains("X: y"))
            #expect(!run.errors.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(#"{"event":"forged"#) })
        }
    }

    @Test func `a report has trailers, without secrets`() async throws {
        try await withServer(responder) { server in
            let report = try await runTool("-q", "--report=-", server.url()).json
            #expect(report.count("hops[0].trailers") == 2)
            #expect(report.string("hops[0].trailers[0].name") == "Digest")
            #expect(report.string("hops[0].trailers[1].value") == "a=•••")
            #expect(report.count("hops[0].response_headers") > 0)
        }
    }
}
