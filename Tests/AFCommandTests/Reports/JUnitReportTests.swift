import TestSupport
import Testing

@testable import AFCommand

@Suite(.timeLimit(.minutes(5))) struct JUnitReportTests {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func report(_ words: [String]) async throws -> (run: ToolRun, xml: String) {
        let run = await runTool(words + ["--report", "junit:\(folder.file("r.xml"))"])
        return (run, try folder.text(of: "r.xml"))
    }

    @Test func `each expectation is a test case`() async throws {
        try await withServer { _ in
            .json(#"{"a":1,"token":"s3cret"}"#)
        } _: { server in
            let (run, xml) = try await report([
                server.url("/x?b=%22&c=1"), "--expect-status", "2xx", "--expect-json", "a<1", "--expect-json",
                #"token=="t0p""#,
                "--expect-body", "<x>", "--expect-header", "Content-Type",
            ])
            #expect(run.status == 14)
            #expect(
                xml.hasPrefix(
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"GET \(server.url())x?b=%22&amp;c=1\""
                ))
            #expect(xml.contains("tests=\"6\" failures=\"3\" errors=\"0\" skipped=\"0\""))
            #expect(xml.contains("name=\"--expect-status 200-299\" time=\"0\"/>"))
            #expect(xml.contains("name=\"--expect-json a&lt;1\""))
            #expect(
                xml.contains(
                    "<failure message=\"expected 'a' to be less than 1, got 1\" type=\"expectation\">HTTP/1.1 200 OK&#10;"
                ))
            #expect(xml.contains("name=\"--expect-body '&lt;x&gt;'\""))
            #expect(xml.contains("name=\"--expect-header Content-Type\" time=\"0\"/>"))
            #expect(!xml.contains("s3cret") && !xml.contains("t0p"))
            #expect(xml.hasSuffix("</testsuites>\n"))
        }
    }

    @Test func `a failed request is an error, and its expectations are skipped`() async throws {
        let (run, xml) = try await report(["http://127.0.0.1:9/", "--expect-status", "200", "--budget", "total=1s"])
        #expect(run.status == 11)
        #expect(xml.contains("tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"2\""))
        #expect(xml.contains("type=\"connection\""))
    }

    @Test func `an error status is a failure of the request`() async throws {
        try await withServer { _ in
            .status(404, "no")
        } _: { server in
            let (run, xml) = try await report([server.url()])
            #expect(run.status == 4)
            #expect(xml.contains("tests=\"1\" failures=\"1\""))
            #expect(xml.contains("type=\"client-error\""))
        }
        try await withServer { _ in
            .json("[]")
        } _: { server in
            let (run, xml) = try await report([server.url(), "--filter", "a"])
            #expect(run.status == 14)
            #expect(xml.contains("<failure message=\"the filter 'a' selected nothing\""))
        }
    }

    @Test func `a name distinguishes two checks of one URL`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let har = folder.file("r.har")
            let words = ["--name", "login <works>", "--har", har, "--report", folder.file("r.json"), server.url("/x")]
            let (run, xml) = try await report(words)
            #expect(run.status == 0)
            #expect(xml.contains("<testsuite name=\"login &lt;works&gt;\" tests=\"1\""))
            #expect(xml.contains("<testcase classname=\"login &lt;works&gt;\" name=\"GET \(server.url("/x"))\""))
            #expect(try ReadJSON(try folder.text(of: "r.json")).string("name") == "login <works>")
            #expect(try ReadJSON(try folder.text(of: "r.har")).string("log.entries[0].comment") == "login <works>")
        }
    }

    @Test func `the name of the suite is the request, also if it is invalid, or the option of a list`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .json("[]")
        } _: { server in
            let url = server.url("/a")
            try folder.write("\(url)\n", to: "list")
            try folder.write("x", to: "x")
            let file = folder.file("x")
            for (words, name) in [
                ([url], "GET \(url)"), (["post", url, "a=@\(folder.file("none"))"], "POST \(url)"),
                ([url, "a=@\(folder.file("none"))"], "POST \(url)"), ([url, "--bogus"], "GET \(url)"),
                ([url, "--repeat", "2"], "GET \(url)"), ([url, "--follow-next"], "GET \(url)"),
                (["--input", folder.file("list"), "-p", "h"], "afcli --input"),
                (["-T", file, "-T", folder.file("list"), "\(url)/"], "afcli --upload-file"),
            ] {
                let run = await runTool(["-q", "--report", "junit:-"] + words)
                #expect(run.output.contains("<testsuites name=\"\(name)\" "), "\(run.output)")
                #expect(run.output.contains("<testsuite name=\"\(name)\" "))
                let named = await runTool(["-q", "--report", "junit:-", "--name", "N"] + words)
                #expect(named.output.contains("<testsuite name=\"N\" "))
            }
        }
    }

    @Test func `a name is visible text, and needs a report`() async throws {
        for name in ["", "a\nb", String(repeating: "a", count: 201)] {
            let run = await runTool("--name", name, "--report", "-", "http://127.0.0.1:9/")
            #expect(run.status == 64)
            #expect(run.messages.first == "afcli: error: --name: expected a name of 1 to 200 visible characters")
        }
        let run = await runTool("--name", "x", "http://127.0.0.1:9/")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --name: requires a report")
    }

    @Test func `reports of the same kind are all written`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let second = "junit:\(folder.file("s.xml"))"
            let (run, xml) = try await report([server.url(), "--report", second])
            #expect(run.status == 0)
            #expect(try folder.text(of: "s.xml") == xml)
            let same = await runTool("--report", second, "--report", folder.file("./s.xml"), server.url())
            #expect(same.status == 64)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `both reports are written`() async throws {
        try await withServer { _ in
            .ok("x")
        } _: { server in
            let (run, xml) = try await report([server.url(), "--report", folder.file("r.json")])
            #expect(run.status == 0)
            #expect(xml.contains("failures=\"0\" errors=\"0\""))
            #expect(try folder.text(of: "r.json").hasPrefix("{"))
            #expect(await runTool(server.url(), "--report", "junit:").status == 64)
        }
    }
}
