import AFHTTP
import AFTransport
import TestSupport
import Testing

@testable import AFCommand

/// The output and the exit statuses that scripts expect of curl itself.
extension CurlModeTests {
    @Test func `the help is shown, and a list of the options`() async {
        let help = await runTool("curl", "-h")
        #expect(help.status == 0 && help.output.hasPrefix("Usage: afcli curl [OPTION ...] URL"))
        // Scripts search the list for an option.
        let list = await runTool("curl", "--help", "all").output.split(separator: "\n")
        #expect(list.contains(" -d, --data <value>") && list.contains("     --proto <value>"))
        #expect(list.contains("     --tlsv1.2") && !list.contains { $0.contains("--ftp-pasv") })
    }

    @Test(arguments: [["-V"], ["--version"], ["-s", "--version"]])
    func `the version is that of libcurl, in curl's form`(words: [String]) async {
        let lines = await runTool(["curl"] + words).output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("curl \(CurlFeatures.version) (afcli \(AFInfo.version)) libcurl/") == true)
        #expect(lines.contains("Protocols: http https"))
        #expect(lines.last?.hasPrefix("Features: ") == true && lines.last?.contains(" HTTP2 ") == true)
    }

    @Test func `the default user agent is curl's`() async throws {
        let server = try LocalServer { .ok($0["User-Agent"] ?? "none") }
        #expect(await runTool("curl", "-s", server.url()).output == "curl/\(CurlFeatures.version)")
        #expect(await runTool("curl", "-s", "-A", "mine", server.url()).output == "mine")
        #expect(await runTool("curl", "-s", "-A", "", server.url()).output == "none")
        // The printed command has the default one of afcli.
        #expect(await !runTool("curl", "--show-command", server.url()).output.contains("User-Agent"))
    }

    @Test func `a file that has all bytes of the complete response is not downloaded again`() async throws {
        let folder = try ScratchFolder()
        let server = try LocalServer { _ in .ok("all bytes") }
        let file = try folder.write("all bytes", to: "f")
        #expect(await runTool("curl", "-s", "-C", "-", "-o", file, server.url()).status == 0)
        #expect(try folder.text(of: "f") == "all bytes")
        try folder.write("other", to: "f")
        #expect(await runTool("curl", "-s", "-C", "-", "-o", file, server.url()).status == 33)
        #expect(try folder.text(of: "f") == "other")
        // A file that was downloaded here without a validator, too.
        let own = folder.file("own")
        for _ in 0..<2 { #expect(await runTool("curl", "-s", "-C", "-", "-o", own, server.url()).status == 0) }
    }

    @Test func `a retry may start until the end of --retry-max-time`() async throws {
        let server = try LocalServer { _ in .status(503, "busy") }
        let run = await runTool(
            "curl", "-s", "--retry", "9", "--retry-delay", "2", "--retry-max-time", "1", server.url())
        #expect(run.status == 0)
        #expect(server.requests.count == 2)
    }
}
