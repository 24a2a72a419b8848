import TestSupport
import Testing

@testable import AFCommand

/// Messages about proxies: what they name, and what they hide.
@Suite(.timeLimit(.minutes(5))) struct ProxyMessageTests {
    @Test(arguments: ["http:http://u:s3cret@h", "http://u:s3/cret@h:1", "ftp://u:s3cret@h"])
    func `an invalid proxy does not show its password`(proxy: String) async {
        let world = ToolWorld().with(variables: ["http_proxy": proxy])
        for run in [
            await runTool("http://127.0.0.1:1/", in: world), await runTool("--proxy", proxy, "http://127.0.0.1:1/"),
            await runTool("curl", "http://127.0.0.1:1/", in: world),
        ] {
            #expect(run.status != 0 && !run.errors.contains("s3"), "\(run.errors)")
        }
    }

    @Test(arguments: [
        ("http://u:s3cret@x:abc", "invalid port 'abc'"), ("foo://u:s3cret@x:1", "unsupported proxy scheme 'foo'"),
        ("http://u:s3/cret@h:1", "the user or the password of the URL is not valid"),
    ])
    func `the rest of the URL is in the message`(proxy: String, problem: String) async {
        let run = await runTool("--proxy", proxy, "http://127.0.0.1:1/")
        #expect(run.errors.contains("--proxy: \(problem)"), "\(run.errors)")
    }

    @Test func `the proxy that has no address is named`() async {
        let single = await runTool("--proxy", "socks5://nx.invalid:1", "http://127.0.0.1:1/")
        #expect(single.errors.contains("could not resolve proxy 'nx.invalid'"), "\(single.errors)")
        let first = await runTool(
            "--preproxy", "socks5://nx.invalid:1", "--proxy", "http://127.0.0.1:2", "http://127.0.0.1:1/")
        #expect(first.errors.contains("could not resolve proxy 'socks5://nx.invalid:1'"), "\(first.errors)")
        #expect(first.errors.contains("check --preproxy"))
        #expect(single.status == 10 && first.status == 10)
    }

    @Test func `an error of a configured proxy names the file`() async throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"default_options": ["--proxy=http:foo://bar"]}"#, to: "c")
        let world = ToolWorld().with(variables: ["https_proxy": "http://127.0.0.1:1"])
        let run = await runTool("--config", folder.file("c"), "http://127.0.0.1:1/", in: world.withoutConfiguration)
        #expect(run.status == 64 && run.errors.contains("--proxy in '\(folder.file("c"))'"), "\(run.errors)")
    }

    @Test func `--debug reports the variables that set options, also without a file`() async {
        let variables = ToolWorld().with(variables: ["https_proxy": "http://u:s3cret@127.0.0.1:1"])
        let other = await runTool("--no-config", "--debug", "--offline", "example.org", in: variables)
        #expect(other.messages.contains("afcli: the variable https_proxy sets --proxy"), "\(other.errors)")
        #expect(!other.errors.contains("s3cret"))
    }
}
