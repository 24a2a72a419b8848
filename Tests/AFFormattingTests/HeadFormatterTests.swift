import AFHTTP
import TestSupport
import Testing

@testable import AFFormatting

@Suite struct HeadFormatterTests {
    private let head = "HTTP/1.1 404  Not Found\r\nserver: x\r\nZ: 2\r\nA:1\r\nX-Long: a\r\n  folded\r\nA: 0\r\n\r\n"

    @Test func `a head is shown byte for byte`() throws {
        #expect(try shown(head, by: HeadFormatter()) == head)
        #expect(try shown("HTTP/1.0 200 OK\nA: b\n\n", by: HeadFormatter()) == "HTTP/1.0 200 OK\nA: b\n\n")
    }

    @Test func `no line beside events starts with a brace`() throws {
        let head = "HTTP/1.1 200 OK\r\n{a}: {b}\r\n \t{c}\r\nd: \r{e}\u{2028}{f}\u{85}{g}\n{h}\r\n\r\n"
        let text = try self.shown(head, by: HeadFormatter(isForTerminal: true, isBesideEvents: true))
        let expected = [#"\x7ba}: {b}"#, " \t" + #"\x7bc}"#, #"d: \x0d{e}\u2028{f}\u0085{g}"# + "\n" + #"\x7bh}"#]
        #expect(text == "HTTP/1.1 200 OK\r\n\(expected.joined(separator: "\r\n"))\r\n\r\n")
    }

    @Test func `sorting keeps repeated and folded fields together`() throws {
        let sorted = "HTTP/1.1 404  Not Found\r\nA:1\r\nA: 0\r\nX-Long: a\r\n  folded\r\nZ: 2\r\nserver: x\r\n\r\n"
        #expect(try shown(head, by: HeadFormatter(isSorted: true)) == sorted)
    }

    @Test func `with colors, status and names have styles and lines end with a line feed`() throws {
        let text = try shown("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", by: HeadFormatter(palette: .standard))
        #expect(
            text
                == "\u{1B}[34mHTTP/1.1\u{1B}[0m \u{1B}[1;32m200\u{1B}[0m \u{1B}[1;32mOK\u{1B}[0m\n\u{1B}[34mA\u{1B}[0m: b\n\n"
        )
    }

    @Test func `with colors, the lines of a folded field end with a line feed, too`() throws {
        let text = try shown(head, by: HeadFormatter(palette: .standard))
        #expect(text.contains("a\n  folded\n"))
        #expect(!text.contains("\r"))
    }

    @Test func `every class of status has its own style`() {
        let styles = [100, 200, 300, 400, 500].map(Palette.standard.status)
        #expect(Set(styles).count == 5)
    }

    @Test func `the parts of a request line have their own styles`() throws {
        let text = try shown("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", by: HeadFormatter(palette: .standard))
        #expect(text.hasPrefix("\u{1B}[1;32mGET\u{1B}[0m \u{1B}[36m/a?b=c\u{1B}[0m \u{1B}[34mHTTP/1.1\u{1B}[0m\n"))
        #expect(text.withoutColors == "GET /a?b=c HTTP/1.1\nHost: x\n\n")
    }

    @Test func `a head made from header fields preserves order and repetitions`() throws {
        let headers = HTTPHeaders(repeating: [
            HTTPHeader(name: "B", value: "1"), HTTPHeader(name: "a", value: ""), HTTPHeader(name: "B", value: "2"),
        ])
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        HeadFormatter().format(startLine: "GET / HTTP/1.1", headers: headers, into: &buffer)
        try buffer.flush()
        #expect(output.text == "GET / HTTP/1.1\r\nB: 1\r\na:\r\nB: 2\r\n\r\n")
    }

    @Test(arguments: [nil, Palette.standard], [false, true])
    func `control characters are escaped on a terminal`(palette: Palette?, isSorted: Bool) throws {
        let formatter = HeadFormatter(palette: palette, isSorted: isSorted, isForTerminal: true)
        let text = try shown("HTTP/1.1 200 \u{1B}]0;x\u{7}\r\nX\u{9B}: \u{202E}\u{1B}[2J\rb\r\n\r\n", by: formatter)
        #expect(!text.withoutColors.holdsTerminalControls)
        #expect(text.contains(#"\x1b[2J\x0db"#))
    }

    @Test(arguments: ["", "\r\n", "\n\n\n", "X", ":", " folded first\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n"])
    func `malformed heads are shown without changes except in line ends`(head: String) throws {
        let text = try shown(head, by: HeadFormatter(palette: .standard, isSorted: true, isForTerminal: true))
        #expect(text.withoutColors.filter { !$0.isNewline } == head.filter { !$0.isNewline })
    }

    private func shown(_ head: String, by formatter: HeadFormatter) throws -> String {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        formatter.format(Array(head.utf8), into: &buffer)
        try buffer.flush()
        return output.text
    }
}
