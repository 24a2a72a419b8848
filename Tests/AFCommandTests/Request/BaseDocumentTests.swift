import TestSupport
import Testing

@testable import AFCommand

/// Bodies that combine a file with items: JSON documents with changed members, ranges of files, and parts of JSON.
@Suite(.timeLimit(.minutes(5))) struct BaseDocumentTests {
    private func send(_ words: [String], in world: ToolWorld = ToolWorld()) async throws -> RecordedRequest {
        try await withServer { _ in
            .ok()
        } _: { server in
            let run = await runTool(words.map { $0 == "URL" ? server.url() : $0 }, in: world)
            #expect(run.status == 0, "\(run.errors)")
            return try #require(server.requests.first)
        }
    }

    @Test(arguments: [
        (["n:=2"], #"{"id": 1.50, "n": 2, "a": [1,{"x":null}]}"#),
        (["a[1][x]=y", "a[]:=3"], #"{"id": 1.50, "n": 1, "a": [1, {"x": "y"}, 3]}"#),
        (["a:=[]", "new[deep]=1"], #"{"id": 1.50, "n": 1, "a": [], "new": {"deep": "1"}}"#),
    ])
    func `items change members of a JSON file`(items: [String], body: String) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(" {\"id\":1.50, \"n\":1,\"a\":[1,{\"x\":null}]}\n", to: "base.json")
        let request = try await send(["URL", "@\(path)"] + items)
        #expect(request.method == "POST")
        #expect(request.text == body)
        #expect(request["Content-Type"] == "application/json")
        #expect(try await send(["URL"] + items + ["@\(path)"]).text == body)
        let typed = try await send(["put", "URL", "@\(path);type=application/merge-patch+json"] + items)
        #expect(typed["Content-Type"] == "application/merge-patch+json")
    }

    @Test(arguments: [
        (["@base.txt", "n:=2"], "only a JSON file can be combined with items"),
        (["@base.json", "f@base.txt"], "add --form for a form, or use NAME=@FILE for the file's text"),
        (["--raw", "{}", "n:=2"], "n:=2: cannot be combined with --raw, which is the complete body"),
        (["--form", "@base.json", "n=2"], "n=2: cannot be combined with @base.json, which is the complete body"),
        (["@base.json", "@base.txt"], "@base.txt: the request body is already '@base.json'"),
    ])
    func `other combinations are errors`(words: [String], line: String) async throws {
        let folder = try ScratchFolder()
        for (name, text) in [("base.json", "{}"), ("base.txt", "plain")] { _ = try folder.write(text, to: name) }
        let placed = words.map { $0.replacing("@base", with: "@\(folder.path)/base") }
        let run = await runTool(["http://127.0.0.1:1/"] + placed)
        #expect(run.status == 64)
        let last = try #require(run.messages.last)
        #expect(last.hasSuffix(line.replacing("@base", with: "@\(folder.path)/base")), "\(run.errors)")
    }

    @Test func `a base that is no object has a position`() async throws {
        let folder = try ScratchFolder()
        let run = await runTool("http://127.0.0.1:1/", "@\(try folder.write("[1]", to: "base"))", "n=2")
        #expect(run.status == 64)
        #expect(run.errors.contains("the top level is of type array"))
    }

    @Test(arguments: [
        ("[0:5]", "01234"), ("[:3]", "012"), ("[7:]", "789"), ("[8:1K]", "89"), ("[0:1M]", "0123456789"),
    ])
    func `a range of a file is the body or a part`(range: String, content: String) async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("0123456789", to: "data.csv")
        let whole = try await send(["URL", "@\(path)\(range)"])
        #expect(whole.text == content)
        #expect(whole["Content-Type"] == "text/csv")
        #expect(whole["Content-Length"] == "\(content.utf8.count)")
        #expect(try await send(["URL", "--raw", "@\(path)\(range)"]).text == content)
        for words in [["--form", "URL", "f@\(path)\(range)"], ["URL", "-F", "f=@\(path)\(range)"]] {
            let part = try await send(words)
            #expect(part.text.contains("filename=\"data.csv\"\r\nContent-Type: text/csv\r\n\r\n\(content)\r\n--"))
        }
    }

    @Test func `a file whose name ends like a range is sent`() async throws {
        let folder = try ScratchFolder()
        _ = try folder.write("0123456789", to: "f")
        let path = try folder.write("own", to: "f[0:5]")
        #expect(try await send(["URL", "@\(path)"]).text == "own")
    }

    @Test(arguments: [
        ("f[10:]", "the range starts at byte 10, but"), ("f[5:5]", "the range '5:5' is empty"),
        ("f[6:5]", "the range '6:5' is empty"), ("f[a:5]", "expected a size such as 500k or 10M, got 'a'"),
        ("f[0:-1]", "expected a size such as 500k or 10M, got '-1'"),
    ])
    func `a bad range is an error before the request`(name: String, problem: String) async throws {
        let folder = try ScratchFolder()
        _ = try folder.write("0123456789", to: "f")
        let run = await runTool("http://127.0.0.1:1/", "@\(folder.file(name))")
        #expect(run.status == 64)
        #expect(run.errors.contains(problem), "\(run.errors)")
        #expect(await runTool("http://127.0.0.1:1/", "@\(folder.file("none"))[0:5]").status == 16)
        let input = await runTool("http://127.0.0.1:1/", "@-[0:5]")
        #expect(input.errors.contains("a range requires a regular file, and '-' is none"), "\(input.errors)")
        #expect(await runTool("http://127.0.0.1:1/", "@\(folder.file("f"))[5]").status == 16)
    }

    @Test func `the curl command for a range reads only these bytes`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write("0123456789", to: "f")
        let run = await runTool("--curl", "http://h/", "@\(path)[2:5]")
        #expect(run.output.hasPrefix("tail -c +3 \(path) | head -c 3 | curl "), "\(run.output)")
    }

    @Test func `a JSON value is a part with its type`() async throws {
        let request = try await send([
            "--multipart", "--boundary", "B", "URL", #"meta:={"a":1}"#, "list:=[1]", "none:=null", "n:=1", "s:=\"t\"",
        ])
        #expect(
            request.text.hasPrefix(
                "--B\r\nContent-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n"
            ),
            "\(request.text)")
        #expect(request.text.ranges(of: "Content-Type: application/json").count == 3)
        #expect(request.text.contains("name=\"n\"\r\n\r\n1\r\n"))
        #expect(request.text.contains("name=\"s\"\r\n\r\nt\r\n"))
    }
}
