import AFFormatting
import TestSupport
import Testing

@testable import AFCommand

@Suite struct MessageWrappingTests {
    private let arguments = ["--max-redirects", "a  b", "http://localhost:1/" + String(repeating: "x", count: 70)]

    @Test func `a message is wrapped between words at the width of the terminal`() async {
        let run = await runTool(arguments, in: .terminal(columns: 40))
        let whole = await runTool(arguments)
        let text = run.errors.withoutColors
        let lines = text.split(separator: "\n")
        #expect(lines.count > whole.errors.split(separator: "\n").count)
        #expect(lines.allSatisfy { $0.count <= 40 })
        #expect(lines.first?.hasPrefix("afcli: error: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        #expect(words(text) == words(whole.errors))
    }

    @Test func `spaces inside a message are preserved`() async {
        let run = await runTool(arguments, in: .terminal(columns: 200))
        #expect(run.errors.contains("'a  b'"))
    }

    @Test func `a word longer than a line is not broken`() {
        #expect("ab abcdefgh c d".wrapped(toColumns: 5, first: ">", margin: "  ") == [">ab", "  abcdefgh", "  c d"])
    }

    @Test func `wide characters take two columns`() {
        #expect("世界 世界 a".wrapped(toColumns: 9, margin: "") == ["世界 世界", "a"])
    }

    private func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
}
