import TestSupport
import Testing

@testable import AFCommand

/// Invalid input produces one sentence with a hint, before anything is sent or written.
@Suite(.timeLimit(.minutes(5))) struct BadInputTests {
    /// Runs with a server that must receive no request, in a directory that must not change.
    private func refusal(_ words: [String], status: Int32) async throws -> ToolRun {
        let folder = try ScratchFolder()
        try folder.write("kept", to: "there")
        try folder.folder("folder")
        return try await withServer { _ in
            .ok("new")
        } _: { server in
            let words = words.map { word in
                word.replacing("URL", with: server.url("/file")).replacing("FOLDER", with: folder.path)
            }
            let run = await runTool(words)
            #expect(run.status == status, "\(run.errors)")
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("afcli: error: "))
            #expect(server.requests.isEmpty)
            #expect(folder.list() == ["folder", "there"])
            #expect(folder.holds("kept", in: "there"))
            return run
        }
    }

    @Test(arguments: [
        (["--folow", "URL"], "--folow"),
        (["--retry", "often", "URL"], "--retry"),
        (["URL", "a"], "a: is not an item"),
        (["URL", "a:={"], "a:={"),
        (["URL", "X-A:b\nX-B: c"], "X-A"),
        (["URL", "-H", "X A: b"], "X A"),
        (["-X", "GE T", "URL"], "GE T"),
        (["http://exa mple/"], "exa mple"),
        (["http://127.0.0.1:99999/"], "99999"),
        (["ftp://127.0.0.1/"], "ftp"),
        (["mailto:ada@example.org"], "mailto"),
        (["http://127.0.0.1\\@127.0.0.1/"], "backslash"),
        (["URL", "a:=NaN"], "a:=NaN"),
        (["head", "URL", "a=b"], "HEAD"),
        ([""], "the URL is empty"),
        (["-a", "x", "-A", "basic", "-I", "URL"], "-a: "),
        (["--xyzzyx", "URL"], "--xyzzyx"),
        (["-0", "URL"], "-0"),
        (["http://127.0.0.1\u{0001}/"], "control"),
        (["--resume", "URL"], "--resume"),
        (["-d", "--resume", "--range", "0-1", "URL"], "--resume"),
        (["-a", "a:b", "-A", "bearer", "-a", "t\nk", "URL"], "-a: a secret"),
        (["--proxy", "gopher://127.0.0.1", "URL"], "--proxy"),
        (["-F", "a\nb=c", "URL"], "-F: "),
        (["URL", "--raw", "x", "a=b"], "a=b"),
        ([], "no URL"),
    ])
    func `64 is the status of a usage error`(words: [String], culprit: String) async throws {
        let run = try await refusal(words, status: 64)
        #expect(run.messages.first?.contains(culprit) == true, "\(run.errors)")
    }

    @Test(arguments: [
        (["URL", "a=@FOLDER/missing"], "no such file"),
        (["URL", "@FOLDER/folder"], "it is a directory"),
        (["URL", "-F", "a=@FOLDER/missing"], "no such file"),
        (["-T", "FOLDER/folder", "URL"], "it is a directory"),
        (["-o", "FOLDER/" + String(repeating: "n", count: 256), "URL"], "the name is too long"),
        (["-d", "--no-clobber", "-o", "FOLDER/" + String(repeating: "n", count: 256), "URL"], "the name is too long"),
        (["URL", "--cacert", "FOLDER/missing"], "no such file"),
        (["URL", "--cert", "FOLDER/folder"], "it is a directory"),
        (["URL", "-o", "FOLDER/folder"], "it is a directory"),
        (["URL", "-o", "FOLDER/none/x"], "there is no such directory"),
        (["URL", "-o", "FOLDER/there/x"], "a part of the path is not a directory"),
    ])
    func `16 is the status of unusable files`(words: [String], reason: String) async throws {
        let run = try await refusal(words, status: 16)
        #expect(run.messages.first?.contains(reason) == true, "\(run.errors)")
        #expect(run.messages.count <= 2, "\(run.errors)")
    }

    @Test func `no message contains a password`() async throws {
        let port = try RefusingPort()
        for words in [
            ["http://ada:s3cret@\(port.authority)/"], ["http://ada:s3cret@127.0.0.1:99999/"],
            ["-a", "ada:s3cret", port.url()], ["http://ada:s3cret@exa mple/"],
            ["--proxy", "http://ada:s3cret@\(port.authority)", "http://example.invalid/"],
            ["--proxy", "http://ada:s3cret@:99999", "http://example.invalid/"],
            ["Authorization:Bearer s3cret", port.url()], ["token=s3cret", port.url()],
            ["-H", "Authorization Bearer s3cret", port.url()],
            [port.url(), "X-Api-Key;s3cret"], [port.url(), "X-Api-Key:s3cret\nx"],
            [port.url(), "password:={\"a\": s3cret"], [port.url(), "password[:=\"s3cret\""],
            [port.url(), "a:={\"token\": s3cret"],
        ] {
            let run = await runTool(words)
            #expect(run.status != 0)
            #expect(!run.errors.contains("s3cret"), "\(run.errors)")
        }
    }

    @Test func `a similar name is suggested`() async throws {
        let run = try await refusal(["--folow", "URL"], status: 64)
        #expect(run.errors.contains("--follow"))
        let negated = try await refusal(["--no-folow", "URL"], status: 64)
        #expect(negated.errors.contains("did you mean --no-follow?"))
    }
}
