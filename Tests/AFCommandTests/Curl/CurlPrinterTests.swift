import TestSupport
import Testing

@testable import AFCommand

/// The commands that `--show-command` prints.
struct CurlPrinterTests {
    private func printed(_ words: [String], in world: ToolWorld = ToolWorld()) async -> String {
        let run = await runTool(["curl", "--show-command"] + words, in: world)
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test(
        arguments: [
            (["http://example.org/a?b=c"], "afcli 'example.org/a?b=c'"), (["http://localhost/"], "afcli :/"),
            (["http://localhost:3000/x"], "afcli :3000/x"), (["https://example.org"], "afcli https://example.org"),
            (["http://gh/x"], "afcli http://gh/x"), (["http://127.0.0.1:1/x"], "afcli 127.0.0.1:1/x"),
            (
                [
                    "http://localhost:5101/people", "-H", "Content-Type: application/json", "--data-raw",
                    #"{"name":"O'Neil"}"#,
                ], #"afcli post :5101/people 'name=O'\''Neil'"#
            ),
            (
                ["--json", #"{"a": 1.50, "b": [true, null], "c": "@x", "d": ""}"#, "http://h.test/"],
                "afcli post h.test/ 'a:=1.50' 'b:=[true, null]' 'c:=\"@x\"' 'd='"
            ),
            (["--json", #"{"a":1,"a":2}"#, "http://h.test/"], #"--raw '{"a":1,"a":2}'"#),
            (["--json", "[1]", "http://h.test/"], "--raw '[1]'"),
            (
                ["--json", "a=b", "--show-secrets", "http://h.test/"],
                "afcli --raw 'a=b' post h.test/ Content-Type:application/json Accept:application/json"
            ),
            (["-d", "a=1&b=x+y%26", "-d", "c=", "http://h.test/"], "afcli -f post h.test/ 'a=1' 'b=x y&' 'c='"),
            (["-d", "a&b", "http://h.test/"], "--raw 'a&b'"), (["-d", "a=%zz", "http://h.test/"], "--raw 'a=%zz'"),
            (["-d", "a[b]=1", "http://h.test/"], "--raw 'a[b]=1'"),
            (["-d", "a", "-H", "Content-Type:", "http://h.test/"], "afcli --raw a post h.test/ Content-Type:"),
            (["-H", "Content-Type:", "http://h.test/"], "afcli h.test/"),
            (["-X", "DELETE", "http://h.test/1"], "afcli delete h.test/1"),
            (["-X", "M-SEARCH", "http://h.test/1"], "afcli -X M-SEARCH h.test/1"),
            (
                ["-H", "X-A: b c", "-H", "X-E;", "-H", "User-Agent:", "http://h.test/"],
                "h.test/ User-Agent: 'X-A:b c' 'X-E;'"
            ),
            (["-H", "X-A: @b", "http://h.test/"], "-H 'X-A: @b'"),
            (["-Lk", "-o", "f", "http://h.test/"], "afcli -L -o f -k h.test/"),
            (["-I", "http://h.test/"], "afcli -h head h.test/"), (["-i", "http://h.test/"], "afcli -p hb h.test/"),
            (["-F", "a=@f", "http://h.test/"], "-F 'a=@f;type=application/octet-stream' h.test/"),
            (["-m", "5", "-sS", "--compressed", "http://h.test/"], "afcli --max-time 5 h.test/"),
        ] as [([String], String)])
    func `the printed command is short`(words: [String], command: String) async {
        let text = await printed(words)
        #expect(text == command + "\n" || !command.hasPrefix("afcli") && text.contains(command), "\(text)")
    }

    @Test func `secrets are printed only with --show-secrets`() async {
        let words = [
            "-u", "ada:s3cret", "-H", "X-Api-Key: s3cret", "-b", "id=s3cret", "-x", "http://p:s3cret@proxy:1",
            "--json", #"{"password":"s3cret","a":"b"}"#, "http://u:s3cret@h.test/?token=s3cret",
        ]
        for style in ["--show-command", "--show-command-long"] {
            let masked = await runTool(["curl", style] + words)
            #expect(masked.status == 0 && !masked.output.contains("s3cret"), "\(masked.output)")
            #expect(masked.output.contains("ada") && masked.output.contains("X-Api-Key"), "\(masked.output)")
            let complete = await runTool(["curl", "--show-secrets", style] + words)
            #expect(complete.output.contains("s3cret") && !complete.output.contains("•••"), "\(complete.output)")
        }
        #expect(await printed(["-u", "ada:s3cret", "http://h.test/"]) == "afcli -a ada h.test/\n")
        #expect(await printed(["http://ada:s3cret@h.test/"]) == "afcli -a ada h.test/\n")
    }

    @Test func `credentials that only afcli would find are excluded`() async throws {
        let folder = try ScratchFolder()
        let world = { ToolWorld().with(variables: ["HOME": folder.path]) }
        #expect(await printed(["http://h.test/"], in: world()) == "afcli h.test/\n")
        try folder.write("machine h.test login a password b\n", to: ".netrc")
        #expect(await printed(["http://h.test/"], in: world()) == "afcli --ignore-netrc h.test/\n")
    }

    @Test func `the printed command sends the same method, target, body and typed fields`() async throws {
        try await withServer { request in
            let type = (request["Content-Type"] ?? "").prefix { $0 != ";" }
            let body = request.text.filter { $0 != " " }
            return .ok("\(request.method) \(request.target) \(request["X-A"] ?? "") \(type) \(body)")
        } _: { server in
            for words in [
                ["-XPATCH", "-H", "X-A: it's", "--json", #"{"name":"O'Neil","n":[1,{"a":"b"}]}"#],
                ["-d", "a=1&b=x%26", "-H", "X-A: \\@"], ["-H", "X-A: ="], ["-X", "put", "-d", "plain text"],
                ["--json", "a=b"], ["--json", "{}\n{}"], ["--json", "[1"], ["--json", ""], ["-G", "--json", "a=b"],
                ["--json", "a=b", "-H", "Accept:"], ["--json", "a=b", "-H", "Content-Type: text/x"],
            ] {
                let words = ["curl"] + words + [server.url("/p?q=1")]
                let printed = try ShellWords.split(
                    await runTool(words + ["--show-command", "--show-secrets"]).output, variables: Variables([:]))
                let ours = await runTool(Array(printed.dropFirst()))
                #expect(await runTool(words).output == ours.output, "\(printed)")
                #expect(ours.status == 0)
            }
        }
    }
}
