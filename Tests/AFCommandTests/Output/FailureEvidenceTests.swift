import TestSupport
import Testing

@testable import AFCommand

/// The responses of failed batches, checksums, pages, streams and statuses.
@Suite(.timeLimit(.minutes(2))) struct FailureEvidenceTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private static let digits = String(repeating: "0", count: 64)

    @Test(arguments: [
        ([], "/404"), (["--expect-json", "a==1"], "/200"), (["--checksum", "@sums"], "/200"),
    ])
    func `each failed file of a batch shows its response once`(words: [String], path: String) async throws {
        try folder.write("\(Self.digits)  f\n", to: "sums")
        try await withServer { request in
            .status(request.path == "/404" ? 404 : 200, "<p>Down</p>").header("X-Request-Id", "r1")
        } _: { server in
            let url = server.url(path)
            try folder.write("\(url) f\n", to: "list")
            let words = words.map { $0 == "@sums" ? "@\(folder.file("sums"))" : $0 }
            let report = ["--report", "junit:\(folder.file("r.xml"))"]
            let batch = ["--input", folder.file("list"), "--output-dir", folder.file("d"), "--create-dirs"]
            let run = await runTool(batch + report + words)
            #expect(run.status != 0)
            let index = try #require(run.messages.firstIndex(of: "afcli: \(url): the response:"), "\(run.errors)")
            let lines = ["  | Content-Type: text/plain", "  | X-Request-Id: r1", "  | ", "  | <p>Down</p>"]
            #expect(run.messages[(index + 2)...].starts(with: lines), "\(run.errors)")
            #expect(run.errors.ranges(of: "Down").count == 1)
            #expect(try folder.text(of: "r.xml").contains("X-Request-Id: r1&#10;&#10;&lt;p&gt;Down"))
        }
    }

    @Test func `a wrong checksum shows the start of the file`() async throws {
        try await withServer({ _ in .ok("<h1>Log in first</h1>") }) { server in
            let words = ["-o", folder.file("f"), "--checksum", "sha256:\(Self.digits)", server.url()]
            let run = await runTool(words + ["--report", "junit:-"])
            #expect(run.messages.contains("  | <h1>Log in first</h1>"), "\(run.errors)")
            let error = try #require(run.output.firstRange(of: "<error "))
            #expect(run.output[error.upperBound...].contains("&lt;h1&gt;Log in first&lt;/h1&gt;</error>"))
            #expect(folder.list() == [])
        }
    }

    @Test func `a value that a filter does not find is explained in a report`() async throws {
        try await withServer({ _ in .ok("<h1>Log in first</h1>") }) { server in
            let run = await runTool("-q", "--filter", "a", "--report", "junit:-", server.url())
            #expect(run.output.contains("&lt;h1&gt;Log in first&lt;/h1&gt;</error>"), "\(run.output)")
        }
    }

    @Test(arguments: [
        (429, "Retry-After", "9"), (401, "WWW-Authenticate", "Basic realm=\"r\""), (302, "Location", "/next"),
        (500, "X-Request-Id", "r1"),
    ])
    func `a status shows the fields, and the shown body not twice`(status: Int, name: String, value: String)
        async throws
    {
        try await withServer {
            .status($0.path == "/plain" ? 404 : status, "later").header($0.path == "/plain" ? "X-A" : name, value)
        } _: { server in
            let run = await runTool(server.url())
            #expect(run.output == "later")
            #expect(run.messages.contains("  | \(name): \(value)"), "\(run.errors)")
            #expect(!run.errors.contains("later"))
            #expect(!(await runTool("-p", "hb", server.url())).errors.contains("the response:"))
            // The media type does not explain a status.
            #expect(!(await runTool(server.url("/plain"))).errors.contains("the response:"))
        }
    }

    @Test func `a filter that selects nothing from all pages shows the last one`() async throws {
        try await withServer { request in
            request.query == nil ? .json(#"{"a":1}"#).header("Link", "<?2>; rel=next") : .json(#"{"b":2}"#)
        } _: { server in
            let words = ["--follow-next", "--filter", "nope", server.url()]
            let run = await runTool(words)
            #expect(run.status == 14 && run.messages.last == #"  | {"b":2}"#, "\(run.errors)")
            let saved = await runTool(words + ["-o", folder.file("f"), "--report", "junit:\(folder.file("r"))"])
            let sentence = "afcli: nothing was saved: no page has a value that the filter selects"
            #expect(saved.messages.last == sentence, "\(saved.errors)")
            let report = try folder.text(of: "r")
            #expect(report.contains("{&quot;b&quot;:2}</failure>"), "\(report)")
        }
    }

    @Test func `a stream without a message has no value`() async throws {
        try await withServer { request in
            let type = request.path == "/lines" ? "application/x-ndjson" : "text/event-stream"
            let body = request.path == "/lines" ? "" : "data: {\"price\":1}\n\n"
            return .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            for words in [["--event", "nope", server.url("/events")], [server.url("/lines")]] {
                let met = await runTool(words + ["--expect-json", "count(.)==0"])
                #expect(met.status == 0, "\(met.errors)")
                #expect(await runTool(words + ["--fail-if", "count(.)==0"]).status == 14)
                let unmet = await runTool(words + ["--expect-json", "count(.)==1"])
                #expect(unmet.status == 14 && unmet.messages[0].hasSuffix(", got 0"), "\(unmet.errors)")
            }
            let filtered = await runTool("--event", "nope", "--filter", "price", server.url("/events"))
            #expect(filtered.status == 14)
            #expect(filtered.messages.first == "afcli: error: the filter 'price' selected nothing")
            #expect(filtered.messages.contains(#"  | data: {"price":1}"#), "\(filtered.errors)")
        }
    }

    @Test func `a text in an undeclared charset is shown`() async throws {
        try await withServer { _ in
            .raw(Array("HTTP/1.1 500 E\r\nContent-Type: text/html\r\n\r\ncaf".utf8) + [0xE9] + Array(" closed".utf8))
        } _: { server in
            let run = await runTool("-q", server.url())
            #expect(run.messages.last == "  | caf\u{FFFD} closed", "\(run.errors)")
        }
    }
}
