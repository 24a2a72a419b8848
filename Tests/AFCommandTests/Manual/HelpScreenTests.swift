import Testing

@testable import AFCommand
@testable import afcli_docs

@Suite struct HelpScreenTests {
    private let options = Invocation.options.entries

    private func text(about topic: HelpTopic, width: Int = 80) -> String {
        HelpScreen(options, width: width).text(about: topic)
    }

    @Test(arguments: [40, 60, 80, 100, 200])
    func `no line is wider than the terminal`(width: Int) {
        for topic in [HelpTopic.overview, .all] {
            let text = text(about: topic, width: width)
            let terms =
                [HelpPage.usage] + options.filter { !$0.isHidden }.map(\.synopsis) + HelpPage.examples.map(\.term)
            for line in text.split(separator: "\n") where line.count > min(width, 100) {
                #expect(terms.contains { line.hasSuffix($0) }, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        }
    }

    @Test func `the overview fits a screen`() {
        let lines = text(about: .overview).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 48, "\(lines.count)")
        #expect(lines.first == "Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]")
        #expect(HelpPage.common.count == 25)
        for name in HelpPage.common {
            let synopsis = options.first { $0.name == name }?.synopsis
            #expect(lines.contains { line in synopsis.map { line.hasPrefix("  \($0)") } ?? false }, "\(name)")
        }
    }

    @Test func `examples come before the options and every option is there`() throws {
        let text = text(about: .all)
        let examples = try #require(text.firstRange(of: "Examples:"))
        let first = try #require(text.firstRange(of: "Request:"))
        #expect(text.hasPrefix("Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]\n"))
        #expect(examples.lowerBound < first.lowerBound)
        for option in options {
            #expect(text.contains("  \(option.synopsis)") != option.isHidden, "\(option.name)")
        }
    }

    @Test func `terms and descriptions are in two columns`() {
        let page = HelpPage(
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
            HelpScreen(options, width: 60).lines(of: page) == [
                "Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]", "", "T:",
                "  -a\(String(repeating: " ", count: 26))one two three four five six", "\(margin)seven eight",
                "  --a-term-that-is-much-too-long", "\(margin)m",
            ])
    }

    @Test func `a section has its options`() {
        let network = text(about: .section(title: "Network"))
        #expect(network.hasPrefix("Network:\n  --timeout SECONDS"))
        #expect(!network.contains("--retry"))
        // An option with the name of a heading shows both.
        let download = text(about: .option("--download"))
        #expect(download.hasPrefix("-d, --download\n"))
        #expect(download.contains("\n\nDownload:\n"))
        #expect(download.contains("  --checksum CHECKSUM"))
    }

    @Test(arguments: [
        ("", HelpTopic.overview), ("all", .all), ("--all", .option("--all")), ("network", .section(title: "Network")),
        ("Dry-Run", .section(title: "Dry run")), ("retry", .option("--retry")), ("L", .option("--follow")),
        ("--max-redir", .option("--max-redirects")), ("ALL", .all), ("Items", .items), ("examples", .examples),
        ("Timeout", .option("--timeout")), ("common-options", .overview),
    ])
    func `a topic is an option or a section`(word: String, topic: HelpTopic) throws {
        #expect(try Invocation(parsing: ["--help=\(word)"]).helpTopic == topic)
        #expect(try Invocation(parsing: ["help", "--", word]).helpTopic == topic)
    }

    @Test func `every topic named by the help is accepted`() throws {
        for page in [HelpPage(overviewOf: options), HelpPage(describing: options)] {
            for section in page.sections {
                #expect(throws: Never.self) { try HelpTopic(argument: section.title) }
            }
        }
        #expect(text(about: .items).hasPrefix("Items:\n  Name:Value"))
        #expect(text(about: .examples).hasPrefix("Examples:\n  afcli example.org"))
        for word in CompletionWords(options).helpTopics {
            #expect(throws: Never.self) { try HelpTopic(argument: word) }
        }
    }

    @Test func `help about two topics is an error`() {
        let error = #expect(throws: UsageError.self) {
            try Invocation(parsing: ["help", "timeout", "network"]).helpTopic
        }
        #expect(error?.message == "afcli help: takes one topic")
        #expect(error?.hint == "to send the method HELP: --method HELP")
    }

    @Test func `help is a command`() throws {
        #expect(try Invocation(parsing: ["help"]).helpTopic == .overview)
        for words in [["help/"], ["get", "help"], ["help", "example.org", "a=b"]] {
            #expect(try Invocation(parsing: words).helpTopic == nil)
        }
    }

    @Test func `in a narrow terminal descriptions are below their terms`() {
        let text = text(about: .overview, width: 40)
        #expect(text.contains("  -L, --follow\n      Follow redirects\n"))
    }

    @Test func `the help for one option is complete`() {
        let text = text(about: .option("--pretty"))
        #expect(text.hasPrefix("--pretty STYLE\n  Format and color the output.\n"))
        #expect(text.contains("One of: all, colors, format, none"))
        #expect(text.contains("on a terminal"))
    }

    @Test func `paragraphs about an option are separated`() {
        let text = text(about: .option("--auth-type"))
        #expect(text.contains("after the server's challenge.\n\n  `ntlm` accepts"), "\(text)")
        #expect(ManualPage(options: options).text.contains("challenge.\n.Pp\n.Ql ntlm\naccepts"))
        let lines = text.split(separator: "\n").dropFirst()
        #expect(lines.allSatisfy { $0.hasPrefix("  ") }, "\(text)")
    }

    @Test func `every example can be parsed`() throws {
        for example in HelpPage.examples {
            let words = example.term.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
            let invocation = try Invocation(parsing: words)
            #expect(!invocation.positionals.isEmpty, "\(example.term)")
        }
    }
}
