import TestSupport
import Testing

/// Every example in the documents works. There are no exceptions.
@Suite(.timeLimit(.minutes(5))) struct ExampleTests {
    /// Runs the examples and records their failures.
    ///
    /// - Returns: The number of examples.
    private func play(_ examples: [Example], requests: String? = nil) async throws -> Int {
        let stage = try await ExampleStage(requests: requests)
        for example in examples {
            if let failure = try await stage.failure(in: example) {
                Issue.record("\(example.place): \(example.command)\n\(failure)")
            }
        }
        return examples.count
    }

    /// Returns the text of a document and the number of lines with a command of the tool, in any markup.
    private func document(_ name: String) throws -> (text: String, mentions: Int) {
        let text = try #require(Repository.text(of: name))
        return (text, text.split(separator: "\n").count { $0.contains(#/(^|\| |`|Ql ")afcli [^`]*[a-z]/#) })
    }

    @Test func `every example of the README works`() async throws {
        let (text, mentions) = try document("README.md")
        let played = try await play(Example.markdown(text, named: "README.md"))
        #expect(played >= 5)
        #expect(played == mentions)
    }

    @Test func `every example for users of curl and HTTPie works`() async throws {
        let (text, mentions) = try document("Documentation/coming-from.md")
        let played = try await play(Example.markdown(text, named: "coming-from.md"))
        #expect(played >= 15)
        #expect(played == mentions)
    }

    @Test func `every example of the guide to a suite works, with its file of requests`() async throws {
        let (text, mentions) = try document("Documentation/suite.md")
        let file = try #require(text.firstMatch(of: #/```hurl\n(# people\.hurl\n[^`]+)```/#)?.1)
        let played = try await play(Example.markdown(text, named: "suite.md"), requests: String(file))
        #expect(played >= 10)
        #expect(played == mentions)
    }

    @Test func `every example of the manual works`() async throws {
        let (text, mentions) = try document("man/afcli.1")
        let played = try await play(Example.manual(text, named: "afcli.1"))
        #expect(played > 7)
        #expect(played == mentions)
    }

    @Test func `every example of the help works`() async throws {
        let help = try await Program.afcli("--help=all").run().text
        let played = try await play(Example.help(help))
        #expect(played > 5)
        #expect(played == help.split(separator: "\n").count { $0.hasPrefix("  afcli ") })
    }

    @Test(arguments: [
        "afcli example.org/nowhere", "afcli -a ada:wrong https://example.org/private", "afcli example.org --nonsense",
        "afcli https://intern.example", "afcli example.org -o one --offline",
        "afcli example.org --report run.json >other",
    ])
    func `an example that does not work is found`(command: String) async throws {
        let stage = try await ExampleStage()
        #expect(try await stage.failure(in: Example(place: "here", command: command)) != nil)
    }
}
