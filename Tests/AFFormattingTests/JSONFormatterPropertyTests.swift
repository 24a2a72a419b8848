import TestSupport
import Testing

@testable import AFFormatting

/// Properties that hold for every text and every division into chunks.
@Suite struct JSONFormatterPropertyTests {
    private static let formatters = [
        JSONFormatter(),
        JSONFormatter(layout: .indented(0), palette: .standard),
        JSONFormatter(palette: .standard, isForTerminal: true),
        JSONFormatter(layout: .asReceived, palette: .standard, isForTerminal: true),
    ]

    private static let corpus: [String] = [
        #"{"id":17,"name":"Zoë \u00e9\ud83d\ude00","tags":["a","b\/c"],"x":{"y":[],"z":{}},"n":-1.25e-3,"t":true,"f":false,"u":null}"#,
        "[\"\(String(repeating: "long text ", count: 9))\u{202E}\u{9B}\"]\n{\"a\":1}\n",
        ")]}',\n{\"a\":[1,2,{\"b\":\"\\\\\\\"\"}]} tail",
        "\u{FEFF}[1,2,3] [4] \"five\" 6 true x",
        "{\"a\":\"\\ud83d\\ud83d\\ude00\\u12\"}",
        // Long enough for tokens that are read without comparisons with the end of the chunk.
        "[\(String(repeating: #"{"id":17,"a":[true,false,null,-0.5,1e3,[],{}], "b" : "x\ny" ,"c":"z"},"#, count: 5))0]",
        "falsy", "nul", "[1 2]", "{\"a\":01}", "<html><a href=\"x\">y</a></html>",
    ]

    @Test(arguments: corpus)
    func `the output does not depend on the division into chunks`(text: String) throws {
        let bytes = Array(text.utf8)
        for formatter in Self.formatters {
            let whole = try shown([bytes], by: formatter)
            for pieces in cuts(of: bytes) {
                let cut = try shown(pieces, by: formatter)
                #expect(cut.text == whole.text)
                #expect(cut.brokenOffset == whole.brokenOffset)
            }
        }
    }

    @Test func `random bytes give the same output in any chunks, and no control characters on a terminal`() throws {
        var numbers = SeededNumbers(seed: 42)
        for round in 0..<3000 {
            let bytes = round.isMultiple(of: 2) ? soup(using: &numbers) : damagedText(using: &numbers)
            for formatter in Self.formatters {
                let whole = try shown([bytes], by: formatter)
                let cut = try shown(randomPieces(of: bytes, using: &numbers), by: formatter)
                #expect(cut.text == whole.text)
                #expect(cut.brokenOffset == whole.brokenOffset)
                if formatter.isForTerminal { #expect(!whole.text.withoutColors.holdsTerminalControls) }
            }
        }
    }

    @Test func `formatting is idempotent and changes only white space`() throws {
        var numbers = SeededNumbers(seed: 5)
        for _ in 0..<500 {
            let text = randomValue(depth: 0, using: &numbers)
            let once = try shown(text, by: JSONFormatter())
            #expect(try shown(once, by: JSONFormatter()) == once)
            #expect(once.filter { !" \n".contains($0) } == text.filter { !" \n".contains($0) })
        }
    }

    @Test func `a very long value is written completely`() throws {
        let string = "\"" + String(repeating: "abc\\n", count: 30_000) + "\""
        let number = String(repeating: "1234567890", count: 10_000)
        #expect(try shown("[\(string),\(number)]", by: JSONFormatter()) == "[\n    \(string),\n    \(number)\n]")
    }

    @Test func `values of every length are the same in any chunks`() throws {
        for length in [1, 2, 7, 8, 13, 14, 15, 16, 17, 31, 32, 33, 61, 62, 63, 64, 65, 66, 200] {
            let digits = String(repeating: "7", count: length)
            let word = String(repeating: "é", count: length / 2) + String(repeating: "a", count: length % 2)
            let (key, number, fraction) = ("\"\(word)\"", "-\(digits).\(digits)", "0.\(digits)")
            let escaped = #""\#(word)\n\#(word)\#(word)""#
            let text = "{\(key):\(number),\(escaped):[\(key),\(fraction),\(escaped),\(digits),true]}"
            let lines =
                "{\n \(key): \(number),\n \(escaped): [\n  \(key),\n  \(fraction),\n  \(escaped),\n  \(digits),\n  true\n ]\n}"
            for size in [1, 2, 5, 13, 16, 17, 64, text.utf8.count] {
                let bytes = Array(text.utf8)
                let pieces = stride(from: 0, to: bytes.count, by: size).map {
                    Array(bytes[$0..<min($0 + size, bytes.count)])
                }
                #expect(try shown(pieces, by: JSONFormatter(layout: .indented(1))).text == lines)
            }
        }
    }

    @Test func `the longest color sequences are written completely`() throws {
        var palette = Palette.standard
        for style in [\Palette.key, \.string, \.number, \.boolean, \.null, \.punctuation] {
            palette[keyPath: style] = .boldColor(255)
        }
        let formatter = JSONFormatter(layout: .indented(0), palette: palette)
        let tokens = ["{", "\"a\"", ":", "[", "1", ",", "false", ",", "null", ",", "\"b\"", "]", "}"]
        let colored = tokens.map { "\u{1B}[1;38;5;255m\($0)\u{1B}[0m" + ($0 == ":" ? " " : "") }.joined()
        #expect(try shown(tokens.joined(), by: formatter).filter { $0 != "\n" } == colored)
    }

    @Test(arguments: [63, 64, 65, 127, 128, 129, 200])
    func `containers of any depth are closed by their brackets`(depth: Int) throws {
        let brackets = (0..<depth).map { $0.isMultiple(of: 3) ? ("{\"a\":", "}") : ("[", "]") }
        let text = brackets.map(\.0).joined() + "1" + brackets.reversed().map(\.1).joined()
        let formatted = try shown([Array(text.utf8)], by: JSONFormatter())
        #expect(formatted.brokenOffset == nil)
        #expect(formatted.text.filter { !" \n".contains($0) } == text)
        let wrong = text.dropLast() + "]"
        #expect(try shown([Array(wrong.utf8)], by: JSONFormatter()).brokenOffset != nil)
    }

    private func soup(using numbers: inout SeededNumbers) -> [UInt8] {
        let alphabet = Array("{}[]\",:\\/u0123456789abcdefDde8-+.tfnrlsu \n\r\t\u{1B}\u{7F}é😀\u{9B}\u{202E}".utf8)
        return (0..<Int.random(in: 0...60, using: &numbers)).map { _ in
            Int.random(in: 0..<8, using: &numbers) == 0
                ? UInt8.random(in: 0...255, using: &numbers) : alphabet.randomElement(using: &numbers) ?? 0
        }
    }

    private func damagedText(using numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = Array((Self.corpus.randomElement(using: &numbers) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...3, using: &numbers) {
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        }
        return bytes
    }

    private func randomPieces(of bytes: [UInt8], using numbers: inout SeededNumbers) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 0...7, using: &numbers)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    private func randomValue(depth: Int, using numbers: inout SeededNumbers) -> String {
        switch Int.random(in: 0..<(depth > 4 ? 4 : 8), using: &numbers) {
        case 0: return "\(Int.random(in: -1000...1000, using: &numbers))"
        case 1: return ["true", "false", "null", "1.5e9", "-0"].randomElement(using: &numbers) ?? "0"
        case 2: return "\"\(String(repeating: "é\\n\\\"x", count: Int.random(in: 0...9, using: &numbers)))\""
        case 3: return ["[]", "{}", "\"\""].randomElement(using: &numbers) ?? "0"
        case 4, 5:
            let elements = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                randomValue(depth: depth + 1, using: &numbers)
            }
            return "[\(elements.joined(separator: " , "))]"
        default:
            let members = (0..<Int.random(in: 1...4, using: &numbers)).map { number in
                "\"k\(number)\" :\(randomValue(depth: depth + 1, using: &numbers))"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }
}
