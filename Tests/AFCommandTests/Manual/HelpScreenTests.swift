import Testing

@testable import AFCommand

@Suite struct HelpScreenTests {
    @Test(arguments: [40, 60, 80, 100, 200])
    func `no line is wider than the screen`(width: Int) {
        let text = HelpScreen(Invocation.options.entries, width: width).text(about: .everything)
        let page = HelpPage(overviewOf: Invocation.options.entries)
        let terms =
            [page.usage] + Invocation.options.entries.filter { !$0.isHidden }.map(\.synopsis)
            + page.examples.map(\.term)
        for line in text.split(separator: "\n") where line.count > min(width, 100) {
            #expect(terms.contains { line.hasSuffix($0) }, "\(line)")
        }
        #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test func `examples come before the options and every option is there`() throws {
        let text = HelpScreen(Invocation.options.entries, width: 80).text(about: .everything)
        let examples = try #require(text.firstRange(of: "Examples:"))
        let options = try #require(text.firstRange(of: "Request:"))
        #expect(text.hasPrefix("Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]\n"))
        #expect(examples.lowerBound < options.lowerBound)
        for option in Invocation.options.entries {
            #expect(text.contains("  \(option.synopsis)") != option.isHidden, "\(option.name)")
        }
    }

    @Test func `terms and meanings are in two columns`() {
        let page = HelpPage(
            usage: "u",
            purpose: "p",
            examples: [],
            items: .init(title: "Items", rows: []),
            sections: [
                .init(
                    title: "T",
                    rows: [
                        .init(term: "-a", meaning: "one two three four five six seven eight"),
                        .init(term: "--a-term-that-is-much-too-long", meaning: "m"),
                    ])
            ],
            footer: []
        )
        let margin = String(repeating: " ", count: 30)
        #expect(
            HelpScreen(Invocation.options.entries, width: 60).text(of: page).contains(
                "T:\n  -a\(String(repeating: " ", count: 26))one two three four five six\n\(margin)seven eight\n"
                    + "  --a-term-that-is-much-too-long\n\(margin)m\n"))
    }

    @Test func `a narrow screen puts meanings below their terms`() {
        let text = HelpScreen(Invocation.options.entries, width: 40).text(about: .everything)
        #expect(text.contains("  -L, --follow\n      Follow redirects\n"))
    }

    @Test func `one option is told in full`() {
        let text = HelpScreen(Invocation.options.entries, width: 80).text(about: .option("--pretty"))
        #expect(text.hasPrefix("--pretty STYLE\n  Format and color the output.\n"))
        #expect(text.contains("One of: all, colors, format, none"))
        #expect(text.contains("on a terminal"))
    }

    @Test func `paragraphs about an option stand apart`() {
        let text = HelpScreen(Invocation.options.entries, width: 80).text(about: .option("--auth-type"))
        #expect(text.contains("after the server's challenge.\n\n  `ntlm` accepts"), "\(text)")
        #expect(ManualPage(options: Invocation.options.entries).text.contains("challenge.\n.Pp\n.Ql ntlm\naccepts"))
        let lines = text.split(separator: "\n").dropFirst()
        #expect(lines.allSatisfy { $0.hasPrefix("  ") }, "\(text)")
    }

    @Test func `every example can be read`() throws {
        for example in HelpPage(overviewOf: Invocation.options.entries).examples {
            let words = example.term.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
            let invocation = try Invocation(parsing: words)
            #expect(!invocation.positionals.isEmpty, "\(example.term)")
        }
    }
}
