import FoundationEssentials
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting
@testable import AFJSON
@testable import AFRequests

/// Everything that reads escaped strings of JSON reads the same characters.
@Suite struct JSONEscapeTests {
    /// The text between the quotes, and its meaning.
    static let strings = [
        (#"\ud83d\ude00"#, "\u{1F600}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\ud800\udc00"#, "\u{10000}"),
        // Without a glyph: a tag, a private character, one that formats music, one that is not assigned.
        (#"\udb40\udc01"#, "\u{E0001}"), (#"\udb80\udc00"#, "\u{F0000}"), (#"\ud834\udd73"#, "\u{1D173}"),
        (#"\ud83f\udffe"#, "\u{1FFFE}"),
        (#"a\udb40\udc01\udb40\udc02b"#, "a\u{E0001}\u{E0002}b"), (#"\\udb40\\udc01"#, #"\udb40\udc01"#),
        (#"\u0041\u00e9\u2028\ufffd"#, "Aé\u{2028}\u{FFFD}"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#"\u0022\u005c\u002f"#, "\"\\/"), (#"\u0000\u001b\u007f"#, "\0\u{1B}\u{7F}"), ("é\u{1F600}", "é\u{1F600}"),
    ]

    @Test(arguments: strings)
    func `an escaped string equals its characters`(escaped: String, meaning: String) throws {
        let text = "\"\(escaped)\""
        #expect(JSONEscape.unescaped(Array(text.utf8)[...]) == Array(meaning.utf8))
        #expect(Array(JSONText.unquoted(text).utf8) == Array(meaning.utf8))
        #expect(try #require(JSONValue(text)) == #require(JSONValue(JSONText.quoted(meaning))))
        let read = try #require(try JSONReader.read(Data(text.utf8)) as? String)
        #expect(Array(read.utf8) == Array(meaning.utf8))
    }

    @Test(arguments: strings)
    func `a member with an escaped name is found by its characters`(escaped: String, meaning: String) throws {
        let typed = #"{"0": 0, "\#(escaped)": 1}"#
        var cursor = try JSONCursor(Array(typed.utf8))
        let path = meaning.replacing("\\", with: "\\\\").replacing(".", with: "\\.")
        let reason = try JSONPath(path).find(in: &cursor)
        #expect(reason == nil)
        #expect(cursor.valueText == "1")
        #expect(try #require(JSONValue(typed)) == #require(JSONValue(#"{\#(JSONText.quoted(meaning)): 1, "0": 0}"#)))
        var document = JSONDocument()
        try document.set("a", to: JSONText(argument: typed))
        try document.set("a[\(path)]", to: .string("new"))
        #expect(document.text == #"{"a": {"0": 0, "\#(escaped)": "new"}}"#)
        let read = try JSONReader.read(Data(typed.utf8)) as? [String: any Sendable]
        #expect(read?[meaning] as? Int == 1)
        let secret = #"{"\#(escaped)_password": "s3cret"}"#
        #expect(JSONRedaction.redacted(secret, mask: "•••")?.contains("s3cret") == false)
    }

    @Test(arguments: [
        (#""\ud800""#, #""\ud801""#), (#""\ud800""#, #""\udc00""#), (#""\udc00\ud800""#, #""\ud800\udc00""#),
        (#""\ud800""#, "\"\u{FFFD}\""), (#""\ud800\ud800\udc00""#, #""\ud800\udc00\ud800""#),
        (#""\ud800x""#, #""\ud800""#), (#""\ud800\n""#, #""\ud800n""#), ("\"é\"", "\"e\u{301}\""),
    ])
    func `a lone surrogate equals only itself, and characters are not normalized`(
        left: String, right: String
    ) throws {
        for text in [left, right] { #expect(try #require(JSONValue(text)) == #require(JSONValue(text))) }
        #expect(try #require(JSONValue(left)) != #require(JSONValue(right)))
        let name = #"{\#(left): 1}"#
        #expect(try #require(JSONValue(name)) != #require(JSONValue(#"{\#(right): 1}"#)))
        var cursor = try JSONCursor(Array(name.utf8))
        let reason = try JSONPath(JSONText.unquoted(right)).find(in: &cursor)
        #expect(reason != nil)
    }

    @Test func `canonically equivalent names are different members`() throws {
        var document = JSONDocument()
        try document.set("é", to: .string("1"))
        try document.set("e\u{301}", to: .string("2"))
        try document.set("é", to: .string("3"))
        #expect(
            document.text.map { Array($0.utf8) }
                == Array("{\"é\": \"3\", \"e\u{301}\": \"2\"}".utf8))
    }

    @Test func `names are sorted by their characters`() throws {
        let text = #"{"\#u{FFFD}":1,"\udb80\udc00":2,"a":3,"\ud83d\ude00":4,"\ud800":5}"#
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var sorter = JSONSorter(limit: .max, formatter: JSONFormatter(layout: .asReceived))
        try Array(text.utf8).withUnsafeBufferPointer { try sorter.consume(UnsafeRawBufferPointer($0), into: &buffer) }
        try sorter.finish(into: &buffer)
        try buffer.flush()
        #expect(output.text == #"{"a":3,"\ud800":5,"\#u{FFFD}":1,"\ud83d\ude00":4,"\udb80\udc00":2}"#)
    }

    @Test func `the response is compared with its escapes decoded`() async throws {
        try await withServer { _ in
            .json(#"{"\udbff\udfff": "\udb40\udc01", "pair": "\ud83d\ude00"}"#)
        } _: { server in
            let right = ["\u{10FFFF}==\"\u{E0001}\"", #"pair=="\uD83D\uDE00""#, "pair==\"\u{1F600}\""]
            for expectation in right {
                let run = await runTool("--expect-json", expectation, server.url())
                #expect(run.status == 0, "\(run.errors)")
            }
            #expect(await runTool("--expect-json", #"pair=="\ud83d""#, server.url()).status == 14)
        }
    }
}
