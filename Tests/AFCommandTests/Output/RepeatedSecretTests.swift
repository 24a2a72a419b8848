import TestSupport
import Testing

@testable import AFCommand

/// Secrets of the request that the response repeats.
@Suite(.timeLimit(.minutes(2))) struct RepeatedSecretTests {
    /// Repeats the request.
    private let responder: LocalServer.Responder = { request in
        let login = request["Authorization"] ?? request["Cookie"] ?? request["X-Api-Key"] ?? ""
        let lines = "\(login) \(request.target) \(request.text)".split(whereSeparator: \.isNewline)
        let note = lines.joined(separator: " ").replacing("\"", with: "\\\"")
        let status = request.path == "/200" ? 200 : 400
        return LocalServer.Response.status(status, #"{"note":"\#(note)"}"#).header("X-Request-Id", note)
            .header("Content-Type", "application/json")
    }

    private static let requests = [
        ["--auth", "ada:s3cret/word"], ["--auth", "s3cret/word", "--auth-type", "bearer"],
        ["Authorization:Token s3cret/word"], ["X-Api-Key:s3cret/word"], ["Cookie:sid=s3cret/word"],
        ["access_token==s3cret/word"], ["--request-target", "/x?access_token=s3cret/word"],
        ["password=s3cret/word"], ["--form", "password=s3cret/word"], ["key:={\"a\":[\"s3cret/word\"]}"],
        ["-F", "password=s3cret/word"],
    ]

    @Test(arguments: requests)
    func `are not shown with a failure`(words: [String]) async throws {
        try await withServer(responder) { server in
            for failing in [[server.url("/400")], [server.url("/200"), "--expect-json", "note==x"]] {
                for report in [["--report", "-"], ["--report", "junit:-"], ["--har", "-", "--har-bodies", "1K"]] {
                    let run = await runTool(["-q"] + report + failing + words)
                    #expect([4, 14].contains(run.status), "\(run.errors)")
                    let all = run.output + run.errors
                    #expect(run.errors.contains("•••"))
                    for secret in ["s3cret", "czNjcmV0", "YWRhOnM"] {
                        #expect(!all.contains(secret), "\(words): \(all)")
                    }
                    let shown = await runTool(["-q", "--show-secrets"] + report + failing + words)
                    #expect(!shown.errors.contains("•••"))
                }
            }
        }
    }

    @Test func `short texts are no secrets, and the body itself is shown`() async throws {
        try await withServer(responder) { server in
            let run = await runTool("-q", "--auth", "ada:pw", server.url("/400"), "lang==pw", "Cookie:lang=pwpw")
            #expect(run.errors.contains("lang=pw"), "\(run.errors)")
            let shown = await runTool(server.url("/200"), "access_token==s3cret")
            #expect(shown.output.contains("/200?access_token=s3cret"))
        }
    }

    @Test func `are not shown by a retry`() async throws {
        try await withServer(responder) { server in
            let run = await runTool(
                "-A", "bearer", "-a", "s3cret", server.url("/200"), "--expect-json", "note==x", "--retry", "1",
                "--retry-on", "expect", "--retry-delay", "1ms")
            #expect(run.errors.contains("retrying"), "\(run.errors)")
            #expect(!run.errors.contains("s3cret"))
        }
    }

    @Test func `are not in the chart of the timings`() async throws {
        try await withServer(responder) { server in
            let words = ["--timing", server.url("/200"), "access_token==s3cret"]
            let run = await runTool(words, in: ToolWorld(errorColumns: 200))
            #expect(run.errors.contains("access_token=•••") && !run.errors.contains("s3cret"), "\(run.errors)")
            let shown = await runTool(words + ["--show-secrets"], in: ToolWorld(errorColumns: 200))
            #expect(shown.errors.contains("access_token=s3cret"))
        }
    }

    @Test func `are not in the messages and reports of a file of requests`() async throws {
        let folder = try ScratchFolder()
        try await withServer(responder) { server in
            let requests = [
                "GET \(server.url("/200"))\nAuthorization: Bearer s3cret\n",
                "GET \(server.url("/200"))\n[BasicAuth]\nada: s3cret\n",
                "GET \(server.url("/200"))\n[Query]\ntoken: s3cret\n",
                "POST \(server.url("/200"))\n{\"password\": \"s3cret\"}\n",
                "POST \(server.url("/200"))\n[Form]\npassword: s3cret\n",
            ]
            for (index, request) in requests.enumerated() {
                let asserts = "HTTP 200\n[Asserts]\njsonpath \"$.note\" == \"x\"\n"
                let file = try folder.write(request + asserts, to: "f.hurl")
                let run = await runTool(
                    "run", "--report-junit", folder.file("junit\(index)"), "--report-tap", folder.file("tap\(index)"),
                    "--report-html", folder.file("html\(index)"), file)
                #expect(run.status == 4, "\(run.errors)")
                let pages = try ["junit\(index)", "tap\(index)", "html\(index)/index.html"].map(folder.text)
                for text in [run.errors] + pages {
                    #expect(text.contains("***") || text.contains("•••"))
                    #expect(!text.contains("s3cret") && !text.contains("czNjcmV0"), "\(text)")
                }
            }
        }
    }
}
