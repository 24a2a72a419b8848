import AFHTTP

@testable import AFExpressions
@testable import AFHurl
@testable import AFJSON

/// Files of requests, and the values of responses.
extension FuzzTarget {
    static let hurl = [
        FuzzTarget(text: "hurl-file", longest: 4096) { text in
            do throws(HurlSyntaxError) {
                let file = try HurlFile(parsing: text)
                for entry in file.entries {
                    try? checkJSON(in: entry.request.body)
                    try? checkJSON(in: entry.response?.body)
                }
            } catch {
                let lines = text.unicodeScalars.count { $0 == "\n" } + 1
                require(1...lines ~= error.position.line, "an error is in a line of the file")
                require(error.position.column > 0, "an error has a column")
                let message = error.text(filename: "x", content: text)
                require(message.unicodeScalars.contains("^"), "an error has a caret")
                require(!error.reason.isEmpty && !error.title.isEmpty, "an error has texts")
            }
        },
        FuzzTarget(text: "http-file", longest: 4096) { text in
            do throws(EditorFileError) {
                let file = try EditorFile(parsing: text)
                var evaluator = HurlEvaluator(FuzzEnvironment())
                for entry in file.file.entries {
                    evaluator.define(entry.request.editor?.definitions ?? [], except: [])
                    let values = try? evaluator.values(of: entry.request)
                    if let values, let name = entry.request.editor?.name {
                        evaluator.exchanges[name] = HurlExchange(values, HurlResponseValues(status: 200))
                    }
                }
            } catch {
                let lines = text.unicodeScalars.count { $0 == "\n" } + 1
                require(1...lines ~= error.range.start.line, "an error is in a line of the file")
                require(error.range.start.column > 0, "an error has a column")
                let message = error.text(filename: "x", content: text)
                require(message.unicodeScalars.contains("^"), "an error has a caret")
                require(!error.reason.isEmpty && !error.title.isEmpty, "an error has texts")
            }
        },
        FuzzTarget(text: "hurl-json", longest: 4096) { text in
            // Placeholders, the depth, and unpaired surrogates, which Hurl refuses, are the only differences.
            guard !text.contains("{{"), text.utf8.first != UInt8(ascii: " ") else { return }
            var parser = HurlParser(text)
            let isBody = (try? parser.json()) != nil && parser.reader.isAtEnd
            let trimmed =
                text.utf8.last.map { $0.isJSONSpace || $0 == 0 } != true && text.utf8.first?.isJSONSpace != true
            let isJSON = (try? JSONCursor(Array(text.utf8), maximumDepth: HurlParser.maximumDepth)) != nil
            let mayBeUnpaired = isJSON && text.lowercased().contains("\\ud")
            if trimmed, text.unicodeScalars.first != "\u{FEFF}" {
                require(isBody == isJSON || mayBeUnpaired, "a body is JSON")
            }
        },
        // A template, a line feed, and the value of its variables.
        FuzzTarget(text: "hurl-template") { text in
            let halves = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let value = HurlValue(inferring: halves.count > 1 ? String(halves[1]) : "")
            let request = try HurlFile(parsing: "GET \(halves[0])\n").entries.first?.request
            guard let request else { return }
            var evaluator = HurlEvaluator(FuzzEnvironment())
            for case .placeholder(let placeholder) in request.url.parts {
                if case .variable(let name) = placeholder.content { evaluator.variables[name] = value }
            }
            let url = try evaluator.text(of: request.url)
            if let literal = request.url.literal { require(url == literal, "text without placeholders is unchanged") }
        },
        // A path, a line feed, and the document from which it selects.
        FuzzTarget("json-path-expression", longest: 4096) { bytes in
            let path = bytes.prefix { $0 != 0x0A }
            let document = Array(bytes.dropFirst(path.count + 1))
            let text = String(decoding: path, as: UTF8.self)
            let expression: JSONPathExpression
            do throws(JSONPathError) {
                expression = try JSONPathExpression(text)
            } catch {
                require(0...text.unicodeScalars.count ~= error.offset, "an error is in the path")
                return
            }
            let cursor = try JSONCursor(document, maximumDepth: JSONCursor.maximumDepthOfValues)
            for position in try expression.positions(in: cursor, maximumSteps: 1 << 16) {
                var node = cursor
                node.move(to: position)
                let value = node.valueText
                require((try? JSONCursor(Array(value.utf8))) != nil, "a node is JSON")
                _ = HurlValue(reading: &node)
            }
        },
        // A line of asserts, a line feed, and the body of the response.
        FuzzTarget(text: "hurl-assert", longest: 4096) { text in
            let halves = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let file = try HurlFile(parsing: "GET http://a\nHTTP 200\n[Asserts]\n\(halves[0])\n")
            let body = Array((halves.count > 1 ? halves[1] : "").utf8)
            let headers = HTTPHeaders(repeating: [HTTPHeader(name: "Set-Cookie", value: String(halves.last ?? ""))])
            let response = HurlResponse.Values(HurlResponseValues(status: 200, headers: headers, body: body))
            for assert in file.entries.first?.response?.asserts ?? [] {
                try HurlEvaluator(FuzzEnvironment()).check(assert, in: response)
            }
        },
        // A format, a line feed, and a date.
        FuzzTarget(text: "hurl-date") { text in
            let halves = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard let format = DateFormat(String(halves[0])), halves.count > 1,
                let date = format.date(parsing: String(halves[1]))
            else { return }
            _ = format.text(of: date)
            guard -8_334_601_228_800...8_210_266_876_799 ~= date.secondsSince1970 else { return }
            let copy = DateFormat("%F %T%.9f")?.date(parsing: DateFormat("%F %T%.9f")?.text(of: date) ?? "")
            if -62_167_219_200...253_402_300_799 ~= date.secondsSince1970 {
                require(copy == date, "a date is read again")
            }
        },
        // Eight bytes: the bits of a number.
        FuzzTarget("hurl-number", longest: 8) { bytes in
            let number = Double(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            let text = number.decimalText
            guard number.isFinite else { return }
            require(Double(text) == number, "the text identifies the number")
            require(!text.contains("e") && text.contains("."), "the text has a point and no exponent")
            require(HurlNumber.float(number).json != nil, "the text is a JSON number")
        },
    ]

    /// A body without placeholders is JSON.
    private static func checkJSON(in body: HurlBody?) throws {
        guard case .json(let json)? = body?.content else { return }
        var text = ""
        for case .text(let part) in json.parts { text += part }
        let hasPlaceholder = json.parts.contains { if case .placeholder = $0 { true } else { false } }
        require(hasPlaceholder || (try? JSONCursor(Array(text.utf8))) != nil, "a body is JSON")
    }
}

/// An environment without files and libraries.
private struct FuzzEnvironment: HurlEnvironment {
    let now = HurlDate(secondsSince1970: 1_781_524_800)

    func newUUID() -> String { "8f2a3c5e-0000-4000-8000-000000000001" }
    func digest(_ digest: HurlDigest, of bytes: [UInt8]) -> [UInt8] { bytes }
    func contents(ofFile path: String) throws(HurlFileError) -> [UInt8] { throw .unreadable }
    func randomInteger(in range: Range<Int64>) -> Int64 { range.lowerBound }
    func environmentVariable(_ name: String) -> String? { nil }
    func localOffset(at date: HurlDate) -> Int { 0 }
    func evaluate(xPath expression: String, in document: String, isHTML: Bool) throws(HurlXPathError) -> HurlValue? {
        nil
    }
}
