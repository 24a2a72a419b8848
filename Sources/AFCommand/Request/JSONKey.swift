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
        var reader = Reader(source: source, tokens: JSONKeyToken.tokens(of: source))
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
    let source: String
    let tokens: [JSONKeyToken]
    var position = 0

    mutating func root() throws(UsageError) -> JSONKey.Part {
        guard !tokens.isEmpty else { return JSONKey.Part(step: .member(""), range: 0..<0) }
        let first = try expect(.text, .number, .opening)
        if first.kind != .opening { return JSONKey.Part(step: .member(first.text), range: first.range) }
        return try bracket(from: first, .number, .closing)
    }

    /// Returns the next bracket, or `nil` at the end.
    mutating func part() throws(UsageError) -> JSONKey.Part? {
        guard position < tokens.count else { return nil }
        let opening = try expect(.opening)
        return try bracket(from: opening, .text, .number, .closing)
    }

    private mutating func bracket(
        from opening: JSONKeyToken,
        _ kinds: JSONKeyToken.Kind...
    ) throws(UsageError) -> JSONKey.Part {
        let content = try expect(kinds)
        let step: JSONKey.Step =
            switch content.kind {
            case .number: .index(try index(content))
            case .text: .member(content.text)
            case .opening, .closing: .append
            }
        let closing = content.kind == .closing ? content : try expect(.closing)
        return JSONKey.Part(step: step, range: opening.range.lowerBound..<closing.range.upperBound)
    }

    private func index(_ token: JSONKeyToken) throws(UsageError) -> Int {
        if token.text.hasPrefix("-") {
            throw UsageError(keyError: "value", "negative indexes are not supported", source, token.range)
        }
        // Gaps up to an index are filled with null, so a huge one would only fill memory.
        guard let index = Int(token.text), index < 1_000_000 else {
            throw UsageError(keyError: "value", "the maximum index is 999999", source, token.range)
        }
        return index
    }

    private mutating func expect(_ kinds: JSONKeyToken.Kind...) throws(UsageError) -> JSONKeyToken {
        try expect(kinds)
    }

    private mutating func expect(_ kinds: [JSONKeyToken.Kind]) throws(UsageError) -> JSONKeyToken {
        let end = tokens.last?.range.upperBound ?? 0
        let found = position < tokens.count ? tokens[position] : nil
        if let found, kinds.contains(found.kind) {
            position += 1
            return found
        }
        let names = kinds.map(\.rawValue)
        let list = names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw UsageError(keyError: "syntax", "expected \(known: list)", source, found?.range ?? end..<end + 1)
    }
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
