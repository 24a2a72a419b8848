import FoundationEssentials
import Testing

@testable import AFCommand
@testable import AFFormatting
@testable import AFJSON
@testable import AFRequests

/// Everything that reads JSON accepts the same texts.
@Suite struct JSONGrammarTests {
    /// A kind of value that a reader cannot represent, although the text is valid.
    enum Value: Sendable {
        case any
        /// A number beyond `Double`, or an unpaired surrogate.
        case beyondSwift
        /// A number whose exponent overflows, or deep nesting.
        case beyondComparison
        /// A string that is not UTF-8.
        case bytes
    }

    private static let valid: [(String, Value)] = [
        ("0", .any), ("-0", .any), ("1E+5", .any), ("1e-05", .any), ("-0.0e-0", .any), ("0.10", .any),
        ("123456789012345678901234567890", .any), ("1e400", .beyondSwift),
        ("1e99999999999999999999", .beyondComparison), ("true", .any), ("false", .any), ("null", .any), ("[]", .any),
        ("{}", .any), (#"{"":0,"a":1,"a":[{},[]]}"#, .any), (" \t\r\n1 \t\r\n", .any), ("\u{FEFF}{}", .any),
        ("\u{FEFF} 1", .any), ("[ 1 ,\n2\t]", .any), (#"{ "a" : 1 , "b" : 2 }"#, .any), (#""""#, .any),
        (#""\"\\\/\b\f\n\r\t""#, .any), (#""\u0000\u001f""#, .any), ("\"\u{7F}\u{80}\u{2028}\u{FFFF}é😀\"", .any),
        (#""\ud83d\ude00\uDBFF\uDFFF""#, .any), (#""\ud800""#, .beyondSwift), (#""\udc00\ud800""#, .beyondSwift),
        (#""\ud800\u0041""#, .beyondSwift), (#""\ud800\n""#, .beyondSwift), (#"{"\udfff":1}"#, .beyondSwift),
        (nested(512), .any), (nested(513), .beyondComparison), (nested(10_000), .beyondComparison),
    ]

    private static let notUTF8: [[UInt8]] = [
        [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ].map { [0x22] + $0 + [0x22] }

    private static let invalid: [String] = [
        "", " ", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+", "1e+x", "-", "--1", "+1", "0x1", "1_0", "NaN",
        "Infinity", "-Infinity", "nul", "nulll", "True", "tru e", "today", "[today]", "[1,]", "[,1]", "[1 2]", "[", "]",
        "{", "}", "[1", "[1,", #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#, #"{"a":1,}"#, #"{"a":1"#, "{a:1}", "{'a':1}",
        "{1:2}", "[1}", #"{"a":1]"#, #"""#, #""a"#, #""\""#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800\u""#,
        #""\U0041""#, "\"\t\"", "\"\n\"", "\"\0\"", "\"\u{1F}\"", "1,", "[1]]", "[1],", "1 x", "[1] x", "//a\n1",
        "/**/1", "1\u{A0}", "\u{A0}1", "\u{2028}1", "\u{B}1", "\u{C}1", "1\0", "\0", "\u{FEFF}", "\u{FEFF}\u{FEFF}1",
        "[\u{FEFF}1]", "1\u{FEFF}",
    ]

    /// Texts with the number of their documents; `nil` if they are not valid.
    private static let sequences: [(String, Int?)] = [
        ("1 2", 2), ("[1][2]{}", 3), ("[1] 2\n\"a\"\n", 3), ("\u{1E}{}\n\u{1E}1\n", 2), ("\u{1E}\u{1E}[]\u{1E}", 1),
        ("\u{FEFF}\u{1E}[]", 1), ("\u{1E}", 0), (#""a""b""#, nil), ("1true", nil), ("1\u{1E}2", nil), ("[\u{1E}]", nil),
        ("null\u{1E}", nil), ("[1],[2]", nil), ("12:30", nil), ("2024-01-01", nil), ("[1]\u{FEFF}[2]", nil),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
    }

    @Test func `all readers accept the same values`() throws {
        for (text, value) in Self.valid {
            let bytes = Array(text.utf8)
            #expect((try? JSONCursor(bytes)) != nil, "\(text.prefix(40))")
            #expect((try? JSONText(text)) != nil, "\(text.prefix(40))")
            #expect((try? JSONText(file: bytes)) != nil, "\(text.prefix(40))")
            #expect((JSONValue(text) != nil) == (value != .beyondComparison), "\(text.prefix(40))")
            #expect(((try? JSONReader.read(Data(bytes))) != nil) == (value == .any), "\(text.prefix(40))")
            try expectDocuments(bytes, 1)
        }
        for bytes in Self.notUTF8 {
            #expect((try? JSONCursor(bytes)) != nil)
            #expect(JSONValue(bytes[...]) != nil)
            #expect(throws: JSONFileProblem.self) { try JSONText(file: bytes) }
            #expect((try? JSONReader.read(Data(bytes))) == nil)
            try expectDocuments(bytes, 1)
        }
    }

    @Test func `all readers reject the same texts`() throws {
        for text in Self.invalid {
            let bytes = Array(text.utf8)
            let error = #expect(throws: JSONSyntaxError.self, "\(text.prefix(40))") { try JSONCursor(bytes) }
            #expect(throws: JSONSyntaxError.self, "\(text.prefix(40))") { try JSONText(text) }
            #expect(throws: JSONFileProblem.self, "\(text.prefix(40))") { try JSONText(file: bytes) }
            #expect(JSONValue(text) == nil, "\(text.prefix(40))")
            #expect(throws: (any Error).self, "\(text.prefix(40))") { try JSONReader.read(Data(bytes)) }
            let isBlank = ["", " ", "\u{FEFF}"].contains(text)
            try expectDocuments(bytes, isBlank ? 0 : nil)
            guard case .invalid(let found)? = try filtered(bytes).problem else { continue }
            #expect(found.offset == error?.offset, "\(text.prefix(40))")
            #expect(found.isAtEnd == error?.isAtEnd, "\(text.prefix(40))")
        }
    }

    @Test(arguments: sequences)
    func `readers of several texts count the same documents, and readers of one accept only one`(
        text: String, count: Int?
    ) throws {
        let bytes = Array(text.utf8)
        try expectDocuments(bytes, count)
        #expect((try? JSONCursor(bytes)) == nil)
        #expect(JSONValue(text) == nil)
        #expect((try? JSONReader.read(Data(bytes))) == nil)
    }

    /// Expects that every reader of several texts finds this number of documents, or an error.
    private func expectDocuments(_ bytes: [UInt8], _ count: Int?) throws {
        let shown = Comment(rawValue: String(decoding: bytes.prefix(40), as: UTF8.self))
        let text = String(validating: bytes, as: UTF8.self)
        let pieces = bytes.count < 1000 ? bytes.map { [$0] } : []
        for pieces in [[bytes], pieces] where bytes.isEmpty || !pieces.isEmpty {
            let formatter = try read(pieces, by: JSONFormatter())
            #expect((formatter.brokenOffset == nil ? formatter.tokenizer.documentCount : nil) == count, shown)
            let sorter = try read(pieces, by: JSONSorter(limit: .max, formatter: JSONFormatter()))
            #expect((sorter.brokenOffset == nil) == (count != nil), shown)
            let filter = try read(pieces, by: BodyPresentation().filter([[]], isRaw: false, endsLines: true))
            #expect((filter.problem == nil ? filter.matchCount : nil) == count, shown)
        }
        #expect(((try? JSONTree(bytes, from: 0)) != nil) == (count != nil), shown)
        if let text { #expect((JSONRedaction.redacted(text, mask: "•") != nil) == (count != nil), shown) }
    }

    private func filtered(_ bytes: [UInt8]) throws -> JSONFilter {
        try read([bytes], by: BodyPresentation().filter([[]], isRaw: false, endsLines: true))
    }

    private func read<Formatter: BodyFormatting>(
        _ pieces: [[UInt8]], by formatter: Formatter
    ) throws -> Formatter {
        var formatter = formatter
        var buffer = OutputBuffer(DiscardedOutput())
        for piece in pieces {
            try piece.withUnsafeBufferPointer { piece throws(OutputFailure) in
                try formatter.consume(UnsafeRawBufferPointer(piece), into: &buffer)
            }
        }
        try formatter.finish(into: &buffer)
        return formatter
    }
}
