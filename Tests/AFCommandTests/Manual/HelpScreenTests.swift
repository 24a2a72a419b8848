import AFCore
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
                [HelpPage.usage] + options.flatMap { [$0.synopsis, $0.shortSynopsis] }
                + HelpPage.examples.map(\.term)
            for line in text.split(separator: "\n") where line.count > min(width, 100) {
                #expect(terms.contains { line.hasSuffix($0) }, "\(line)")
            }
            #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
        }
    }

    @Test func `the overview fits a screen`() throws {
        let lines = text(about: .overview).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 45, "\(lines.count)")
        #expect(lines.first == "Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]")
        #expect(HelpPage.common.count == 20)
        for name in HelpPage.common {
            let option = try #require(options.first { $0.name == name })
            #expect(lines.contains { $0.hasPrefix("  \(option.shortSynopsis) ") && $0.hasSuffix(option.summary) })
        }
        for example in HelpPage.examples.prefix(3) { #expect(lines.contains { $0.hasPrefix("  \(example.term) ") }) }
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `no summary is wrapped at 80 columns`() {
        let lines = text(about: .all).split(separator: "\n")
        for option in options where option.isOffered {
            #expect(lines.contains { $0.hasSuffix("  \(option.summary)") }, "\(option.name)")
        }
    }

    @Test func `the complete help lists rarely needed options last and once`() throws {
        let text = text(about: .all)
        let last = try #require(text.split(separator: "\nRarely needed:\n").last)
        for option in options where option.isOffered {
            let isLast = last.split(separator: "\n").contains { "\($0) ".hasPrefix("  \(option.synopsis) ") }
            #expect(isLast == option.isRare, "\(option.name)")
        }
        #expect(self.text(about: .section(title: "Rarely needed")).contains("  --boundary TEXT"))
        #expect(self.text(about: .section(title: "Request")).contains("  --boundary TEXT"))
    }

    @Test func `an option for a feature that libcurl lacks is not offered`() async throws {
        let index = try #require(options.firstIndex { $0.name == "--http3" })
        #expect(options[index].isOffered == CurlFeatures.hasHTTP3)
        #expect(text(about: .all).contains("--http3") == CurlFeatures.hasHTTP3)
        #expect(text(about: .option("--http3")).hasPrefix("--http3\n"))
        // The files in the repository are the same for every libcurl.
        #expect(!CompletionWords(options).optionNames.contains("http3"))
        #expect(ManualPage(options: options).text.contains("http3"))
        #expect(FileRunOption.help.contains("--http3") == CurlFeatures.hasHTTP3)
        #expect(!FileRunOption.completed.contains { $0.name == "http3" })
        #expect(await runTool("curl", "--help", "all").output.contains("--http3") == CurlFeatures.hasHTTP3)
    }

    @Test(arguments: [
        ("expect", "--expect-status"), ("cookie", "--cookie-jar"), ("cookie", "--session"),
        ("exit", "--no-check-status"),
        ("status", "--expect-status"), ("stdin", "--ignore-stdin"), ("junit", "--report"),
        ("env", "--auth"), ("certificate", "--cert"), ("COOKIE", "--cookie-jar"),
    ])
    func `a word finds the options with it in name, summary or description`(word: String, option: String) throws {
        let topic = try HelpTopic(argument: word)
        let entry = try #require(options.first { $0.name == option })
        guard topic != .option(option) else { return }
        #expect(topic == .search(word))
        let text = text(about: topic)
        #expect(text.contains("  \(entry.synopsis)"), "\(text)")
        #expect(text.hasSuffix("\n\n--help=OPTION describes an option.\n"))
    }

    @Test func `options with the word in their name precede those that mention it`() throws {
        let text = text(about: .search("cookie"))
        #expect(text.hasPrefix("Options for 'cookie':\n"))
        let second = try #require(text.firstRange(of: "Options that mention 'cookie':"))
        let jar = try #require(text.firstRange(of: "--cookie-jar FILE"))
        #expect(jar.lowerBound < second.lowerBound)
        #expect(!text.contains("--timeout SECONDS"))
    }

    @Test func `examples come before the options and every option is there`() throws {
        let text = text(about: .all)
        let examples = try #require(text.firstRange(of: "Examples:"))
        let first = try #require(text.firstRange(of: "Request:"))
        #expect(text.hasPrefix("Usage: afcli [OPTIONS] [METHOD] URL [ITEM ...]\n"))
        #expect(examples.lowerBound < first.lowerBound)
        for option in options {
            #expect(text.contains("  \(option.synopsis)") == option.isOffered, "\(option.name)")
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

    @Test(arguments: [["--help=run"], ["help", "run"], ["run", "--help"]])
    func `the help of files of requests has one text`(words: [String]) async {
        #expect(await runTool(words).output.hasPrefix("Usage: afcli run [OPTION ...] FILE ...\n"))
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
        #expect(text.contains("that the challenge offers.\n\n  `ntlm` accepts"), "\(text)")
        #expect(ManualPage(options: options).text.contains("that the challenge offers.\n.Pp\n.Ql ntlm\naccepts"))
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
