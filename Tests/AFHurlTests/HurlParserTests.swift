import Testing

@testable import AFHurl

@Suite struct HurlParserTests {
    private func error(_ content: String) -> HurlSyntaxError? {
        do throws(HurlSyntaxError) {
            _ = try HurlFile(parsing: content)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a deeply nested body is an error`() {
        let limit = HurlParser.maximumDepth
        let accepted = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(error("POST http://a\n\(accepted)") == nil)
        let refused = error("POST http://a\n" + String(repeating: "{\"a\":[", count: 100_000))
        #expect(refused?.kind == .nesting)
        #expect(refused?.position == SourcePosition(line: 2, column: 1 + limit / 2 * 6))
    }

    @Test func `deeply nested XML needs no stack`() throws {
        let depth = 100_000
        let body = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        let file = try HurlFile(parsing: "POST http://a\n\(body)\nHTTP 200\n")
        #expect(file.entries[0].request.body?.content == .xml(body))
        #expect(file.entries[0].response?.status == 200)
    }

    @Test func `a large file takes linear time`() throws {
        // Quadratic time would be minutes.
        let entry =
            "# comment\n\nGET http://a/{{b}}\nX: \(String(repeating: "a ", count: 50)){{c}}\n[Query]\na: {{b}}\nHTTP 200\n"
        let file = try HurlFile(parsing: String(repeating: entry, count: 2000))
        #expect(file.entries.count == 2000)
        let text = String(repeating: "{{a}} ", count: 20_000)
        let long = try HurlFile(parsing: "POST http://a\nX: \(text)\n```graphql\n\(text)\n```\n")
        #expect(long.entries[0].request.headers[0].value.parts.count == 39_999)
    }

    @Test func `blanks at the end of a value are not part of it`() throws {
        let value = try HurlFile(parsing: "GET http://a\nX:  a  b   # c\n").entries[0].request.headers[0].value
        #expect(value.parts == [.text("a  b")])
        #expect(value.source == "a  b")
        #expect(value.range == SourceRange(SourcePosition(line: 2, column: 5), SourcePosition(line: 2, column: 9)))
    }

    @Test func `an escaped blank at the end of a value is part of it`() throws {
        let value = try HurlFile(parsing: "GET http://a\nX: a\\u{20} \n").entries[0].request.headers[0].value
        #expect(value.parts == [.text("a ")])
    }

    @Test func `the literal of a template has no placeholder`() throws {
        let headers = try HurlFile(parsing: "GET http://a\nA: x\\#y\nB: x{{y}}\nC:\n").entries[0].request.headers
        #expect(headers.map(\.value.literal) == ["x#y", nil, ""])
    }

    @Test func `an error is recoverable only inside the parser`() {
        #expect(error("GET")?.kind == .space)
        #expect(error("GET http://a\nHTTP 200\n[Captures]\na: x")?.kind == .query("x"))
        #expect(error("GET http://a\n[Options]\nretry")?.kind == .key("retry"))
    }

    @Test func `options of all sections are in order`() throws {
        let request = try HurlFile(parsing: "GET http://a\n[Options]\nskip: true\nretry: 2\n").entries[0].request
        #expect(request.options.map(\.name) == [.skip, .retry])
        #expect(request.options[1].value == .count(.value(2)))
        #expect(request.options[1].range.start == SourcePosition(line: 4, column: 1))
    }

    @Test(arguments: HurlOption.Name.allCases)
    func `every option has a value`(name: HurlOption.Name) throws {
        let values = ["true", "1", "10s", "a=b", "debug", "text"]
        let parsed = values.compactMap { value in
            try? HurlFile(parsing: "GET http://a\n[Options]\n\(name.rawValue): \(value)\n").entries[0].request.options
        }
        #expect(parsed.contains { $0.map(\.name) == [name] })
    }

    @Test(
        arguments: [
            (HurlDuration(5, nil), 5000), (HurlDuration(5, .milliseconds), 5), (HurlDuration(2, .minutes), 120_000),
            (HurlDuration(1, .hours), 3_600_000), (HurlDuration(.max, .seconds), nil),
        ] as [(HurlDuration, UInt64?)])
    func `a duration has a unit or that of its option`(duration: HurlDuration, milliseconds: UInt64?) {
        #expect(duration.milliseconds(default: .seconds) == milliseconds)
    }

    @Test(
        arguments: [
            ("", []), ("QQ==", [65]), ("QQ", [65]), ("QUI=", [65, 66]), ("QUJD", [65, 66, 67]), ("/+8", [255, 239]),
            ("Q", nil), ("QQ=", nil), ("QR==", nil), ("Q=Q=", nil), ("QUI==", nil), ("_-8", nil), ("====", nil),
        ] as [(String, [UInt8]?)])
    func `Base64 is decoded with or without padding`(text: String, bytes: [UInt8]?) {
        #expect([UInt8](base64: text.unicodeScalars) == bytes)
    }

    @Test func `Base64 of URLs has another alphabet`() {
        #expect([UInt8](base64: "_-8".unicodeScalars, isURLSafe: true) == [255, 239])
        #expect([UInt8](base64: "/+8".unicodeScalars, isURLSafe: true) == nil)
    }
}
