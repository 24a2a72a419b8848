import TestSupport
import Testing

@testable import AFCommand

/// `-q` with output that was requested by name, and `--no-notes`.
@Suite(.timeLimit(.minutes(5))) struct QuietOutputTests {
    private func answer(_ request: RecordedRequest) -> LocalServer.Response { .json(#"{"id": 7}"#) }

    @Test(arguments: [
        (["-p", "b"], #"{"id": 7}"#), (["-b"], #"{"id": 7}"#), (["--filter", "id"], "7\n"),
        (["-o", "-"], #"{"id": 7}"#),
        (["--filter-text", "/[0-9]/"], "7\n"), (["-w", "%{http_code}"], "200"), ([], ""), (["-v"], ""),
    ])
    func `-q shows the output that was requested by name`(words: [String], output: String) async throws {
        try await withServer(answer) { server in
            for quiet in ["-q", "-qq"] {
                let run = await runTool([quiet, server.url()] + words)
                #expect(run.output == output, "\(quiet) \(words)")
                #expect(run.errors.isEmpty, "\(run.errors)")
            }
        }
    }

    @Test func `-q shows a requested header and metrics`() async throws {
        try await withServer(answer) { server in
            #expect(await runTool("-q", "-h", server.url()).output.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(await runTool("-q", "--meta", server.url()).output.contains("Elapsed time"))
            let saved = try ScratchFolder()
            let run = await runTool("-q", "-h", "-o", saved.file("f"), server.url())
            #expect(run.errors.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(!run.errors.contains("saved to"))
        }
    }

    @Test func `a typed -q precedes configured output`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(#"{"default_options": ["--print=hb", "--filter=id"]}"#, to: "config.json")
        try await withServer(answer) { server in
            #expect(await runTool("--config", path, server.url()).output.contains("7"))
            #expect(await runTool("--config", path, "-q", server.url()).output.isEmpty)
        }
    }

    @Test func `--no-notes hides notes alone`() async throws {
        try await withServer { request in
            request.path == "/404" ? .status(404, "gone") : .json("{}")
        } _: { server in
            let note = await runTool("get", server.url(), "q=ada")
            #expect(note.messages == ["afcli: sending a body with GET; for the query, write q=="])
            let hidden = await runTool("--no-notes", "get", server.url(), "q=ada")
            #expect(hidden.errors.isEmpty)
            #expect(hidden.output == "{}")
            let failed = await runTool("--no-notes", server.url("/404"))
            #expect(failed.messages.first == "afcli: the server responded with 404 Not Found")
        }
    }
}
