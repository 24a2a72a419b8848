internal import AFFormatting

/// The values that `--filter` selects.
///
/// A path has the syntax of ``JSONPath``. It may also contain `[]` or `[*]` for each element, `[1:3]` for the elements 1
/// and 2, and `..name` for a member at any depth. Commas separate paths.
struct BodyFilter: Equatable, Sendable, ArgumentValue {
    /// The paths as typed.
    let typed: String
    let paths: [[JSONFilter.Step]]

    init(argument: String) throws(UsageError) {
        typed = argument
        var reader = Reader(typed: argument, characters: Array(argument))
        paths = try reader.paths()
        guard paths.joined().count <= JSONFilter.maximumStepCount else {
            throw UsageError(
                "at most \(known: JSONFilter.maximumStepCount) names and indices are possible",
                hint: "select a value further outside, and filter the output again"
            )
        }
    }
}

private struct Reader {
    let typed: String
    let characters: [Character]
    var position = 0

    private var next: Character? { position < characters.count ? characters[position] : nil }
    private var isAtEndOfPath: Bool { next == nil || next == "," }

    mutating func paths() throws(UsageError) -> [[JSONFilter.Step]] {
        var paths = [try path()]
        while skip(",") {
            while skip(" ") {}
            paths.append(try path())
        }
        if paths.count > 1, paths.contains([]) {
            throw problem("a path is empty", at: paths.last == [] ? characters.count : 0)
        }
        return paths
    }

    private mutating func path() throws(UsageError) -> [JSONFilter.Step] {
        var steps: [JSONFilter.Step] = []
        if !isNext("..") { _ = skip(".") }
        guard !isAtEndOfPath else { return [] }
        if next != ".", next != "[" { steps.append(.member(try name().utf8)) }
        while !isAtEndOfPath {
            let start = position
            if skip("[") {
                steps.append(try bracket(from: start))
            } else if skip(".") {
                let isRecursive = skip(".")
                steps.append(try isRecursive ? descendants(from: start) : afterDot(from: start))
            } else {
                throw problem("expected '.', '[' or ','", at: start)
            }
        }
        return steps
    }

    /// Reads the name or index after a dot.
    private mutating func afterDot(from start: Int) throws(UsageError) -> JSONFilter.Step {
        guard !isAtEndOfPath, next != ".", next != "[" else {
            throw problem("a dot has no name behind it", at: start)
        }
        let name = try name()
        return name.isLiteral ? .member(name.utf8) : try index(name.text, at: start + 1) ?? .member(name.utf8)
    }

    private mutating func descendants(from start: Int) throws(UsageError) -> JSONFilter.Step {
        guard !isAtEndOfPath, next != "." else { throw problem("'..' has no name behind it", at: start, length: 2) }
        let bracketed = position
        guard skip("[") else { return .descendants(try name().utf8) }
        guard case .member(let name) = try bracket(from: bracketed) else {
            throw problem("'..' selects members by name", at: start, length: position - start)
        }
        return .descendants(name)
    }

    /// Reads the rest of a bracket.
    private mutating func bracket(from start: Int) throws(UsageError) -> JSONFilter.Step {
        let content = try text(until: "]", escapes: "[]\\")
        guard skip("]") else { throw problem("expected ']'", at: position) }
        if content.isLiteral { return .member(content.utf8) }
        if content.text.isEmpty || content.text == "*" { return .all }
        if let index = try index(content.text, at: start + 1) { return index }
        return try slice(content.text, at: start + 1) ?? .member(content.utf8)
    }

    private mutating func name() throws(UsageError) -> Name { try text(until: ".[,", escapes: ".,[]\\") }

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
            guard !"[]".contains(character) else {
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
    private func index(_ text: String, at start: Int) throws(UsageError) -> JSONFilter.Step? {
        guard text.isIndex else { return nil }
        let index = try number(text[...], at: start)
        return .elements(index..<index + 1)
    }

    /// Returns the step of a range, such as `1:3`, `1:` or `:3`; `nil` if the text is a name.
    private func slice(_ text: String, at start: Int) throws(UsageError) -> JSONFilter.Step? {
        guard text.isSlice, let bounds = text.halves(around: ":") else { return nil }
        let lower = bounds.before.isEmpty ? 0 : try number(bounds.before, at: start)
        let upper = bounds.after.isEmpty ? Int.max : try number(bounds.after, at: start + bounds.before.count + 1)
        guard lower < upper else {
            throw problem("the range '\(text)' is empty: its end is excluded", at: start, length: text.count)
        }
        return .elements(lower..<upper)
    }

    private func number(_ text: Substring, at start: Int) throws(UsageError) -> Int {
        if text.hasPrefix("-") {
            throw problem("negative indexes are not supported", at: start, length: text.count)
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

    private func problem(_ problem: UsageError.Problem, at offset: Int, length: Int = 1) -> UsageError {
        UsageError(
            problem,
            hint: "a path is a.b, a[0], a[].b, a[1:3] or ..b; a backslash escapes a dot, a comma or a bracket",
            excerpt: UsageError.Excerpt(typed, offset: offset, length: length)
        )
    }
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
