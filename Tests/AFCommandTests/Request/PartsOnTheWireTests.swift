import TestSupport
import Testing

@testable import AFCommand

/// `-F`, `--form-string` and items together, byte for byte.
@Suite(.timeLimit(.minutes(5))) struct PartsOnTheWireTests {
    private func body(_ words: [String], in world: ToolWorld = ToolWorld()) async throws -> String {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool([server.url(), "--boundary", "B"] + words, in: world)
            #expect(run.status == 0, "\(run.errors)")
            return try #require(server.requests.first).text
        }
    }

    private func part(_ disposition: String, _ headers: String..., content: String) -> String {
        let lines = ["--B", "Content-Disposition: form-data; \(disposition)"] + headers + ["", content, ""]
        return lines.joined(separator: "\r\n")
    }

    @Test func `parts in every form keep their order among the items`() async throws {
        let folder = try ScratchFolder()
        let text = try folder.write("from a file\n", to: "text.txt")
        let image = try folder.write("png", to: "image.png")
        let headers = try folder.write("# a comment\nX-One: 1\n\nX-Two: 2\n", to: "headers")
        let sent = try await body([
            "first=item", "-F", "plain=value", "-F", "typed={\"a\": 1};type=application/json",
            "-F", "content=<\(text)", "-F", "file=@\(image)", "number:=7",
            "-F", "named=@\(text);type=text/x;filename=other name.txt", "-F", "with=@\(image);headers=@\(headers)",
            "-F", #"quoted="a;b";headers="X-Three: 3""#, "--form-string", "literal=@no;type=file", "upload@\(text)",
        ])
        #expect(
            sent
                == [
                    part(#"name="first""#, content: "item"),
                    part(#"name="plain""#, content: "value"),
                    part(#"name="typed""#, "Content-Type: application/json", content: #"{"a": 1}"#),
                    part(#"name="content""#, content: "from a file\n"),
                    part(#"name="file"; filename="image.png""#, "Content-Type: image/png", content: "png"),
                    part(#"name="number""#, content: "7"),
                    part(#"name="named"; filename="other name.txt""#, "Content-Type: text/x", content: "from a file\n"),
                    part(
                        #"name="with"; filename="image.png""#, "Content-Type: image/png", "X-One: 1", "X-Two: 2",
                        content: "png"),
                    part(#"name="quoted""#, "X-Three: 3", content: "a;b"),
                    part(#"name="literal""#, content: "@no;type=file"),
                    part(#"name="upload"; filename="text.txt""#, "Content-Type: text/plain", content: "from a file\n"),
                    "--B--\r\n",
                ].joined()
        )
    }

    @Test func `names are escaped as in browsers`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("x", to: "ü \"q\".txt")
        let sent = try await body(["-F", "a\"b=c", "-F", "ü=@\"\(file.replacing("\"", with: "\\\""))\""])
        #expect(sent.contains(#"form-data; name="a%22b""#))
        #expect(sent.contains(#"form-data; name="ü"; filename="ü %22q%22.txt""#))
    }

    @Test func `standard input can be the content of one part`() async throws {
        var world = ToolWorld()
        world.standardInput = .fixed(.stream, content: "piped")
        #expect(try await body(["-F", "a=<-"], in: world).contains("name=\"a\"\r\n\r\npiped\r\n"))
        let twice = await runTool(["http://127.0.0.1:1/", "-F", "a=<-", "-F", "b=<-"], in: world)
        #expect(twice.status == 64)
        #expect(twice.messages.first == "afcli: error: -F: standard input can be read only once")
    }

    @Test(arguments: [
        (["a[b=1"], ["a[b", "   ^"], "expected ']'"),
        (["a[b]c=1"], ["a[b]c", "    ^"], "expected '['"),
        (["a[-1]=1"], ["a[-1]", "  ^^"], "negative indexes"),
        (["a=1", "a[b]=2"], ["a[b]", " ^^^"], "'a' is of type string"),
        (["a[]=1", "a[b]=2"], ["a[b]", " ^^^"], "'a' is of type array"),
        (["[]=1", "a=2"], ["a", "^"], "the top level is of type array"),
        (["ä[ö][=1"], ["ä[ö][", "     ^"], "expected a key, an index or ']'"),
        (["a:={\"b\" 1}"], ["{\"b\" 1}", "     ^"], "expected ':' at character 6"),
    ])
    func `an error in nested JSON points at the character`(
        items: [String],
        excerpt: [String],
        problem: String
    ) async throws {
        let run = await runTool(["http://127.0.0.1:1/"] + items)
        #expect(run.status == 64)
        #expect(run.messages.count == 4, "\(run.errors)")
        #expect(run.messages.first?.contains(problem) == true, "\(run.errors)")
        #expect(run.messages.dropFirst().prefix(2).map { String($0.dropFirst(2)) } == excerpt)
    }
}
