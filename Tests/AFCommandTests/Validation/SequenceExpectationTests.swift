import TestSupport
import Testing

/// `--expect-json` and `--fail-if` about bodies of several JSON texts.
@Suite(.timeLimit(.minutes(5))) struct SequenceExpectationTests {
    private func status(_ words: [String], of body: String, as type: String) async throws -> (Int32, String) {
        try await withServer { _ in
            .bytes(Array(body.utf8)).header("Content-Type", type)
        } _: { server in
            let run = await runTool(["-q", server.url()] + words)
            return (Int32(run.status), run.errors)
        }
    }

    @Test(arguments: [
        ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", "application/json-seq"),
        ("\u{1E}{\"a\":1}\n\u{1E}{\"a\":2}\n", "application/geo+json-seq"),
        ("{\"a\":1}\n{\"a\":2}\n", "application/json"), ("{\"a\":1}{\"a\":2}", "text/plain"),
        ("{\"a\":1}\n{\"a\":2}\n", "application/x-json-stream"),
    ])
    func `each text of a sequence is a message`(body: String, type: String) async throws {
        for (words, expected) in [
            (["--expect-json", "a>=1"], 0), (["--expect-json", "a==1"], 14), (["--expect-json", "any(a)==2"], 0),
            (["--fail-if", "a==2"], 14), (["--fail-if", "a==3"], 0),
        ] {
            let (status, errors) = try await status(words, of: body, as: type)
            #expect(status == expected, "\(words) \(errors)")
        }
    }

    @Test(arguments: ["{\"a\":1}\ntext\n{\"a\":2}\n", "text\n{\"a\":2}\n{\"a\":", "{\"a\":2}\n{\"a\""])
    func `a line that is not JSON does not hide what fails`(body: String) async throws {
        for (condition, expected) in [("a==2", 14), ("a==3", 0)] {
            let type = "application/x-ndjson"
            let (status, errors) = try await status(["--fail-if", condition], of: body, as: type)
            #expect(status == expected, "\(errors)")
        }
        let (status, _) = try await status(["--expect-json", "any(a)==2"], of: body, as: "application/x-ndjson")
        #expect(status == 14)
    }

    @Test func `a body that is too large fails --fail-if`() async throws {
        let words = ["--max-formatted", "10", "--fail-if", "a==1"]
        let (status, errors) = try await status(words, of: "{\"a\": \"a long text\"}", as: "application/json")
        #expect(status == 14)
        #expect(
            errors.contains("--fail-if 'a==1' cannot check a body of more than 10 bytes; increase --max-formatted"),
            "\(errors)")
    }
}
