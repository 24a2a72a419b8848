internal import AFJSON

/// Reads paths to values in JSON documents: `a.b[0]` or `a[b][0]`.
///
/// `[]` or `[*]` is each element and member, `[?a>1]` each one that meets an expectation, `[1:3]` the elements 1 and 2, and
/// `..name` a member at any depth. `.{a,b}` at the end of a path is a row. A leading dot is ignored; an empty path is the
/// document. A backslash escapes a dot, a bracket, a backslash and a separator, and makes a name of an index, a range or an
/// asterisk.
struct JSONPathReader {
    /// A step of a path.
    struct Part: Equatable, Sendable {
        let step: JSONStep
        /// The offset of its end in the text, in characters.
        let end: Int
    }

    private let typed: String
    private let characters: [Character]
    private let separatesPaths: Bool
    private let countsFromEnd: Bool
    private let hint: String
    private var position = 0
    /// The offsets of the paths so far.
    private(set) var starts: [Int] = []
    /// The columns of the last row.
    private(set) var columns: [Column] = []
    private var isInRow = false

    /// A column of a row.
    struct Column: Equatable, Sendable {
        let name: String
        let steps: [JSONStep]
    }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - separatesPaths: Whether commas separate paths.
    ///   - countsFromEnd: Whether negative indexes are possible: -1 is the last element.
    ///   - hint: The hint of all errors.
    init(_ typed: String, separatesPaths: Bool, countsFromEnd: Bool, hint: String) {
        self.typed = typed
        characters = Array(typed)
        self.separatesPaths = separatesPaths
        self.countsFromEnd = countsFromEnd
        self.hint = hint
    }

    private var next: Character? { position < characters.count ? characters[position] : nil }
    private var isAtEndOfPath: Bool { next.map { separator.contains($0) } ?? true }
    /// The characters that end a path.
    private var separator: String { isInRow ? ",}" : separatesPaths ? "," : "" }
    /// The characters that a backslash escapes.
    private var escapes: String { separatesPaths ? ".[]\\,{}" : ".[]\\" }

    /// Skips a comma and spaces after a path; returns `false` at the end.
    mutating func skipSeparator() -> Bool {
        guard skip(",") else { return false }
        while skip(" ") {}
        return true
    }

    /// Reads a path.
    mutating func path() throws(UsageError) -> [Part] {
        starts.append(position)
        var parts: [Part] = []
        if !isNext("..") { _ = skip(".") }
        guard !isAtEndOfPath, try !skipRow() else { return [] }
        if next != ".", next != "[" { parts.append(Part(step: .member(try name().utf8), end: position)) }
        while !isAtEndOfPath {
            let start = position
            let step: JSONStep
            if skip("[") {
                step = try bracket(from: start)
            } else if skip(".") {
                if try skipRow() { return parts }
                step = try skip(".") ? descendants(from: start) : afterDot(from: start)
            } else {
                throw problem(separatesPaths ? "expected '.', '[' or ','" : "expected '.' or '['", at: start)
            }
            parts.append(Part(step: step, end: position))
        }
        return parts
    }

    /// Reads a row, `{a,b.c}`; returns `false` if there is none.
    private mutating func skipRow() throws(UsageError) -> Bool {
        let start = position
        guard separatesPaths, skip("{") else { return false }
        guard !isInRow else { throw problem("a row contains names, not rows", at: start) }
        isInRow = true
        repeat {
            while skip(" ") {}
            columns.append(try column())
        } while skip(",")
        isInRow = false
        guard skip("}") else { throw problem("expected ',' or '}'", at: position) }
        guard isAtEndOfPath else { throw problem("expected nothing after '}'", at: position) }
        return true
    }

    private mutating func column() throws(UsageError) -> Column {
        let start = position
        let parts = try path()
        guard !parts.isEmpty else { throw problem("expected a name", at: start) }
        guard parts.allSatisfy(\.step.isSingle) else {
            throw problem("a column selects one value", at: start, length: position - start)
        }
        starts.removeLast()
        var name = String(characters[start..<position])
        // A quoted or new name, as in other languages, would be missing in all values.
        let first = characters[start..<position].prefix { $0 != "." && $0 != "[" }
        if let place = first.firstIndex(of: ":") ?? (first.first.map("\"'".contains) == true ? start : nil) {
            throw problem("a row has names without quotes and colons; a name may be in brackets: {[a:b]}", at: place)
        }
        if parts.count == 1, case .member(let member) = parts[0].step { name = String(decoding: member, as: UTF8.self) }
        return Column(name: name, steps: parts.map(\.step))
    }

    /// Reads the name or index after a dot.
    private mutating func afterDot(from start: Int) throws(UsageError) -> JSONStep {
        guard !isAtEndOfPath, next != ".", next != "[" else {
            throw problem("expected a name after '.'", at: start)
        }
        let name = try name()
        return name.isLiteral ? .member(name.utf8) : try index(name.text, at: start + 1) ?? .member(name.utf8)
    }

    private mutating func descendants(from start: Int) throws(UsageError) -> JSONStep {
        guard !isAtEndOfPath, next != "." else { throw problem("expected a name after '..'", at: start, length: 2) }
        let bracketed = position
        guard skip("[") else { return .descendants(try name().utf8) }
        guard case .member(let name) = try bracket(from: bracketed) else {
            throw problem("'..' selects members by name", at: start, length: position - start)
        }
        return .descendants(name)
    }

    /// Reads the rest of a bracket.
    private mutating func bracket(from start: Int) throws(UsageError) -> JSONStep {
        if skip("?") { return .matching(try condition(from: start)) }
        let content = try text(until: "]", escapes: "?\(escapes)")
        guard skip("]") else { throw problem("expected ']'", at: position) }
        if content.isLiteral { return .member(content.utf8) }
        if content.text.isEmpty || content.text == "*" { return .all }
        if let index = try index(content.text, at: start + 1) { return index }
        return try slice(content.text, at: start + 1) ?? .member(content.utf8)
    }

    private mutating func name() throws(UsageError) -> Name {
        var name = try text(until: ".[\(separator)", escapes: escapes)
        while isInRow, !name.isLiteral, name.text.last == " " { name.text.removeLast() }
        return name
    }

    /// Reads a condition and the bracket after it.
    private mutating func condition(from start: Int) throws(UsageError) -> JSONCondition {
        let text = String(characters[position...].condition)
        position += text.count
        guard text.contains(where: { $0 != " " }) else { throw problem("the condition is empty", at: start, length: 3) }
        guard skip("]") else { throw problem("expected ']'", at: position) }
        guard !text.hasPrefix("("), !text.hasPrefix("@") else {
            throw problem("a condition is [?a>1], without ( and @", at: start + 2)
        }
        // Conditions in conditions are read by recursion.
        guard !text.hasManyConditions else {
            throw problem("the condition contains too many others", at: start, length: position - start)
        }
        let expectation = try JSONExpectation(argument: text)
        return JSONCondition(typed: text, holdsSecret: expectation.holdsSecret) { expectation.isMet(in: $0) }
    }

    private struct Name {
        var text = ""
        /// Whether a backslash makes it a name instead of an index, range or asterisk.
        var isLiteral = false

        var utf8: [UInt8] { Array(text.utf8) }
    }

    /// Reads a text up to a delimiter or the end, and resolves its backslashes.
    private mutating func text(until ends: String, escapes: String) throws(UsageError) -> Name {
        var name = Name()
        var hasEscape = false
        while let character = next, !ends.contains(character) {
            // Outside of brackets, braces enclose a row.
            guard !"[]".contains(character), !separatesPaths || ends == "]" || !"{}".contains(character) else {
                throw problem("expected a backslash before '\(character)'", at: position)
            }
            position += 1
            guard character == "\\", let escaped = next else {
                name.text.append(character)
                continue
            }
            position += 1
            if escapes.contains(escaped) { hasEscape = true } else { name.text.append(character) }
            name.text.append(escaped)
        }
        let unescaped = name.text.dropFirst()
        if hasEscape {
            name.isLiteral = true
        } else if name.text.hasPrefix("\\"), unescaped == "*" || unescaped.isIndex || unescaped.isSlice {
            name = Name(text: String(unescaped), isLiteral: true)
        }
        return name
    }

    /// Returns the step of an index; `nil` if the text is a name.
    private func index(_ text: String, at start: Int) throws(UsageError) -> JSONStep? {
        guard text.isIndex else { return nil }
        if countsFromEnd, text.hasPrefix("-") {
            let place = try number(text.dropFirst(), at: start + 1)
            guard place > 0 else { throw problem("the last element is -1", at: start, length: text.count) }
            return .fromEnd(place)
        }
        let index = try number(text[...], at: start)
        return .elements(index..<index + 1)
    }

    /// Returns the step of a range, such as `1:3`, `1:` or `:3`; `nil` if the text is a name.
    private func slice(_ text: String, at start: Int) throws(UsageError) -> JSONStep? {
        guard let bounds = text.halves(around: ":"), bounds.before.isIndex || bounds.after.isIndex || text == ":" else {
            return nil
        }
        guard text.isSlice else {
            throw problem("the bounds of the range '\(text)' must be numbers", at: start, length: text.count)
        }
        let lower = bounds.before.isEmpty ? 0 : try number(bounds.before, at: start)
        let upper = bounds.after.isEmpty ? Int.max : try number(bounds.after, at: start + bounds.before.count + 1)
        guard lower < upper else {
            throw problem("the range '\(text)' is empty: its end is excluded", at: start, length: text.count)
        }
        return .elements(lower..<upper)
    }

    private func number(_ text: Substring, at start: Int) throws(UsageError) -> Int {
        if text.hasPrefix("-") {
            let bounds = countsFromEnd ? "bounds of ranges" : "indexes"
            throw problem("negative \(known: bounds) are not supported", at: start, length: text.count)
        }
        guard let number = Int(text), number < Int.max else {
            throw problem("the index '\(text)' is too large", at: start, length: text.count)
        }
        return number
    }

    private mutating func skip(_ character: Character) -> Bool {
        guard next == character else { return false }
        position += 1
        return true
    }

    private func isNext(_ text: String) -> Bool { characters[position...].starts(with: text) }

    /// Returns an error that points at characters.
    func problem(_ problem: UsageError.Problem, at offset: Int, length: Int = 1) -> UsageError {
        UsageError(problem, hint: hint, excerpt: UsageError.Excerpt(typed, offset: offset, length: length))
    }
}

extension Collection<Character> {
    /// The start up to the bracket that closes it; brackets in strings and after backslashes do not count.
    var condition: SubSequence {
        var (depth, isInString, isEscaped) = (0, false, false)
        return prefix { character in
            defer { isEscaped = character == "\\" && !isEscaped }
            guard !isEscaped else { return true }
            switch character {
            case "\"": isInString.toggle()
            case "[" where !isInString: depth += 1
            case "]" where !isInString: depth -= 1
            default: break
            }
            return depth >= 0
        }
    }
}

extension String {
    /// Whether the condition contains at least 16 others.
    fileprivate var hasManyConditions: Bool { split(separator: "[").count { $0.hasPrefix("?") } >= 16 }
}

extension StringProtocol {
    /// Whether the text is a number, which may be negative.
    fileprivate var isIndex: Bool { hasPrefix("-") ? dropFirst().isDecimal : isDecimal }

    /// Whether the text is a range of numbers, whose ends may be missing.
    fileprivate var isSlice: Bool {
        let bounds = split(separator: ":", omittingEmptySubsequences: false)
        return bounds.count == 2 && bounds.allSatisfy { $0.isEmpty || $0.isIndex }
    }
}
