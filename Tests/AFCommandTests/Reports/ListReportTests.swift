import TestSupport
import Testing

@testable import AFCommand

/// Reports about the URLs of a list, and reports that several runs extend.
@Suite(.timeLimit(.minutes(5))) struct ListReportTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func withResponses(_ body: (LocalServer) async throws -> Void) async throws {
        try await withServer {
            $0.path == "/missing" ? .status(404, #"{"error":"gone","token":"s3cret"}"#) : .ok("x")
        } _: { server in
            try await body(server)
        }
    }

    private func run(_ list: String, _ words: String...) async throws -> ToolRun {
        try folder.write(list, to: "list")
        return await runTool(
            ["--input", folder.file("list"), "--output", folder.file("out/"), "--create-dirs"] + words)
    }

    @Test func `each URL of a list is a test case, and a line`() async throws {
        try await withResponses { server in
            let list = "\(server.url("/a"))\n\(server.url("/missing"))\n\(server.url("/b"))\n"
            let run = try await run(
                list, "--report", "junit:\(folder.file("r.xml"))", "--report", folder.file("r.json"), "--har",
                folder.file("r.har"), "--name", "nightly")
            #expect(run.status == 4)
            let xml = try folder.text(of: "r.xml")
            #expect(xml.contains("<testsuite name=\"nightly\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""))
            let cases = xml.split(separator: "\n").filter { $0.contains("<testcase") }
            #expect(cases.count == 3)
            #expect(cases[1].contains("classname=\"nightly\" name=\"GET \(server.url("/missing"))\""))
            #expect(xml.contains("type=\"client-error\""))
            #expect(xml.contains("gone") && !xml.contains("s3cret"))
            let lines = try folder.text(of: "r.json").split(separator: "\n").map { try ReadJSON(String($0)) }
            #expect(lines.map { $0["exit_status"] } == ["0", "4", "0"])
            #expect(lines.map { $0["hops[0].status"] } == ["200", "404", "200"])
            #expect(lines[1].string("request.url") == server.url("/missing"))
            #expect(lines[1]["file"] == "null")
            #expect(try ReadJSON(try folder.text(of: "r.har")).count("log.entries") == 3)
        }
    }

    @Test func `a list that cannot be read has a report of its error`() async throws {
        let run = await runTool("--input", folder.file("none"), "--report", folder.file("r.json"))
        #expect(run.status == 16)
        #expect(try ReadJSON(try folder.text(of: "r.json"))["exit_status"] == "16")
    }

    @Test func `reports are extended`() async throws {
        try await withResponses { server in
            let reports = ["--report", "junit:\(folder.file("r.xml"))", "--report", folder.file("r.json")]
            for (path, status) in [("/a", Int32(0)), ("/missing", 4), ("/b", 0)] {
                let run = await runTool(["--report-append", "--name", path, server.url(path)] + reports)
                #expect(run.status == status, "\(run.errors)")
            }
            let xml = try folder.text(of: "r.xml")
            #expect(
                xml.contains(
                    "<testsuites name=\"afcli\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0."))
            #expect(xml.hasPrefix("<?xml ") && xml.hasSuffix("  </testsuite>\n</testsuites>\n"))
            let names = xml.split(separator: "\n").filter { $0.hasPrefix("  <testsuite ") }
            #expect(names.count == 3 && names[1].contains("name=\"/missing\""))
            let lines = try folder.text(of: "r.json").split(separator: "\n").map { try ReadJSON(String($0)) }
            #expect(lines.map { $0.string("name") } == ["/a", "/missing", "/b"])
            // Without the option, they are replaced.
            _ = await runTool([server.url("/a")] + reports)
            #expect(try folder.text(of: "r.json").split(separator: "\n").count == 1)
        }
    }

    @Test func `concurrent runs all extend a report`() async throws {
        try await withResponses { server in
            let words = ["--report-append", "--report", "junit:\(folder.file("r.xml"))", server.url()]
            await withTaskGroup(of: Int32.self) { group in
                for _ in 0..<8 { group.addTask { await runTool(words).status } }
                for await status in group { #expect(status == 0) }
            }
            let report = try folder.text(of: "r.xml")
            #expect(report.contains("<testsuites name=\"afcli\" tests=\"8\""))
        }
    }

    /// The text of a JUnit report with one test suite.
    private static func report(tests: String = "1", time: String = "0.1") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="afcli" tests="\(tests)" failures="0" errors="0" skipped="0" time="\(time)">
          <testsuite>
          </testsuite>
        </testsuites>

        """
    }

    @Test func `a file that is not a report is an error before the request`() async throws {
        try await withResponses { server in
            for (kind, text) in [
                ("", "text"), ("", "{\"a\": 1}\n"), ("", "{\n  \"version\": 1\n}\n"),
                ("junit:", "<testsuites></testsuites>\n"),
                ("junit:", "{}\n"),
                ("junit:", Self.report(tests: "9223372036854775807")), ("junit:", Self.report(tests: "-1")),
                ("junit:", Self.report(time: "nan")), ("junit:", Self.report(time: "1e999")),
            ] {
                try folder.write(text, to: "f")
                let run = await runTool("--report-append", "--report", kind + folder.file("f"), server.url())
                #expect(run.status == 16)
                #expect(run.errors.contains("report of afcli"), "\(run.errors)")
                #expect(try folder.text(of: "f") == text)
            }
            #expect(server.requests.isEmpty)
            #expect(await runTool("--report-append", server.url()).status == 64)
        }
    }

    @Test func `an extended report with secrets stays private`() async throws {
        try await withResponses { server in
            let words = ["--report-append", "--report", folder.file("r.json"), server.url()]
            _ = await runTool(words + ["--show-secrets"])
            _ = await runTool(words)
            #expect(try folder.permissions(of: "r.json") & 0o077 == 0)
            let report = try folder.text(of: "r.json")
            #expect(report.split(separator: "\n").count == 2)
        }
    }
}
