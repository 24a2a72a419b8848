import AFHTTP
import TestSupport
import Testing

@testable import AFFormatting

@Suite struct BodyFormatterTests {
    private let terminal = BodyPresentation(isFormatted: true, palette: nil, isForTerminal: true)
    private let notice = """
        +-----------------------------------------+
        | NOTE: binary data not shown in terminal |
        +-----------------------------------------+

        """

    @Test(
        arguments: [
            ("application/json", .json), ("application/problem+json; charset=utf-8", .json), ("text/json", .json),
            ("application/x-ndjson", .ndjson), ("application/jsonl", .ndjson),
            ("application/stream+json", .ndjson), ("application/json-lines", .ndjson),
            ("application/x-ldjson", .ndjson),
            ("text/xml", .xml), ("image/svg+xml", .xml), ("application/xhtml+xml", .html), ("text/html", .html),
            ("application/x-www-form-urlencoded", .form), ("text/event-stream;charset=utf-8", .eventStream),
            ("text/plain", .text), ("application/javascript", .text), ("image/png", .binary),
            ("application/zip", .binary),
            ("application/octet-stream", .unknown),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", .unknown),
            ("nonsense", .unknown),
        ] as [(String, BodyKind)])
    func `the kind of a body is derived from its media type`(text: String, kind: BodyKind) {
        #expect(BodyKind(MediaType(parsing: text)) == kind)
    }

    @Test func `without formatting the output is unchanged, even for binary data`() throws {
        for kind in [BodyKind.json, .binary, .text, .eventStream, .unknown] {
            let formatter = BodyFormatter(kind: kind, presentation: BodyPresentation())
            #expect(try shown("{\"a\":1}\u{0}\u{1B}\r\n", by: formatter) == "{\"a\":1}\u{0}\u{1B}\r\n")
        }
    }

    @Test(arguments: [BodyKind.text, .unknown, .html, .form, .xml])
    func `JSON with a wrong media type is detected and formatted`(kind: BodyKind) throws {
        for pieces in [" ", "\u{FEFF}", "\u{FEFF}\n"].flatMap({ cuts(of: Array("\($0){\"a\":[1]}".utf8)) }) {
            let formatter = BodyFormatter(kind: kind, presentation: terminal)
            #expect(try shown(pieces, by: formatter).text == "{\n    \"a\": [\n        1\n    ]\n}")
        }
    }

    @Test(arguments: [
        "[INFO] started\n[INFO] done\n", "[2024-01-01] {x}\n", "{ not json }", "plain", "[1", "", " \n", "\u{FEFF}",
        "\u{FEFF}plain",
    ])
    func `text that only looks like JSON is unchanged`(text: String) throws {
        for pieces in cuts(of: Array(text.utf8)) {
            let formatter = BodyFormatter(kind: .text, presentation: terminal)
            #expect(try shown(pieces, by: formatter) == (text, nil))
        }
    }

    @Test func `long JSON with a wrong media type is formatted completely`() throws {
        let text = "[" + Array(repeating: "12345", count: 1000).joined(separator: ",") + "]"
        let expected = try shown(text, by: JSONFormatter())
        for size in [1, 7, 1023, 1024, 1025, 100_000] {
            let pieces = Array(text.utf8).pieces(of: size)
            #expect(try shown(pieces, by: BodyFormatter(kind: .unknown, presentation: terminal)).text == expected)
        }
    }

    @Test func `in line mode one line determines the kind of the body`() throws {
        var streamed = terminal
        streamed.isStreamed = true
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var formatter = BodyFormatter(kind: .text, presentation: streamed)
        try Array("{\"a\":1}\n{\"b\":".utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        try buffer.flush()
        #expect(output.text.hasPrefix("{\n    \"a\": 1\n}"))
        let lines = "\n{\"a\":1}\n{\"b\":2}\nno JSON\n"
        let whole = try shown(lines, by: BodyFormatter(kind: .unknown, presentation: streamed))
        for pieces in cuts(of: Array(lines.utf8)) {
            #expect(try shown(pieces, by: BodyFormatter(kind: .unknown, presentation: streamed)).text == whole)
        }
    }

    @Test func `in line mode XML keeps its layout`() throws {
        var streamed = terminal
        streamed.isStreamed = true
        #expect(try shown("<a><b/></a>", by: BodyFormatter(kind: .xml, presentation: streamed)) == "<a><b/></a>")
        #expect(try shown("<a><b/></a>", by: BodyFormatter(kind: .xml, presentation: terminal)) == "<a>\n  <b/>\n</a>")
    }

    @Test func `formatting can be disabled for JSON and for XML separately`() throws {
        var presentation = terminal
        presentation.formatsJSON = false
        #expect(try shown("[1]", by: BodyFormatter(kind: .json, presentation: presentation)) == "[1]")
        #expect(try shown("<a><b/></a>", by: BodyFormatter(kind: .xml, presentation: presentation)).contains("\n"))
        presentation = terminal
        (presentation.formatsXML, presentation.isSorted) = (false, true)
        #expect(try shown("<a><b/></a>", by: BodyFormatter(kind: .xml, presentation: presentation)) == "<a><b/></a>")
        #expect(try shown("[1]", by: BodyFormatter(kind: .json, presentation: presentation)) == "[\n    1\n]")
    }

    @Test func `plain text is written immediately`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var formatter = BodyFormatter(kind: .text, presentation: terminal)
        try Array("log line\n".utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        try buffer.flush()
        #expect(output.text == "log line\n")
    }

    @Test func `a notice replaces binary data on a terminal, but not an empty body`() throws {
        let formatter = BodyFormatter(kind: .binary, presentation: terminal)
        for pieces in cuts(of: [0x89, 0x50, 0x4E, 0x47]) { #expect(try shown(pieces, by: formatter).text == notice) }
        #expect(try shown("", by: formatter).isEmpty)
    }

    @Test func `a body of unknown kind is classified by its bytes`() throws {
        let formatter = BodyFormatter(kind: .unknown, presentation: terminal)
        #expect(try shown([[1, 2, 3, 0x41, 0x42]], by: formatter).text == notice)
        #expect(try shown([[0x41, 0, 0x41]], by: formatter).text == notice)
        #expect(try shown("readable", by: formatter) == "readable")
    }

    @Test(arguments: [BodyKind.text, .json, .form, .eventStream, .html])
    func `a body is treated as binary from its first NUL byte`(kind: BodyKind) throws {
        let formatter = BodyFormatter(kind: kind, presentation: terminal)
        let whole = try shown("12 \u{0}34\u{1B}", by: formatter)
        #expect(whole.hasSuffix("\n" + notice))
        #expect(!whole.contains("34"))
    }

    @Test func `the formatter reports the offset of invalid data and whether the body is binary`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var formatter = BodyFormatter(kind: .json, presentation: terminal)
        try Array("[1,x".utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(formatter.brokenOffset == 3)
        #expect(!formatter.isBinary)
        try [0 as UInt8].withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(formatter.isBinary)
    }

    @Test(arguments: [BodyKind.json, .text, .form, .eventStream, .html, .unknown, .xml])
    func `random bytes in any chunks write no control characters to a terminal`(kind: BodyKind) throws {
        var numbers = SeededNumbers(seed: 21)
        let alphabet = Array("{[\"data: =&\n\r\u{1B}\u{9B}\u{202E}é]}".utf8)
        for palette in [nil, Palette.standard] {
            let presentation = BodyPresentation(isFormatted: true, palette: palette, isForTerminal: true)
            let formatter = BodyFormatter(kind: kind, presentation: presentation)
            for _ in 0..<300 {
                let bytes = (0..<50).map { _ in
                    Int.random(in: 0...4, using: &numbers) > 0
                        ? alphabet.randomElement(using: &numbers) ?? 0 : UInt8.random(in: 0...255, using: &numbers)
                }
                let whole = try shown([bytes], by: formatter).text
                #expect(!whole.withoutColors.holdsTerminalControls)
                #expect(try shown(bytes.pieces(of: 3), by: formatter).text == whole)
                #expect(try shown(bytes.pieces(of: 1), by: formatter).text == whole)
            }
        }
    }
}

@Suite struct EventStreamFormatterTests {
    private let stream = "event: a\r\ndata: {\"x\": [1]}\r\n\r\n: note\ndata:plain\rdata\n\nid: 7"

    @Test func `colors do not change the text`() throws {
        let expected = "event: a\ndata: {\"x\": [1]}\n\n: note\ndata:plain\ndata\n\nid: 7"
        for pieces in cuts(of: Array(stream.utf8)) {
            let colored = EventStreamFormatter(palette: .standard, isForTerminal: true)
            #expect(try shown(pieces, by: colored).text.withoutColors == expected)
            #expect(try shown(pieces, by: EventStreamFormatter(palette: nil, isForTerminal: false)).text == expected)
        }
    }

    @Test func `JSON in a value is colored`() throws {
        let text = try shown(stream, by: EventStreamFormatter(palette: .standard, isForTerminal: false))
        #expect(text.contains("\u{1B}[1;34mdata\u{1B}[0m: {\u{1B}[1;34m\"x\"\u{1B}[0m: [\u{1B}[36m1\u{1B}[0m]}\n"))
    }

    @Test func `an event is written when it is complete`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var formatter = EventStreamFormatter(palette: nil, isForTerminal: false)
        try Array("data: 1\n".utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(output.text.isEmpty)
        try Array("\ndata: 2\n".utf8).withUnsafeBytes { try formatter.consume($0, into: &buffer) }
        #expect(output.text == "data: 1\n\n")
    }

    @Test func `a value with many spaces is unchanged`() throws {
        let text = "data:" + String(repeating: " ", count: 200_000) + "x\n"
        #expect(try shown(text, by: EventStreamFormatter(palette: nil, isForTerminal: true)) == text)
    }
}

@Suite struct FormFormatterTests {
    @Test func `names and values are colored and nothing else changes`() throws {
        let formatter = FormFormatter(palette: .standard, isForTerminal: true)
        let text = "a=1&b=x=y&&c&=d&e="
        for pieces in cuts(of: Array(text.utf8)) {
            let colored = try shown(pieces, by: formatter).text
            #expect(colored.withoutColors == text)
            #expect(colored.hasPrefix("\u{1B}[1;34ma\u{1B}[0m=\u{1B}[32m1\u{1B}[0m&"))
            #expect(colored.contains("\u{1B}[32mx=y\u{1B}[0m"))
        }
    }
}

extension [UInt8] {
    fileprivate func pieces(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
