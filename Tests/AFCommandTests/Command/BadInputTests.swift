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

    /// Checks the last line for a hint; without one, the message is a single line.
    private func expectHint(_ hint: String?, in run: ToolRun) {
        let isExpected = hint.map { run.messages.count > 1 && run.messages.last?.contains($0) == true }
        #expect(isExpected ?? (run.messages.count == 1), "\(run.errors)")
    }

    @Test(
        arguments: [
            (["--folow", "URL"], "--folow", "did you mean --follow?"),
            (["--retry", "often", "URL"], "--retry", "see afcli --help=retry"),
            (["URL", "a"], "a: is not an item", "write Name:value for a header"),
            (["URL", "a:={"], "a:={", "did the shell remove the quotes?"),
            (["URL", "X-A:b\nX-B: c"], "X-A", "write each header as an item of its own"),
            (["URL", "-H", "X A: b"], "X A", "a name consists of"),
            (["-X", "GE T", "URL"], "GE T", "see afcli --help=method"),
            (["http://exa mple/"], "exa mple", nil),
            (["http://127.0.0.1:99999/"], "99999", nil),
            (["ftp://127.0.0.1/"], "ftp", nil),
            (["mailto:ada@example.org"], "mailto", "for example: afcli example.org/path"),
            (["http://127.0.0.1\\@127.0.0.1/"], "backslash", nil),
            (["URL", "a:=NaN"], "a:=NaN", "a string is name=text"),
            (["head", "URL", "a=b"], "HEAD", "omit the data"),
            ([""], "the URL is empty", "afcli [METHOD] URL [ITEM ...]"),
            (["-a", "x", "-A", "basic", "-I", "URL"], "-a: ", "give it as USER:PASSWORD"),
            (["--xyzzyx", "URL"], "--xyzzyx", "afcli --help=all shows all options"),
            (["-0", "URL"], "-0", "use --http1.0"),
            (["http://127.0.0.1\u{0001}/"], "control", nil),
            (["--resume", "URL"], "--resume", "add --output FILE or --download"),
            (["-d", "--resume", "--range", "0-1", "URL"], "--resume", nil),
            (["-a", "a:b", "-A", "bearer", "-a", "t\nk", "URL"], "-a: a secret", "see afcli --help=auth"),
            (["--proxy", "gopher://127.0.0.1", "URL"], "--proxy", "use http, https, socks4"),
            (["-F", "a\nb=c", "URL"], "-F: ", "see afcli --help=part"),
            (["URL", "--raw", "x", "a=b"], "a=b", nil),
            ([], "no URL", "afcli [METHOD] URL [ITEM ...]; afcli --help shows more"),
        ] as [([String], String, String?)])
    func `64 is the status of a usage error`(words: [String], culprit: String, hint: String?) async throws {
        let run = try await refusal(words, status: 64)
        #expect(run.messages.first?.contains(culprit) == true, "\(run.errors)")
        expectHint(hint, in: run)
    }

    @Test(
        arguments: [
            (["URL", "a=@FOLDER/missing"], "no such file", "for a text that starts with @"),
            (["URL", "@FOLDER/folder"], "it is a directory", "choose a file in the directory"),
            (["URL", "-F", "a=@FOLDER/missing"], "no such file", nil),
            (["-T", "FOLDER/folder", "URL"], "it is a directory", "choose a file in the directory"),
            (
                ["-o", "FOLDER/" + String(repeating: "n", count: 256), "URL"],
                "the name is too long", "choose a shorter name"
            ),
            (
                ["-d", "--no-clobber", "-o", "FOLDER/" + String(repeating: "n", count: 256), "URL"],
                "the name is too long", "choose a shorter name"
            ),
            (["URL", "--cacert", "FOLDER/missing"], "no such file", nil),
            (["URL", "--cert", "FOLDER/folder"], "it is a directory", "choose a file in the directory"),
            (["URL", "-o", "FOLDER/folder"], "it is a directory", "--output DIRECTORY/ downloads into it"),
            (
                ["URL", "-o", "FOLDER/none/x"], "there is no such directory",
                "create the directory, or add --create-dirs"
            ),
            (["URL", "-o", "FOLDER/there/x"], "a part of the path is not a directory", "choose another path"),
        ] as [([String], String, String?)])
    func `16 is the status of unusable files`(words: [String], reason: String, hint: String?) async throws {
        let run = try await refusal(words, status: 16)
        #expect(run.messages.first?.contains(reason) == true, "\(run.errors)")
        #expect(run.messages.count <= 2, "\(run.errors)")
        expectHint(hint, in: run)
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
