/// A parsed key of a nested JSON item: `a[b][0][]`.
///
/// `\[`, `\]` and `\\` are the literal character, `\1` is a name that looks like an index; other backslashes are
/// literal.
struct JSONKey: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case member(String)
        case index(Int)
        case append
    }

    struct Part: Equatable, Sendable {
        let step: Step
        /// The range in the source in characters, including brackets.
        let range: Range<Int>
    }

    /// The maximum depth, as values are traversed recursively.
    private static let maximumDepth = 500

    let source: String
    let parts: [Part]

    /// Parses a key.
    ///
    /// - Throws: ``UsageError`` that points at the invalid character.
    init(_ source: String) throws(UsageError) {
        self.source = source
        var reader = Reader(source)
        var parts = [try reader.root()]
        while let part = try reader.part() { parts.append(part) }
        guard parts.count <= JSONKey.maximumDepth else {
            throw UsageError(
                "a JSON key nests at most \(JSONKey.maximumDepth) deep", argument: "\(source.prefix(20))...")
        }
        self.parts = parts
    }

    /// Returns the key before a part.
    func prefix(before index: Int) -> String {
        index == 0 ? "" : String(source.prefix(parts[index - 1].range.upperBound))
    }
}

private struct Reader {
    /// A bracket, or the text between two brackets.
    struct Token {
        enum Kind: String {
            case text = "a key"
            case number = "an index"
            case opening = "'['"
            case closing = "']'"
        }

        let kind: Kind
        /// The text with backslashes resolved.
        let text: String
        /// The range in characters of the source.
        let range: Range<Int>
    }

    private let source: String
    private let characters: [Character]
    private var position = 0

    init(_ source: String) { (self.source, characters) = (source, Array(source)) }

    mutating func root() throws(UsageError) -> JSONKey.Part {
        guard !characters.isEmpty else { return JSONKey.Part(step: .member(""), range: 0..<0) }
        let first = try expect([.text, .number, .opening])
        if first.kind != .opening { return JSONKey.Part(step: .member(first.text), range: first.range) }
        return try bracket(from: first, [.number, .closing])
    }

    /// Returns the next bracket, or `nil` at the end.
    mutating func part() throws(UsageError) -> JSONKey.Part? {
        guard position < characters.count else { return nil }
        return try bracket(from: try expect([.opening]), [.text, .number, .closing])
    }

    private mutating func bracket(from opening: Token, _ kinds: [Token.Kind]) throws(UsageError) -> JSONKey.Part {
        let content = try expect(kinds)
        let step: JSONKey.Step =
            switch content.kind {
            case .number: .index(try index(content))
            case .text: .member(content.text)
            case .opening, .closing: .append
            }
        let closing = content.kind == .closing ? content : try expect([.closing])
        return JSONKey.Part(step: step, range: opening.range.lowerBound..<closing.range.upperBound)
    }

    private mutating func expect(_ kinds: [Token.Kind]) throws(UsageError) -> Token {
        let found = next()
        if let found, kinds.contains(found.kind) { return found }
        let names = kinds.map(\.rawValue)
        let list = names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        let end = characters.count
        throw UsageError(keyError: "syntax", "expected \(known: list)", source, found?.range ?? end..<end + 1)
    }

    /// Reads a token; returns `nil` at the end.
    private mutating func next() -> Token? {
        guard position < characters.count else { return nil }
        let start = position
        if let kind = Token.Kind(bracket: characters[start]) {
            position += 1
            return Token(kind: kind, text: String(characters[start]), range: start..<position)
        }
        var (text, hasEscape) = ("", false)
        while position < characters.count, Token.Kind(bracket: characters[position]) == nil {
            if characters[position] == "\\", position + 1 < characters.count {
                position += 1
                if "[]\\".contains(characters[position]) { hasEscape = true } else { text.append("\\") }
            }
            text.append(characters[position])
            position += 1
        }
        let name = text.hasPrefix("\\") && text.dropFirst().isInteger && !hasEscape ? String(text.dropFirst()) : text
        return Token(kind: text.isInteger && !hasEscape ? .number : .text, text: name, range: start..<position)
    }

    private func index(_ token: Token) throws(UsageError) -> Int {
        if token.text.hasPrefix("-") {
            throw UsageError(keyError: "value", "negative indexes are not supported", source, token.range)
        }
        // Gaps up to an index are filled with null, so a huge one would only fill memory.
        guard let index = Int(token.text), index < 1_000_000 else {
            throw UsageError(keyError: "value", "the maximum index is 999999", source, token.range)
        }
        return index
    }
}

extension Reader.Token.Kind {
    fileprivate init?(bracket: Character) {
        switch bracket {
        case "[": self = .opening
        case "]": self = .closing
        default: return nil
        }
    }
}

extension StringProtocol {
    fileprivate var isInteger: Bool { hasPrefix("-") ? dropFirst().isDecimal : isDecimal }
}

extension UsageError {
    /// Creates an error of three lines: the problem, the key, and carets under the invalid part.
    init(keyError kind: String, _ problem: Problem, _ source: String, _ range: Range<Int>) {
        self.init(
            "\(known: kind) error in a JSON key: \(problem)",
            hint: "brackets nest: a[b][0]=x; a backslash escapes a bracket in a name",
            excerpt: Excerpt(source, offset: range.lowerBound, length: range.count)
        )
    }
}
