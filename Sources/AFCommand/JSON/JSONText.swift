/// A JSON value that preserves the notation of numbers, the order of members and repeated names.
enum JSONText: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        /// The unescaped name.
        let name: String
        /// The name as written, including quotes.
        let spelling: String
        var value: JSONText
    }

    /// The text of any value, known to be valid JSON.
    case raw(String)
    case object([Member])
    case array([JSONText])

    static let null = JSONText.raw("null")

    /// Returns a string value.
    static func string(_ text: String) -> JSONText { .raw(quoted(text)) }

    /// Parses JSON, ignoring surrounding blanks.
    ///
    /// - Throws: ``UsageError`` that points at the first invalid character.
    init(parsing text: String) throws(UsageError) {
        var scanner = JSONScanner(text)
        do throws(JSONScanner.Problem) {
            scanner.skipBlanks()
            let start = scanner.position
            try scanner.skipValue()
            let end = scanner.position
            scanner.skipBlanks()
            guard scanner.isAtEnd else { throw scanner.problem("the end of the JSON text") }
            self = .raw(scanner.text(start..<end))
        } catch {
            throw UsageError(error, in: text)
        }
    }

    /// The name of the value's JSON type.
    var typeName: String {
        switch self {
        case .object: "object"
        case .array: "array"
        case .raw(let text):
            switch text.utf8.first {
            case UInt8(ascii: "{"): "object"
            case UInt8(ascii: "["): "array"
            case UInt8(ascii: "\""): "string"
            case UInt8(ascii: "t"), UInt8(ascii: "f"): "boolean"
            case UInt8(ascii: "n"): "null"
            default: "number"
            }
        }
    }

    /// The value with a raw object or array parsed, so that members can be added; their values stay raw.
    var opened: JSONText {
        guard case .raw(let text) = self else { return self }
        return (try? JSONText.open(text)) ?? self
    }

    /// The compact text in HTTPie's spacing: `{"a": "b", "c": 2}`.
    var text: String {
        switch self {
        case .raw(let text): text
        case .object(let members): "{\(members.map { "\($0.spelling): \($0.value.text)" }.joined(separator: ", "))}"
        case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
        }
    }
}

extension JSONText {
    /// Returns a quoted string with the necessary escapes only.
    static func quoted(_ text: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var quoted: [UInt8] = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): quoted += [UInt8(ascii: "\\"), byte]
            case 0x08: quoted += Array("\\b".utf8)
            case 0x09: quoted += Array("\\t".utf8)
            case 0x0A: quoted += Array("\\n".utf8)
            case 0x0C: quoted += Array("\\f".utf8)
            case 0x0D: quoted += Array("\\r".utf8)
            case ..<0x20: quoted += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: quoted.append(byte)
            }
        }
        quoted.append(UInt8(ascii: "\""))
        return String(decoding: quoted, as: UTF8.self)
    }

    /// Returns the value of a quoted string; an unpaired surrogate becomes U+FFFD.
    static func unquoted(_ spelling: String) -> String {
        let content = Array(spelling.utf8).dropFirst().dropLast()
        return String(decoding: JSONEscape.unescaped(content, keepsHalves: false), as: UTF8.self)
    }

    private static func open(_ text: String) throws(JSONScanner.Problem) -> JSONText? {
        var scanner = JSONScanner(text)
        if scanner.skip(UInt8(ascii: "{")) {
            var members: [Member] = []
            try scanner.skipElements(to: UInt8(ascii: "}")) { (scanner) throws(JSONScanner.Problem) in
                scanner.skipBlanks()
                let start = scanner.position
                try scanner.skipString()
                let spelling = scanner.text(start..<scanner.position)
                scanner.skipBlanks()
                _ = scanner.skip(UInt8(ascii: ":"))
                members.append(Member(name: unquoted(spelling), spelling: spelling, value: try element(&scanner)))
            }
            return .object(members)
        }
        guard scanner.skip(UInt8(ascii: "[")) else { return nil }
        var elements: [JSONText] = []
        try scanner.skipElements(to: UInt8(ascii: "]")) { (scanner) throws(JSONScanner.Problem) in
            elements.append(try element(&scanner))
        }
        return .array(elements)
    }

    private static func element(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) -> JSONText {
        scanner.skipBlanks()
        let start = scanner.position
        try scanner.skipValue()
        return .raw(scanner.text(start..<scanner.position))
    }
}

extension JSONScanner {
    /// Passes each element of an opened container to the closure, until its end.
    fileprivate mutating func skipElements(
        to end: UInt8,
        _ element: (inout JSONScanner) throws(Problem) -> Void
    ) throws(Problem) {
        skipBlanks()
        if skip(end) { return }
        repeat {
            try element(&self)
            skipBlanks()
        } while skip(UInt8(ascii: ","))
    }
}

extension UsageError {
    /// Creates an error that points at the position, within an excerpt of a long text.
    fileprivate init(_ problem: JSONScanner.Problem, in text: String) {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<problem.offset], as: UTF8.self)
        let line = before.split(separator: "\n", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let after = String(decoding: bytes[problem.offset...], as: UTF8.self).prefix { !$0.isNewline }
        let shown = line.suffix(40)
        self.init(
            "not JSON: expected \(known: problem.expectation) at character \(known: before.count + 1)",
            hint: text.hasLostQuotes
                ? "did the shell remove the quotes? Quote the item: 'name:={\"key\": 1}'"
                : "a string is name=text, without a colon",
            excerpt: text.isEmpty ? nil : Excerpt("\(shown)\(String(after).prefix(40))", offset: shown.count)
        )
    }
}

extension String {
    /// Whether the text is an object or an array without a double quote.
    fileprivate var hasLostQuotes: Bool {
        (hasPrefix("{") || hasPrefix("[")) && utf8.firstIndex(of: UInt8(ascii: "\"")) == nil
    }
}
