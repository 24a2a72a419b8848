import TestSupport
import Testing

@testable import AFCommand

/// Bodies with secrets in `--curl` and reports.
@Suite(.timeLimit(.minutes(5))) struct SecretBodyTests {
    @Test(arguments: [
        [":/", "user_password=hunter2"],
        ["-f", ":/", "otp=hunter2"], ["get", ":/", "private_key==hunter2"],
        [":/", "--raw", #"{"password":"hunter2"} {"password":"hunter2"}"#],
        [":/", "--raw", #"{"password":"hunter2",}"#],
        [":/", "--raw", #"{"password":"hunter2"}"#, "Content-Type:application/x-www-form-urlencoded"],
        [":/", "-F", #"meta={"api_token":"hunter2"};type=application/json"#],
    ])
    func `the curl command contains no secrets of a body`(words: [String]) async {
        let hidden = await runTool(["--curl"] + words)
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(!hidden.output.contains("hunter2"), "\(hidden.output)")
        #expect(hidden.output.contains("•••"))
        #expect(await runTool(["--curl", "--show-secrets"] + words).output.contains("hunter2"))
    }

    @Test func `a printed command of curl contains no secrets of JSON that it sends as a form`() async {
        let words = ["-d", #"{"password":"hunter2"}"#, "http://127.0.0.1:1/"]
        let hidden = await runTool(["curl", "--show-command"] + words)
        #expect(hidden.output.contains("•••") && !hidden.output.contains("hunter2"), "\(hidden.output)")
    }

    @Test(arguments: [["-xx", ":/", "password=hunter2", "a=b"], ["-xx", "-f", ":/", "pass=hunter2", "a=b"]])
    func `a body with secrets is not compressed for curl`(words: [String]) async {
        let hidden = await runTool(["--curl"] + words)
        #expect(!hidden.output.contains("printf") && !hidden.output.contains("hunter2"), "\(hidden.output)")
        #expect(hidden.output.contains("•••") && !hidden.output.contains("Content-Encoding"), "\(hidden.output)")
        #expect(hidden.errors.contains("curl does not compress request bodies"), "\(hidden.errors)")
        #expect(await runTool(["--curl", "--show-secrets"] + words).output.hasPrefix("printf "))
        #expect(await runTool("--curl", "-xx", ":/", "name=Ada").output.hasPrefix("printf "))
    }

    @Test func `a body compressed in memory is recorded uncompressed`() async throws {
        let folder = try ScratchFolder()
        try await withServer { _ in
            .ok()
        } _: { server in
            let words = ["-xx", server.url(), "password=hunter2", "name=Ada", "--har", folder.file("h")]
            #expect(await runTool(words).status == 0)
            #expect(server.requests.first?["Content-Encoding"] == "deflate")
            #expect(server.requests.first?["Content-Length"] != nil)
            let har = try folder.text(of: "h")
            #expect(har.contains("Ada") && har.contains("•••") && !har.contains("hunter2"))
        }
    }
}
