import AFHTTP
import TestSupport
import Testing

@testable import AFCommand

@Suite struct ContentGuessTests {
    private static let text = "text/plain; charset=utf-8"
    private static let binary = "application/octet-stream"

    @Test(arguments: [
        ("{\"a\": 1}", "application/json"), (" [1, 2]\n", "application/json"), ("3", "application/json"),
        ("\"text\"", "application/json"), ("", nil), (" \n", text), ("\n\n", text),
        ("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson"), ("hello", text), ("a=1&b=2", text), ("{broken", text),
        ("héllo\tworld\r\n", text), ("a\u{0}b", binary), ("\u{1}", binary),
    ])
    func `the label of a body says what it is`(body: String, type: String?) throws {
        #expect(ContentGuess.contentType(of: Array(body.utf8), isComplete: true) == type)
        #expect(try PlannedRequest(":/", "--raw", body).headers["Content-Type"] == type)
    }

    @Test func `bytes that are not UTF-8 are binary`() {
        #expect(ContentGuess.contentType(of: [0xFF, 0xD8, 0xFF], isComplete: true) == Self.binary)
        #expect(ContentGuess.contentType(of: [0x61, 0xC3], isComplete: true) == Self.binary)
    }

    @Test(arguments: [
        ("{\"a\": [1,", "application/json"), ("\n[{", "application/json"), ("id,name\n1,A", text),
        ("a\u{0}", binary), ("[INFO] started\n[INFO] done\n", text), ("\"te", "application/json"),
        ("[\"€", "application/json"),
        ("{\"a\":1}\n{\"a\":", "application/x-ndjson"), ("{\"a\":1}\n", "application/json"), ("{a: 1", text),
        ("{\"a\":1}\n{\"a\":2}\n", "application/x-ndjson"), ("\u{FEFF}{\"a\"", "application/json"), ("12 apples", text),
    ])
    func `the start of a long body decides`(start: String, type: String) {
        #expect(ContentGuess.contentType(of: Array(start.utf8), isComplete: false) == type)
    }

    @Test func `a start may end within a character`() {
        #expect(ContentGuess.contentType(of: Array("grün€".utf8.dropLast()), isComplete: false) == Self.text)
    }

    @Test func `files without a known extension are read, and a typed label counts`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.write("a;b\n1;2\n", to: "data")
        let json = try folder.write("[1]", to: "body")
        let long = try folder.write(String(repeating: "line\n", count: 300_000), to: "long")
        try await withServer { _ in
            .ok()
        } _: { server in
            for (words, type) in [
                (["--raw", "@\(file)"], Self.text), (["@\(file)"], Self.text), (["@\(json)"], "application/json"),
                (["@\(long)"], Self.text), (["@\(file)", "Content-Type:a/b"], "a/b"),
                (["@\(file)", "--json"], "application/json"), (["@\(file)[0:3]"], Self.binary),
                (["@\(file);type=text/csv"], "text/csv"),
            ] {
                let run = await runTool(["post", server.url()] + words)
                #expect(run.status == 0, "\(run.errors)")
                #expect(server.requests.last?["Content-Type"] == type, "\(words)")
            }
        }
    }

    @Test func `standard input is labeled, too`() async throws {
        try await withServer { _ in
            .ok()
        } _: { server in
            for (content, type) in [("plain\n", Self.text), ("{\"a\":1}", "application/json")] {
                let input = StandardInput.fixed(.stream, delivery: .bytes, content: content)
                _ = await runTool("post", server.url(), "@-", in: ToolWorld(standardInput: input))
                #expect(server.requests.last?["Content-Type"] == type)
            }
        }
    }
}
